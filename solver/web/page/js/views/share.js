// Sharing: a link, and code to embed the board.

import { byId, setShown, setText } from "../dom.js";
import { shared, write } from "../link.js";
import { isAlone } from "../players.js";

export function shareView(explorer, announce) {
  const dialog = byId("share");
  const embed = byId("embed-code");
  const opened = location.search; // nothing to send until it has changed

  const linkOf = (state) => new URL(write(state), location.href).href;
  const invitation = () => explorer.api.live?.invitation(explorer.state);

  byId("share-open").addEventListener("click", () => {
    const state = shared(explorer.state);
    const address = linkOf({ ...state, embed: true });
    embed.value = `<iframe src="${address}" width="420" height="560" title="${state.game}"></iframe>`;
    byId("lesson-link").href = write({ ...state, lesson: true });
    dialog.showModal();
  });
  byId("send").addEventListener("click", () => {
    const url = linkOf({ ...explorer.state, live: invitation() });
    if (navigator.share) navigator.share({ url }).catch(() => {}); // the person has changed their mind
    else copy(byId("send"), url);
  });
  byId("copy").addEventListener("click", () => copy(byId("copy"), linkOf(shared(explorer.state))));
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
    const invited = invitation();
    setText(byId("send"), invited ? "Invite a friend" : "Send this move");
    setShown(byId("send"), invited || state?.moves.length && location.search !== opened && !state.hints && !state.train && isAlone(state.players) && !state.clock && !draft && state.at === state.moves.length);
    document.documentElement.classList.toggle("embed", Boolean(state?.embed));
    if (state?.embed) byId("whole").href = write({ ...state, embed: false });
  };
}
