// A live game: the invitation, where the other player is, what is offered, and the buttons to offer, accept and resign.

import { byId, element, isAble, setAble, setShown, setText, svgElement } from "../dom.js";
import { isOver } from "../explorer.js";
import { otherSide } from "../line.js";
import { personSide } from "../players.js";
import { copyField } from "./share.js";

const OFFERS = {
  draw: { offered: "Your friend offers a draw. ", accept: "Accept", own: "You have offered a draw. " },
  take_back: { offered: "Your friend asks to take a move back. ", accept: "Allow", own: "You have asked to take your move back. " },
  again: { offered: "Your friend wants to play again. ", accept: "Play again", own: "You have offered to play again. " },
};
const BUTTONS = { resign: "resign", "offer-draw": "draw", "take-back": "take_back" };

/** The buttons below the board. */
export function liveView(explorer) {
  const { live } = explorer.api;
  for (const [id, deed] of Object.entries(BUTTONS)) {
    byId(id).addEventListener("click", ({ currentTarget }) => {
      if (isAble(currentTarget) && (deed !== "resign" || confirm("Resign this game?"))) live.act(explorer, deed);
    });
  }
  const field = byId("invitation");
  byId("copy-invitation").addEventListener("click", ({ currentTarget }) => copyField(currentTarget, field));
  byId("send-invitation").addEventListener("click", () => navigator.share({ url: field.value }).catch(() => {})); // the person has changed their mind
  field.addEventListener("focus", () => field.select());

  return (view) => {
    const { state } = view;
    const side = state?.live ? personSide(state.players) : null;
    const open = side && !isOver(view);
    for (const id of Object.keys(BUTTONS)) setShown(byId(id), open);
    setShown(byId("restart"), !open && !(state?.live && !side));
    setText(byId("undo").lastChild, state?.live ? "Back" : "Undo");
    setText(byId("redo").lastChild, state?.live ? "Forward" : "Redo");
    if (!open) return;
    const last = live.of(state);
    setAble(byId("offer-draw"), last?.joined && last.offers[side] !== "draw");
    setAble(byId("take-back"), state.moves.length > Number(side === "O") && last?.offers[side] !== "take_back");
    setAble(byId("resign"), last?.joined);
  };
}

/** Show a link for another device, with its QR code. */
export function showInvitation({ link, works, code: { size, path } }) {
  byId("invitation").value = link;
  byId("invitation-note").textContent = works ? "The first to open this link plays O; others watch."
    : "This link works only on this computer. For other devices, start the server with mnk serve --host 0.0.0.0.";
  byId("code").setAttribute("viewBox", `-4 -4 ${size + 8} ${size + 8}`);
  byId("code").replaceChildren(svgElement("path", { d: path }));
  setShown(byId("code"), works);
  setShown(byId("send-invitation"), navigator.share);
  byId("invite").showModal();
}

/** The sentences about a live game, with a button to accept what is offered. */
export function drawLive({ state, now, answers }, explorer) {
  const last = state.live && explorer.api.live?.of(state);
  if (!last) return [];
  const { side, present, joined, offers } = last;
  if (!joined) return ["The first to open your link plays O. "];
  const over = isOver({ answers });
  const away = (each) => !present.includes(each);
  if (!side) return ["You are watching. ", ...["X", "O"].filter(away).map((each) => `${each} is away. `)];
  const other = otherSide(side);
  const start = state.moves.length < 2 && !over ? [`You play ${side}. `] : [];
  const offered = OFFERS[offers[other]];
  if (offered) {
    const accept = element("button", { class: "inline", click: () => explorer.api.live.act(explorer, offers[other]) }, offered.accept);
    return [...start, offered.offered, element("span", { class: "deeds" }, accept), " "];
  }
  const own = OFFERS[offers[side]] ? [OFFERS[offers[side]].own] : [];
  if (away(other)) return [...start, ...own, "Your friend is away. "];
  return [...start, ...own, ...(over || now?.to_move === side ? [] : ["Waiting for your friend. "])];
}
