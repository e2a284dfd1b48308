// Settings that persist. If storage is unavailable, they last as long as the page.

/** The value stored under a name, or null. */
export function recall(name) {
  try {
    return localStorage.getItem(name);
  } catch {
    return null;
  }
}

/** The stored JSON of a name, or null. */
export function recallJson(name) {
  try {
    return JSON.parse(recall(name));
  } catch {
    return null; // the stored value is not valid
  }
}

/** Store a value under a name; null removes it. */
export function remember(name, value) {
  try {
    if (value === null) localStorage.removeItem(name);
    else localStorage.setItem(name, value);
  } catch { /* closed */ }
}
