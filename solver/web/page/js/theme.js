// Dark or light: as the system says until the person chooses otherwise.

const system = matchMedia("(prefers-color-scheme: dark)");
const KEY = "theme";

// Storage may be closed to us; then the choice lasts as long as the page.
let chosen = null;
try {
  chosen = localStorage.getItem(KEY);
} catch { /* no storage */ }

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
  try {
    if (chosen) localStorage.setItem(KEY, chosen);
    else localStorage.removeItem(KEY);
  } catch { /* no storage */ }
  apply();
}

system.addEventListener("change", apply);
document.addEventListener("DOMContentLoaded", () => {
  document.getElementById("theme").addEventListener("click", toggleTheme);
  apply();
});
apply();
