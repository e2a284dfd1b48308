// Asks a published package for a move: npm install tic-tac-toe-minimax@1.0.8, then
//     mnk verify 3,3,3 'cmd:node engine.mjs'
// Another engine takes its place in choose().
import { createInterface } from "node:readline";
import minimax from "tic-tac-toe-minimax";

// board: nine signs, row by row, "." an empty square; player: "X" or "O". Returns a square, from 0.
function choose(board, player) {
  const cells = [...board].map((sign, square) => (sign === "." ? square : sign));
  const symbols = { aiPlayer: player, huPlayer: player === "X" ? "O" : "X" };
  return (minimax.default ?? minimax).ComputerMove(cells, symbols, "Hard");
}

createInterface({ input: process.stdin }).on("line", (line) => {
  const [board, player] = line.split(" ");
  console.log(choose(board.replaceAll("/", ""), player));
});
