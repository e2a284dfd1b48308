// Connect the API, the URL, the explorer and the views.

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

const PAUSE = 350; // milliseconds that an engine appears to think

const address = {
  read: () => read(location.search),
  write(state, replace) {
    const query = write(state);
    if (query === location.search) return;
    history[replace ? "replaceState" : "pushState"](null, "", query);
  },
};

/** Open the page on an API; it is drawn when the promise resolves. */
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
    // Parts that arrive one by one would shift the layout, so everything is shown at once.
    ({ waiting, gallery, now, problem }) => {
      if (!waiting && (gallery || now || problem)) document.documentElement.classList.remove("booting");
    },
  ];
  bindKeys(explorer);
  // Links of the page open without loading it again.
  document.addEventListener("click", (event) => {
    const link = event.target.closest("a[href^='?']");
    if (!link || link.target || event.button || event.ctrlKey || event.metaKey || event.shiftKey || location.protocol === "file:") return;
    event.preventDefault();
    link.closest("dialog")?.close();
    explorer.follow(link.href);
    scrollTo(0, 0);
  });
  addEventListener("popstate", () => explorer.followAddress());
  return explorer.begin();
}
