// Setting up a position by clicking squares, or by typing it in any notation.

import { byId, setAble, setAttribute, setShown } from "../dom.js";
import { emptyBoard } from "../line.js";

export function setupView(explorer) {
  const panel = byId("setup-panel");
  const text = byId("setup-text");
  const change = (draft) => explorer.update({ draft }, { replace: true });

  byId("setup").addEventListener("click", () => toggle(explorer));
  byId("setup-cancel").addEventListener("click", () => close(explorer));
  byId("setup-clear").addEventListener("click", () => change(emptyBoard(explorer.rules)));
  text.addEventListener("input", () => change(text.value));
  panel.addEventListener("submit", async (event) => {
    event.preventDefault();
    if (explorer.view.draft?.answer) {
      await explorer.finishSetup();
      byId("setup").focus();
    } else byId("setup-problem").focus();
  });

  return (view) => {
    const { draft } = view;
    setShown(panel, draft);
    setAttribute(byId("setup"), "aria-pressed", String(Boolean(draft)));
    if (!draft || view.waiting) return;
    if (document.activeElement !== text) text.value = draft.board;
    byId("setup-problem").textContent = draft.problem || draft.note || "";
    byId("setup-problem").classList.toggle("problem", Boolean(draft.problem));
    setAble(byId("setup-done"), draft.answer);
    setAttribute(text, "aria-invalid", draft.problem ? "true" : null);
  };
}

/** Start or end the set-up. */
function toggle(explorer) {
  if (explorer.state.draft === null) explorer.startSetup();
  else close(explorer);
}

function close(explorer) {
  explorer.update({ draft: null });
  byId("setup").focus();
}
