// Choices that outlast the page. Storage may be closed to us; then they last as long as the page.

/** The value kept under a name, or null. */
export function recall(name) {
  try {
    return localStorage.getItem(name);
  } catch {
    return null;
  }
}

/** Keep a value under a name; null forgets it. */
export function remember(name, value) {
  try {
    if (value === null) localStorage.removeItem(name);
    else localStorage.setItem(name, value);
  } catch { /* closed */ }
}
