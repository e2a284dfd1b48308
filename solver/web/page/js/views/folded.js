// A card that loads its content when it is opened, and for each new position while it is open.

import { element, setShown } from "../dom.js";

/** card: a `details` with a list. load: returns a promise of its entries. isUseful: whether a view shows the card. */
export function foldedView(explorer, card, load, isUseful = () => true) {
  const list = card.querySelector("ul");
  let shown = null; // the game and the board of the entries

  async function fill(view) {
    const asked = `${view.state.game} ${view.board}`;
    if (shown === asked) return;
    shown = asked;
    const [{ value }] = await Promise.allSettled([load(view)]);
    if (shown === asked) list.replaceChildren(...(value ?? [element("li", {}, "No answer; close and reopen this to try again.")]));
  }

  card.addEventListener("toggle", () => {
    shown = null;
    if (card.open && explorer.view?.now) fill(explorer.view);
  });

  return (view) => {
    const there = view.rules && view.now && !view.draft && view.state.hints && isUseful(view);
    setShown(card, there);
    if (there && !view.waiting && card.open) fill(view);
  };
}
