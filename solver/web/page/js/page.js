// Puts the parts together: who answers, the address, the explorer, and what is drawn.

import { Explorer } from "./explorer.js";
import { bindKeys } from "./keys.js";
import { read, write } from "./link.js";
import { announce, spokenView } from "./spoken.js";
import { byId } from "./dom.js";
import { boardView } from "./views/board.js";
import { compareView } from "./views/compare.js";
import { controlsView } from "./views/controls.js";
import { galleryView } from "./views/gallery.js";
import { headlineView } from "./views/headline.js";
import { historyView } from "./views/history.js";
import { mainlineView, movesView } from "./views/moves.js";
import { noticeView } from "./views/notice.js";
import { openingsView } from "./views/openings.js";
import { pasteView } from "./views/paste.js";
import { setupView } from "./views/setup.js";
import { shareView } from "./views/share.js";
import { trainerView } from "./views/trainer.js";

const PAUSE = 350; // milliseconds that an engine seems to think

const address = {
  read: () => read(location.search),
  write(state, replace) {
    const query = write(state);
    if (query === location.search) return;
    history[replace ? "replaceState" : "pushState"](null, "", query);
  },
};

/** Open the page, whose questions `api` answers; it is drawn when the promise is kept. */
export function openPage(api) {
  let views = [];
  const explorer = new Explorer({ api, address, pause: PAUSE, show: (view) => views.forEach((draw) => draw(view)) });

  views = [
    galleryView(explorer),
    noticeView(explorer),
    boardView(byId("board"), explorer),
    headlineView(explorer),
    movesView(explorer),
    mainlineView(explorer),
    historyView(explorer),
    controlsView(explorer),
    shareView(explorer, announce),
    setupView(explorer),
    pasteView(explorer),
    openingsView(explorer),
    compareView(explorer),
    trainerView(explorer, announce),
    spokenView(),
    // What comes in parts would push other things about: all is shown at once, when there is something to show.
    ({ waiting, gallery, now, problem }) => {
      if (!waiting && (gallery || now || problem)) document.documentElement.classList.remove("booting");
    },
  ];
  bindKeys(explorer);
  addEventListener("popstate", () => explorer.followAddress());
  return explorer.begin();
}
