// The box in which a reader grades a function. A worker runs Python, so that the page answers meanwhile, and "Stop" ends it.

const box = document.getElementById("grade");
const [code, game, button, state, report] = ["code", "game", "start", "state", "report"].map((name) => box.querySelector(`.${name}`));
let worker = null;

function show(message) {
  if (message.state) state.textContent = message.state;
  if (message.report === undefined && !message.error) return;
  state.textContent = message.error ?? "";
  report.innerHTML = message.report ?? "";
  button.textContent = "Grade";
  button.dataset.running = "";
}

function stop() {
  worker.terminate();
  worker = null;
  show({ error: "Stopped." });
}

button.addEventListener("click", () => {
  if (button.dataset.running) return stop();
  worker ??= new Worker(new URL("grade-worker.js", import.meta.url), { type: "module" });
  worker.onmessage = ({ data }) => show(data);
  worker.onerror = () => {
    worker = null;
    show({ error: "Python could not be fetched; look whether cdn.jsdelivr.net can be reached, and grade again." });
  };
  report.textContent = "";
  state.textContent = "Fetching Python, 13 MB the first time";
  button.textContent = "Stop";
  button.dataset.running = "yes";
  worker.postMessage({ code: code.value, game: game.value });
});
