// Sharing: a link, and code to embed the board.

import { byId, setShown, setText, svgElement } from "../dom.js";
import { shared, write } from "../link.js";
import { isAlone } from "../players.js";
import { titleOf } from "../titles.js";

export function shareView(explorer, announce) {
  const dialog = byId("share");
  const embed = byId("embed-code");
  const link = byId("link");
  const opened = location.search; // nothing to send until it has changed

  const linkOf = (state) => new URL(write(state), location.href).href;
  const isOpen = () => explorer.api.live?.isOpen(explorer.state);
  byId("share-open").addEventListener("click", () => {
    const state = shared(explorer.state);
    link.value = linkOf(explorer.state);
    const title = titleOf(state.game, explorer.gallery, explorer.games);
    const address = linkOf({ ...state, embed: true });
    embed.value = `<iframe src="${address}" width="420" height="560" title="${title.replaceAll('"', "&quot;")}"></iframe>`;
    byId("lesson-link").href = write({ ...state, lesson: true });
    dialog.showModal();
  });
  byId("send").addEventListener("click", () => {
    const url = linkOf(explorer.state);
    if (isOpen()) invite(url);
    else if (navigator.share) navigator.share({ url }).catch(() => {}); // the person has changed their mind
    else byId("share-open").click();
  });
  for (const [button, field] of [["copy", link], ["copy-embed", embed], ["copy-invitation", byId("invitation")]]) {
    byId(button).addEventListener("click", () => copy(byId(button), field));
  }
  byId("send-invitation").addEventListener("click", () => navigator.share({ url: byId("invitation").value }).catch(() => {}));
  for (const field of [link, byId("invitation")]) field.addEventListener("focus", () => field.select());

  /** Show a link to the live game for another device, with its QR code. */
  async function invite(url) {
    const { link: found, works, code: { size, path } } = await explorer.api.invitation(url);
    byId("invitation").value = found;
    byId("invitation-note").textContent = works ? "The first to open this link plays O; others watch."
      : "This link works only on this computer. For other devices, start the server with mnk serve --host 0.0.0.0.";
    byId("code").setAttribute("viewBox", `-4 -4 ${size + 8} ${size + 8}`);
    byId("code").replaceChildren(svgElement("path", { d: path }));
    setShown(byId("code"), works);
    setShown(byId("send-invitation"), navigator.share);
    byId("invite").showModal();
  }

  /** Copy a field; where browsers block the clipboard, on pages without encryption, in the older way. */
  async function copy(button, field) {
    const label = button.textContent;
    try {
      await navigator.clipboard.writeText(field.value);
    } catch {
      field.select();
      document.execCommand("copy");
      button.focus();
    }
    announce("Copied.");
    button.textContent = "Copied";
    setTimeout(() => { button.textContent = label; }, 1600);
  }

  return ({ state, draft }) => {
    const open = isOpen();
    setText(byId("send"), open ? "Invite a friend" : "Send this move");
    setShown(byId("send"), open || state?.moves.length && location.search !== opened && !state.hints && !state.train && isAlone(state.players) && !state.clock && !draft && state.at === state.moves.length);
    document.documentElement.classList.toggle("embed", Boolean(state?.embed));
    if (state?.embed) byId("whole").href = write({ ...state, embed: false });
  };
}
