// The dialog to paste a game for review, on any screen.

import { Refused } from "../api.js";
import { byId, element } from "../dom.js";
import { boardsOf, columnNames, emptyBoard, hasGravity, splitMoves } from "../line.js";
import { titleOf } from "../titles.js";

export function pasteView(explorer) {
  const dialog = byId("review-dialog");
  const select = byId("review-game");
  const text = byId("review-text");
  const problem = byId("review-problem");

  byId("review-open").addEventListener("click", () => openPaste(explorer));
  text.addEventListener("input", () => { select.value = fittingGame(explorer, text.value); });
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
  });

  return ({ games, gallery }) => {
    if (select.options.length !== games.length) {
      select.replaceChildren(...games.map(({ game }) => element("option", { value: game }, titleOf(game, gallery, games))));
    }
  };
}

/** The game in which these moves can be played: the current one, tic-tac-toe, or the first of the others. */
function fittingGame({ state, games }, text) {
  const fits = games.filter((rules) => {
    const moves = splitMoves(text.replace(/(?<!\S)\d+\.+\s*/g, " "), hasGravity(rules) ? columnNames(rules) : [], rules.diagram.names);
    const counted = moves.every((name) => /^\d+$/.test(name)) ? moves.map((name) => String(name - 1)) : moves; // from 1
    return moves.length && [moves, counted].some((names) => boardsOf(rules, emptyBoard(rules), names));
  }).map(({ game }) => game);
  return [state.game, "3,3,3", fits[0]].find((game) => fits.includes(game)) ?? (state.game || games[0]?.game);
}

/** Open the dialog for the current game. */
function openPaste({ state, games }) {
  byId("review-problem").textContent = "";
  byId("review-game").value = fittingGame({ state, games }, byId("review-text").value);
  byId("review-dialog").showModal();
  byId("review-text").focus();
}
