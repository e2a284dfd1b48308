// Boards as text ("XO./.X./...") and lines of moves, as far as the page needs them while the server is silent.
// What is legal, and what it is worth, the server alone says.

/** The name of a square, numbered row by row from 0: on 3 columns square 4 is b2. */
export const squareName = (rules, square) =>
  String.fromCharCode(97 + (square % rules.columns)) + (Math.floor(square / rules.columns) + 1);

/** The number of a named square, or -1 when the board has no such square. */
export function squareNumber(rules, name) {
  const column = name.charCodeAt(0) - 97;
  const row = Number(name.slice(1)) - 1;
  const fits = column >= 0 && column < rules.columns && row >= 0 && row < rules.rows && Number.isInteger(row);
  return fits ? row * rules.columns + column : -1;
}

/** The empty board. */
export const emptyBoard = (rules) => Array(rules.rows).fill(".".repeat(rules.columns)).join("/");

/** What stands on each square: "X", "O" or ".". */
export const cellsOf = (board) => [...board.replaceAll("/", "")];

/** Whether this text is a board of this size, rows set apart by "/". */
export function isBoard(rules, text) {
  const rows = text.split("/");
  return rows.length === rules.rows && rows.every((row) => row.length === rules.columns && /^[XO.]*$/.test(row));
}

/** The board with one square changed. */
export function withCell(rules, board, square, cell) {
  const cells = cellsOf(board);
  cells[square] = cell;
  return boardOf(rules, cells);
}

/** Who is to move, by the number of stones: X begins. */
export const sideToMove = (board) => (stones(board) % 2 ? "O" : "X");

/** How many stones stand on the board. */
export const stones = (board) => cellsOf(board).filter((cell) => cell !== ".").length;

/** The boards that a line runs through, the first included; null when a move has no empty square to go to. */
export function boardsOf(rules, start, moves) {
  const boards = [start];
  for (const name of moves) {
    const board = boards.at(-1);
    const square = squareNumber(rules, name);
    if (square < 0 || cellsOf(board)[square] !== ".") return null;
    boards.push(withCell(rules, board, square, sideToMove(board)));
  }
  return boards;
}

const boardOf = (rules, cells) =>
  Array.from({ length: rules.rows }, (_, row) =>
    cells.slice(row * rules.columns, (row + 1) * rules.columns).join(""),
  ).join("/");
