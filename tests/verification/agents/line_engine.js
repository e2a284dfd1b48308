// An engine for `cmd:`, in JavaScript: the first empty square by its number, counted from 0.
const lines = require("readline").createInterface({ input: process.stdin });
lines.on("line", (line) => console.log(line.split(" ")[0].replaceAll("/", "").indexOf(".")));
