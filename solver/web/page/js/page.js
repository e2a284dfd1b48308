// Connect the API, the URL, the explorer and the views.

import { Explorer } from "./explorer.js";
import { bindKeys } from "./keys.js";
import { read, write } from "./link.js";
import { announce, spokenView } from "./spoken.js";
import { byId } from "./dom.js";
import { boardView } from "./views/board.js";
import { clockView } from "./views/clock.js";
import { compareView } from "./views/compare.js";
import { controlsView } from "./views/controls.js";
import { galleryView } from "./views/gallery.js";
import { headlineView, showTitle } from "./views/headline.js";
import { historyView } from "./views/history.js";
import { lessonView } from "./views/lesson.js";
import { mainlineView, movesView } from "./views/moves.js";
import { noticeView } from "./views/notice.js";
import { openingsView } from "./views/openings.js";
import { pasteView } from "./views/paste.js";
import { setupView } from "./views/setup.js";
import { shareView } from "./views/share.js";
import { trainerView } from "./views/trainer.js";

const PAUSE = 350; // milliseconds that an engine appears to think

/** The URL. Browsers take longer to change it than to draw a board, so it is changed after the page is painted. */
const address = {
  pending: null, // a change, if one is pending
  read() {
    address.pending = null; // the person has gone elsewhere
    return read(location.search);
  },
  write(state, replace) {
    address.flush();
    const query = write(state);
    if (query !== location.search) address.pending = () => history[replace ? "replaceState" : "pushState"](null, "", query);
  },
  flush() {
    address.pending?.();
    address.pending = null;
  },
};

/** Draw; if the element with the focus disappears, the board takes the focus. */
function keepFocus(draw) {
  const held = document.activeElement;
  draw();
  if (held !== document.body && !held?.checkVisibility({ visibilityProperty: true })) byId("board").focus({ preventScroll: true });
}

/** Open the page on an API; it is drawn when the promise resolves. */
export function openPage(api) {
  const root = document.documentElement.classList;
  let first = []; // the board and its value, which are painted first
  let others = [];
  let due = false; // whether the others are drawn soon

  function drawOthers() {
    due = false;
    address.flush();
    keepFocus(() => others.forEach((draw) => draw(explorer.drawn)));
  }

  function show(view) {
    explorer.drawn = view;
    keepFocus(() => first.forEach((draw) => draw(view)));
    if (root.contains("booting")) { // parts that arrive one by one would shift the layout, so everything is shown at once
      drawOthers();
      if (!view.waiting && (view.gallery || view.now || view.problem)) root.remove("booting");
    } else if (!due) {
      due = true;
      if (document.hidden) setTimeout(drawOthers);
      else requestAnimationFrame(() => setTimeout(drawOthers));
    }
  }

  const explorer = new Explorer({ api, address, pause: PAUSE, show });
  first = [
    galleryView(explorer),
    noticeView(explorer),
    boardView(byId("board"), explorer),
    headlineView(explorer),
    controlsView(explorer),
    ...(api.live ? [api.live.view(explorer)] : []),
    clockView(explorer, announce),
    setupView(explorer),
    trainerView(explorer, announce),
    spokenView(),
  ];
  others = [
    shareView(explorer),
    showTitle,
    movesView(explorer),
    mainlineView(explorer),
    historyView(explorer),
    lessonView(explorer),
    pasteView(explorer),
    openingsView(explorer),
    compareView(explorer),
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
