// A card that is filled when it is opened, and anew for another position while it is open.

import { element, setAttribute } from "../dom.js";

/** card: a `details` with a list. load: gives a promise of its entries. isUseful: whether the card is there for a view. */
export function foldedView(explorer, card, load, isUseful = () => true) {
  const list = card.querySelector("ul");
  let shown = null; // the game and the board whose entries are there

  async function fill(view) {
    const asked = `${view.state.game} ${view.board}`;
    if (shown === asked) return;
    shown = asked;
    const [{ value }] = await Promise.allSettled([load(view)]);
    if (shown === asked) list.replaceChildren(...(value ?? [element("li", {}, "There is no answer; close this and open it to ask again.")]));
  }

  card.addEventListener("toggle", () => {
    shown = null;
    if (card.open && explorer.view?.now) fill(explorer.view);
  });

  return (view) => {
    const there = view.rules && view.now && !view.draft && view.state.hints && isUseful(view);
    setAttribute(card, "hidden", there ? null : "");
    if (there && !view.waiting && card.open) fill(view);
  };
}
