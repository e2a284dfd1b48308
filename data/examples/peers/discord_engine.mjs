// discord-tictactoe 4.2.1 (npm), at its level "Unbeatable": `npm install --ignore-scripts` in this folder installs it.
import { createRequire } from "node:module";
import { createInterface } from "node:readline";

const home = "discord-tictactoe/dist/src/tictactoe";
const [AI, Game] = ["ai/AI", "Game"].map((name) => createRequire(import.meta.url)(`${home}/${name}`).default);
const ai = new AI();

for await (const line of createInterface({ input: process.stdin })) {
  const [board, player] = line.split(" ");
  const game = new Game();
  [...board.replaceAll("/", "")].forEach((cell, square) => (game.board[square] = ".XO".indexOf(cell)));
  while (game.currentPlayer !== ".XO".indexOf(player)) game.nextPlayer();
  console.log(ai.operate(game).move);
}
