// The board of explorer.py: first the game, then what is shown of it. Values are those that the page carries.
(() => {
  const WORDS = { W: "win", "=": "draw", L: "loss" };
  const BUTTON =
    "margin:.3em .5em 0 0;padding:.25em .8em;font:inherit;color:inherit;background:none;" +
    "border:1px solid rgba(128,128,128,.45);border-radius:6px";
  const LAST = "background-image:radial-gradient(circle at 84% 16%,currentcolor 3px,transparent 3.6px);"; // a dot
  const TURNED = { W: "L", "=": "=", L: "W" };

  // The game in the data of a board (see Explorer.json). Positions are base-3 hashes, digit 1 for X and 2 for O.
  function gameOf(data) {
    const marks = new Map();
    let last = 0;
    for (const entry of data.marks.split(",")) {
      const [, step, mark, over] = /^([0-9a-z]+)([WL=]\d*)([XOD]?)$/.exec(entry);
      last += parseInt(step, 36);
      marks.set(last, { mark, over });
    }
    const squares = [...data.names.keys()];
    const digit = (hash, square) => Math.floor(hash / 3 ** square) % 3;
    const cells = (hash) => squares.map((square) => ["", "X", "O"][digit(hash, square)]);
    const ply = (hash) => cells(hash).filter(Boolean).length;
    const side = (hash) => (ply(hash) % 2 ? "O" : "X");
    const after = (hash, square) => hash + (side(hash) === "X" ? 1 : 2) * 3 ** square;

    // What each legal move is worth to its player, by square; none where the game is over or the page ends.
    function moves(hash) {
      const known = marks.get(hash).over ? [] : squares.filter((s) => !digit(hash, s) && marks.has(after(hash, s)));
      return new Map(known.map((square) => [square, marks.get(after(hash, square)).mark]));
    }

    // The squares of completed lines.
    function lines(hash) {
      const stones = cells(hash);
      const of = (stone, number) => data.lines[number].filter(([line, guard]) =>
        line.every((square) => stones[square] === stone) && !guard.some((square) => stones[square] === stone));
      return new Set([...of("X", 0), ...of("O", 1)].flatMap(([line]) => line));
    }

    function status(hash) {
      const { mark, over } = marks.get(hash);
      if (over) return over === "D" ? "A draw." : `${over} has won.`;
      const distance = mark.length > 1 ? ` in ${mark.slice(1) - 1}` : "";
      const end = ply(hash) === data.deepest ? " The values end here; explore this position to go on." : "";
      return `${side(hash)} to move: ${WORDS[TURNED[mark[0]]]}${distance}.${end}`;
    }

    const name = (square) => data.names[square];
    return { start: data.start, cells, moves, lines, status, name, after };
  }

  function show(root) {
    root.dataset.ready = "yes";
    const data = JSON.parse(root.dataset.explorer);
    const game = gameOf(data);
    const squares = [];
    [...root.querySelectorAll("td")].forEach((element, place) => { squares[data.cells[place]] = element; });
    const status = root.querySelector(".mnk-status");
    const played = [];
    status.setAttribute("aria-live", "polite");

    const current = () => played.reduce(game.after, game.start);

    function draw() {
      const hash = current();
      const [cells, moves, marked] = [game.cells(hash), game.moves(hash), game.lines(hash)];
      squares.forEach((element, square) => {
        const text = cells[square] || moves.get(square) || "";
        const line = marked.has(square) ? "outline:.18em solid #e69f00;" : "";
        element.textContent = data.named ? `${game.name(square)}\n${text}` : text;
        const last = played.at(-1) === square ? LAST : "";
        element.setAttribute("style", `${data.square};${data.styles[text.slice(0, 1)]};${line}${last}`);
        element.setAttribute("aria-label", `${game.name(square)} ${text || "empty"}`);
        element.style.cursor = moves.has(square) ? "pointer" : "default";
      });
      status.textContent = game.status(hash) + (played.length ? ` Played: ${played.map(game.name).join(" ")}.` : "");
      for (const button of buttons) {
        button.disabled = !played.length;
        button.style.opacity = played.length ? 1 : 0.45;
      }
    }

    function play(square) {
      if (!game.moves(current()).has(square)) return;
      played.push(square);
      draw();
    }

    function button(text, action) {
      const element = document.createElement("button");
      element.type = "button";
      element.textContent = text;
      element.setAttribute("style", BUTTON);
      element.addEventListener("click", () => { action(); draw(); });
      root.insertBefore(element, status);
      return element;
    }

    squares.forEach((element, square) => {
      element.tabIndex = 0;
      element.setAttribute("role", "button");
      element.addEventListener("click", () => play(square));
      element.addEventListener("keydown", (event) => {
        if (event.key !== "Enter" && event.key !== " ") return;
        event.preventDefault();
        play(square);
      });
    });
    const buttons = [button("Back", () => played.pop()), button("Start again", () => played.splice(0))];
    draw();
  }

  document.querySelectorAll(".mnk-explore:not([data-ready])").forEach(show);
  return { gameOf };
})();
