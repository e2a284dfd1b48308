// Sharing: a link, the position as text and as a picture, and code to embed the board.

import { byId, element, setShown, setText } from "../dom.js";
import { cellsOf } from "../line.js";
import { shared, write } from "../link.js";
import { isAlone } from "../players.js";
import { announce } from "../spoken.js";
import { titleOf } from "../titles.js";
import { drawValues } from "./diagram.js";
import { savePicture } from "./picture.js";

export function shareView(explorer) {
  const dialog = byId("share");
  const opened = location.search; // nothing to send until it has changed

  const linkOf = (state) => new URL(write(state), location.href).href;
  const isOpen = () => explorer.api.live?.isOpen(explorer.state);

  /** What can be copied, by its name. */
  function fieldsOf({ board, rules }) {
    const state = shared(explorer.state);
    const { game } = state;
    const title = titleOf(game, explorer.gallery, explorer.games).replaceAll('"', "&quot;");
    const url = linkOf(explorer.state);
    const json = explorer.api.address?.(game, board);
    const table = rules.digest ? `, table ${rules.digest}` : "";
    return {
      Link: url,
      Position: board,
      "Command": `mnk query '${game}' '${board}'`,
      ...(json && { "JSON for programs": json }),
      "Embed the board in another page": `<iframe src="${linkOf({ ...state, chapters: [], lesson: false, embed: true })}" width="420" height="560" title="${title}"></iframe>`,
      Citation: `The mnk-tablebase authors. mnk-tablebase: every position of m,n,k-games, solved. ${game}, position ${board}${table}. ${url}`,
    };
  }

  function drawField([name, value]) {
    const field = element("input", { type: "text", readonly: "", value, focus: () => field.select() });
    const button = element("button", { "aria-label": `Copy: ${name}`, click: () => copyField(button, field) }, "Copy");
    return element("div", { class: "field" }, element("label", { class: "choice wide" }, element("span", {}, name), field), button);
  }

  byId("share-open").addEventListener("click", () => {
    const { view } = explorer;
    byId("share-fields").replaceChildren(...Object.entries(fieldsOf(view)).map(drawField));
    byId("lesson-link").href = write({ ...shared(explorer.state), lesson: true });
    byId("picture").replaceChildren(drawValues(view.rules.diagram, { board: cellsOf(view.rules, view.board), moves: explorer.state.hints ? view.now?.moves ?? [] : [] }));
    dialog.showModal();
  });
  for (const kind of ["svg", "png"]) byId(`save-${kind}`).addEventListener("click", () => savePicture(byId("picture").firstChild, kind, explorer.state.game));
  byId("send").addEventListener("click", () => {
    const url = linkOf(explorer.state);
    if (isOpen()) explorer.api.live.invite(explorer, url);
    else if (navigator.share) navigator.share({ url }).catch(() => {}); // the person has changed their mind
    else byId("share-open").click();
  });

  return ({ state, draft }) => {
    const open = isOpen();
    setText(byId("send"), open ? "Invite a friend" : "Send this move");
    setShown(byId("send"), open || state?.moves.length && location.search !== opened && !state.hints && !state.train && isAlone(state.players) && !state.clock && !draft && state.at === state.moves.length);
    document.documentElement.classList.toggle("embed", Boolean(state?.embed));
    if (state?.embed) byId("whole").href = write({ ...state, embed: false });
  };
}

/** Copy a field; where browsers block the clipboard, on pages without encryption, in the older way. */
export async function copyField(button, field) {
  button.dataset.label ??= button.textContent;
  try {
    await navigator.clipboard.writeText(field.value);
  } catch {
    field.select();
    document.execCommand("copy");
    button.focus();
  }
  announce("Copied.");
  button.textContent = "Copied";
  setTimeout(() => { button.textContent = button.dataset.label; }, 1600);
}
