// Dark or light: the system's setting, unless the person chooses another.

import { recall, remember } from "./storage.js";

const system = matchMedia("(prefers-color-scheme: dark)");
const KEY = "theme";

let chosen = recall(KEY); // null: the system's setting

const current = () => chosen ?? (system.matches ? "dark" : "light");

function apply() {
  document.documentElement.dataset.theme = current();
  const button = document.getElementById("theme");
  if (button) button.textContent = current() === "dark" ? "Light" : "Dark";
}

/** Switch between dark and light, and store the choice unless it is the system's. */
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
