// Errors in the words of the server.

import { Refused } from "../api.js";

/** The server's error with this code. */
export const refused = (code, message) => new Refused({ status: 400, code, message });

/** Quote a text in one short line, as Python does. */
export function quoted(given, limit = 60) {
  const text = given.length <= limit ? given : `${given.slice(0, limit - 3)}...`;
  const mark = text.includes("'") && !text.includes('"') ? '"' : "'";
  const escapes = { "\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t", [mark]: `\\${mark}` };
  return mark + [...text].map((sign) => escapes[sign] ?? sign).join("") + mark;
}
