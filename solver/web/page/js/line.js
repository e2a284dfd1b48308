// Boards as text ("XO./.X./...") and lines of moves, as far as the page needs them before the server answers.
// Only the server knows legality and values. `rules.diagram` gives the places of squares in the text.

/** The name of a square by its number. */
export const squareName = (rules, square) => rules.diagram.names[square];

/** The number of a named square, or -1 if the board has no such square. */
export const squareNumber = (rules, name) => rules.diagram.names.indexOf(name);

/** The square of a move, or -1 if there is none; squares may be numbered from 0; with gravity the letters or the number of a column are enough. */
function squareOfMove(rules, board, name) {
  const columns = hasGravity(rules) ? columnNames(rules) : [];
  const column = columns.length && /^\d+$/.test(name) ? name - 1 : columns.indexOf(name);
  if (column in columns) return landing(rules, board, column) ?? -1;
  const named = squareNumber(rules, name);
  return named < 0 && /^\d+$/.test(name) && !rules.diagram.names.some((each) => /^\d+$/.test(each)) && name < countSquares(rules) ? Number(name) : named;
}

/** The moves in a text, as `read_moves` in solver/game/notation.py. columns: their letters with gravity, else none. */
export const splitMoves = (text, columns, names) => text.toLowerCase().split(/[\s,!?]+/).filter(Boolean).flatMap((word) => {
  if (names.includes(word) || columns.includes(word)) return [word];
  if (columns.length && columns.length < 10 && /^\d+$/.test(word)) return [...word];
  const several = word.match(columns.length ? /[a-z][0-9]*/g : /[a-z]+[0-9]+/g) ?? [];
  const isSplit = several.join("") === word && several.every((each) => names.includes(each) || columns.includes(each));
  return isSplit ? several : [word];
});

/** Whether a text names a game, in any spelling that solver/game/games.py reads. aliases: the names of games by common names. */
export const isNameOf = (game, text, aliases) => spelled(game, {}) === spelled(text, aliases);

/** One spelling of a name: without aliases, hyphens and zeros before numbers, and with the variants in order. */
function spelled(text, aliases) {
  const [head, ...rest] = text.trim().toLowerCase().replaceAll("è", "e").split(",");
  const written = head.trim().replaceAll(" ", "-");
  const [alias] = Object.keys(aliases).filter((each) => `${written}-`.startsWith(`${each}-`)).sort((one, other) => other.length - one.length);
  const name = [alias ? aliases[alias] + written.slice(alias.length) : head, ...rest].join();
  const plain = (word) => (/^\d{1,9}$/.test(word) ? String(Number(word)) : word);
  const [first, ...words] = name.replaceAll("-", ",").split(",").map((word) => {
    const [key, ...values] = word.trim().split(/[=+]/);
    return values.length ? `${key}=${values.map(plain).sort().join("+")}` : plain(key);
  });
  const isSize = (word) => /^\d/.test(word);
  return [first, ...words.filter(isSize), ...words.filter((word) => !isSize(word)).sort()].join();
}

/** Whether a table has values for the game; otherwise, a strategy or a search for threats has some. */
export const hasTable = (rules) => Boolean(rules.metric);

/** Whether stones drop to the bottom of their column. */
export const hasGravity = (rules) => rules.variants.includes("gravity");

/** The square on which a stone dropped here lands; without gravity this square, in a full column null. */
export function landing(rules, board, square) {
  if (!hasGravity(rules)) return square;
  const cells = cellsOf(rules, board);
  const { columns } = rules.diagram;
  let found = null;
  for (let below = square % columns; below < cells.length; below += columns) if (cells[below] === ".") found = below;
  return found;
}

/** Whether a stone is on top of this one, so that it can't be removed. */
export const carries = (rules, board, square) =>
  hasGravity(rules) && ![".", undefined].includes(cellsOf(rules, board)[square - rules.diagram.columns]);

/** The letters of each column: a to z, then aa, ab, ... */
export const columnNames = ({ diagram }) => Array.from({ length: diagram.columns }, (_, column) => columnName(column));

/** The letters of a column by its number. */
export const columnName = (column) =>
  (column < 26 ? "" : columnName(Math.floor(column / 26) - 1)) + String.fromCharCode(97 + (column % 26));

/** The names of the squares of these moves, or null if one has no empty square. */
export function movesOf(rules, start, names) {
  const boards = boardsOf(rules, start, names);
  return boards && names.map((name, at) => squareName(rules, squareOfMove(rules, boards[at], name)));
}

/** The number of squares. */
export const countSquares = (rules) => rules.diagram.names.length;

/** The empty board. */
export const emptyBoard = (rules) => boardOf(rules, Array(countSquares(rules)).fill("."));

/** The content of each square: "X", "O" or ".". */
export function cellsOf(rules, board) {
  const text = board.replaceAll("/", "");
  const cells = [];
  rules.diagram.cells.forEach((cell, place) => { if (isSquare(cell)) cells[cell] = text[place]; });
  return cells;
}

/** Whether this text is a board of this game, with rows separated by "/". */
export function isBoard(rules, text) {
  const { rows, columns, cells } = rules.diagram;
  const given = text.split("/");
  const fits = (sign, place) => (isSquare(cells[place]) ? "XO.".includes(sign) : sign === cells[place]);
  return given.length === rows && given.every((row) => row.length === columns) && [...given.join("")].every(fits);
}

/** The board with one square changed. */
export function withCell(rules, board, square, cell) {
  const cells = cellsOf(rules, board);
  cells[square] = cell;
  return boardOf(rules, cells);
}

/** The side to move, by the number of stones: X begins. */
export const sideToMove = (rules, board) => (countStones(rules, board) % 2 ? "O" : "X");

export const otherSide = (side) => (side === "X" ? "O" : "X");

/** The number of stones on the board. */
export const countStones = (rules, board) => cellsOf(rules, board).filter((cell) => cell !== ".").length;

/** The boards of a line, including the first, or null if a move has no empty square. */
export function boardsOf(rules, start, moves) {
  const boards = [start];
  for (const name of moves) {
    const board = boards.at(-1);
    const square = squareOfMove(rules, board, name);
    if (square < 0 || cellsOf(rules, board)[square] !== ".") return null;
    boards.push(withCell(rules, board, square, sideToMove(rules, board)));
  }
  return boards;
}

/** Whether a place in the text is a square, not a hole or a stone that is there from the start. */
export const isSquare = (cell) => typeof cell === "number";

function boardOf(rules, cells) {
  const { rows, columns, cells: places } = rules.diagram;
  const text = places.map((cell) => (isSquare(cell) ? cells[cell] : cell));
  return Array.from({ length: rows }, (_, row) => text.slice(row * columns, (row + 1) * columns).join("")).join("/");
}
