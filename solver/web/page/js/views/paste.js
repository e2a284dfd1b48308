// The dialog to paste a game for review, on any screen.

import { Refused } from "../api.js";
import { byId, element } from "../dom.js";
import { titleOf } from "../titles.js";

export function pasteView(explorer) {
  const dialog = byId("review-dialog");
  const select = byId("review-game");
  const text = byId("review-text");
  const problem = byId("review-problem");

  for (const id of ["review-open", "hero-review"]) byId(id).addEventListener("click", () => openPaste(explorer));
  byId("review-cancel").addEventListener("click", () => dialog.close());
  byId("review-form").addEventListener("submit", async (event) => {
    event.preventDefault();
    try {
      await explorer.reviewText(select.value, text.value);
    } catch (error) {
      problem.textContent = error instanceof Refused ? error.message : explorer.api.lost;
      text.focus();
      return;
    }
    dialog.close();
    text.value = "";
    byId("history").scrollIntoView({ block: "nearest" });
  });

  return ({ games, gallery }) => {
    if (select.options.length !== games.length) {
      select.replaceChildren(...games.map(({ game }) => element("option", { value: game }, `${titleOf(game, gallery, games)} (${game})`)));
    }
  };
}

/** Open the dialog for the current game. */
export function openPaste({ state, games }) {
  byId("review-problem").textContent = "";
  if (games.some(({ game }) => game === state.game)) byId("review-game").value = state.game;
  byId("review-dialog").showModal();
  byId("review-text").focus();
}
