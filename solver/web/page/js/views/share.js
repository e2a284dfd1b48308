// Sharing: a link, and code to embed the board.

import { byId, setShown } from "../dom.js";
import { write } from "../link.js";
import { isAlone } from "../players.js";

export function shareView(explorer, announce) {
  const dialog = byId("share");
  const embed = byId("embed-code");
  const opened = location.search; // nothing to send until it has changed

  byId("share-open").addEventListener("click", () => {
    const { state } = explorer;
    const address = new URL(write({ ...state, embed: true }), location.href);
    embed.value = `<iframe src="${address}" width="420" height="560" title="${state.game}"></iframe>`;
    byId("lesson-link").href = write({ ...state, lesson: true });
    dialog.showModal();
  });
  byId("send").addEventListener("click", () => {
    const url = location.href;
    if (navigator.share) navigator.share({ url }).catch(() => {}); // the person has changed their mind
    else copy(byId("send"), url);
  });
  byId("copy").addEventListener("click", () => copy(byId("copy"), location.href));
  byId("copy-embed").addEventListener("click", () => copy(byId("copy-embed"), embed.value));

  async function copy(button, text) {
    const label = button.textContent;
    try {
      await navigator.clipboard.writeText(text);
      announce("Copied.");
      button.textContent = "Copied";
      setTimeout(() => { button.textContent = label; }, 1600);
    } catch {
      prompt("Copy this:", text); // browsers block the clipboard on insecure pages
    }
  }

  return ({ state, draft }) => {
    setShown(byId("send"), state?.moves.length && location.search !== opened && !state.hints && !state.train && isAlone(state.players) && !state.clock && !draft && state.at === state.moves.length);
    document.documentElement.classList.toggle("embed", Boolean(state?.embed));
    if (state?.embed) byId("whole").href = write({ ...state, embed: false });
  };
}
