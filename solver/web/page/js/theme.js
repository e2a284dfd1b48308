// Dark or light: as the system says until the person chooses otherwise.

import { recall, remember } from "./storage.js";

const system = matchMedia("(prefers-color-scheme: dark)");
const KEY = "theme";

let chosen = recall(KEY); // null: as the system says

const current = () => chosen ?? (system.matches ? "dark" : "light");

function apply() {
  document.documentElement.dataset.theme = current();
  const button = document.getElementById("theme");
  if (button) button.textContent = current() === "dark" ? "Light" : "Dark";
}

/** Change from dark to light or back, and remember it unless it is what the system says anyway. */
export function toggleTheme() {
  const next = current() === "dark" ? "light" : "dark";
  chosen = next === (system.matches ? "dark" : "light") ? null : next;
  remember(KEY, chosen);
  apply();
}

system.addEventListener("change", apply);
document.addEventListener("DOMContentLoaded", () => {
  document.getElementById("theme")?.addEventListener("click", toggleTheme);
  apply();
});
apply();
