// Cells of Python that a reader edits and runs in the page. A worker runs them, so that the page stays responsive, and
// "Stop" ends it. This browser keeps changes and solutions.

const SIGNS = /(#.*)|("""[^]*?"""|"[^"\n]*"|'[^'\n]*')|\b(and|as|break|class|def|elif|else|for|from|if|import|in|is|lambda|not|or|pass|return|while|yield|None|True|False)\b|\b(\d[\d_.]*)/g;
const CLASSES = ["c1", "s2", "k", "mi"]; // those of Pygments, in the order of the groups
const KEPT = `cells ${location.pathname}`;

let worker = null;
let running = null;
const kept = read();

function read() {
  try {
    return JSON.parse(localStorage.getItem(KEPT)) ?? {};
  } catch {
    return {}; // storage is forbidden or empty
  }
}

function keep(cell, change) {
  kept[cell.name] = { ...kept[cell.name], ...change };
  try {
    localStorage.setItem(KEPT, JSON.stringify(kept));
  } catch {
    // changes last as long as the page
  }
  showProgress();
}

function highlight(element) {
  const text = element.innerText; // editing inserts line breaks as elements
  const parts = [];
  let end = 0;
  for (const match of text.matchAll(SIGNS)) {
    const sign = document.createElement("span");
    sign.className = CLASSES[match.slice(1).findIndex((group) => group !== undefined)];
    sign.textContent = match[0];
    parts.push(text.slice(end, match.index), sign);
    end = match.index + match[0].length;
  }
  element.replaceChildren(...parts, text.slice(end));
}

// Scripts inserted as HTML run only if they are created again.
function showHtml(element, html) {
  element.innerHTML = html;
  for (const script of element.querySelectorAll("script")) {
    const again = document.createElement("script");
    again.textContent = script.textContent;
    script.replaceWith(again);
  }
}

class Cell {
  constructor(element) {
    this.name = element.id;
    this.isExercise = element.hasAttribute("data-exercise");
    this.editor = element.querySelector(".highlight pre");
    this.output = element.querySelector(".output");
    this.given = this.code;
    this.fixed = element.hasAttribute("data-fixed"); // it shows its output from elsewhere
    if (this.fixed) return;
    const bar = document.createElement("div");
    bar.className = "bar";
    bar.innerHTML = `<button type="button" class="run">Run</button><button type="button" class="undo" hidden>As it was</button><output></output>`;
    [this.button, this.undo, this.state] = bar.children;
    this.output.before(bar);
    this.editor.contentEditable = "plaintext-only";
    const label = element.dataset.label;
    for (const [key, value] of [["role", "textbox"], ["aria-multiline", "true"], ["aria-label", label], ["spellcheck", "false"], ["autocapitalize", "off"]]) {
      this.editor.setAttribute(key, value);
    }
    this.button.setAttribute("aria-label", `Run: ${label}`);
    if (kept[this.name]?.code !== undefined) this.edit(kept[this.name].code);
    this.button.addEventListener("click", () => (running ? stop() : run(this)));
    this.undo.addEventListener("click", () => { this.edit(this.given); this.save(); this.editor.focus(); });
    this.editor.addEventListener("input", () => this.save());
    this.editor.addEventListener("blur", () => highlight(this.editor));
    this.editor.addEventListener("keydown", (event) => this.type(event));
  }

  get code() {
    return this.editor.innerText.replace(/\n*$/, "\n");
  }

  edit(code) {
    this.editor.textContent = code;
    highlight(this.editor);
    this.undo.hidden = code === this.given;
  }

  save() {
    const { code } = this;
    keep(this, { code: code === this.given ? undefined : code });
    this.undo.hidden = code === this.given;
  }

  type(event) {
    if (event.key !== "Enter") return;
    event.preventDefault();
    if (event.shiftKey || event.ctrlKey || event.metaKey) {
      if (!running) run(this);
      return;
    }
    const caret = getSelection().getRangeAt(0).cloneRange();
    caret.setStart(this.editor, 0);
    const before = caret.cloneContents();
    for (const element of before.querySelectorAll("br")) element.replaceWith("\n");
    const line = before.textContent.split("\n").at(-1);
    const indent = /^ */.exec(line)[0] + (/:\s*$/.test(line) ? "    " : "");
    document.execCommand("insertText", false, `\n${indent}`);
  }

  show({ state, html, error, reached }) {
    if (state !== undefined) this.state.textContent = state;
    if (html === undefined) return;
    this.state.textContent = error;
    showHtml(this.output, html);
    if (reached) keep(this, { reached: true });
  }
}

function run(cell) {
  running = cell;
  worker ??= new Worker(new URL("cells-worker.js", import.meta.url), { type: "module" });
  worker.onmessage = ({ data }) => receive(data);
  worker.onerror = () => {
    worker = null;
    end("Python could not be fetched; check that cdn.jsdelivr.net is reachable, and run it again.");
  };
  cell.output.replaceChildren();
  cell.state.textContent = "Fetching Python, 13 MB the first time";
  setButton(cell, "Stop");
  const above = cells.slice(0, cells.indexOf(cell) + 1).filter((each) => !each.fixed);
  worker.postMessage(above.map((each) => [each.name, each.code]));
}

function receive(message) {
  const cell = message.name === undefined ? running : cells.find(({ name }) => name === message.name);
  if (!message.done) {
    cell.show(message);
    if (cell !== running) running.state.textContent = message.error ? "A cell above, which this one needs, failed." : "Running the cells it needs";
    return;
  }
  end(message.failed);
}

function end(said) {
  if (said !== undefined) running.state.textContent = said;
  setButton(running, "Run");
  running = null;
}

function setButton(cell, word) {
  cell.button.textContent = word;
  cell.button.setAttribute("aria-label", `${word}: ${cell.editor.getAttribute("aria-label")}`);
}

function stop() {
  worker.terminate();
  worker = null;
  end("Stopped; all definitions are lost.");
}

function showProgress() {
  const exercises = cells.filter(({ isExercise }) => isExercise);
  if (!exercises.length) return;
  const solved = exercises.filter(({ name }) => kept[name]?.reached);
  document.querySelector(".progress output").textContent = `Exercises solved: ${solved.length} of ${exercises.length}`;
  document.querySelector(".progress button").hidden = !Object.keys(kept).length;
  for (const cell of exercises) cell.button.parentElement.classList.toggle("solved", solved.includes(cell));
}

function startOver() {
  if (running) stop();
  for (const cell of cells.filter(({ fixed }) => !fixed)) {
    delete kept[cell.name];
    cell.edit(cell.given);
  }
  try {
    localStorage.removeItem(KEPT);
  } catch {
    // there was none
  }
  showProgress();
}

const cells = [...document.querySelectorAll(".cell")].map((element) => new Cell(element));
document.querySelector(".progress button")?.addEventListener("click", startOver);
showProgress();
