// Ask the files of tables questions, as a page does. Arguments: the folder of the page's modules, whether the host sends pieces
// of files ("ranges" or "whole"), and the folders of the tables. Standard input: {"ask": "positionAnswer", "texts": [...]}, each
// a text or a list of all that is given. Standard output: the answers of each table, each a value or an error, and what was
// fetched.

import { closeSync, openSync, readFileSync, readSync } from "node:fs";
import { pathToFileURL } from "node:url";

const [modules, host, ...folders] = process.argv.slice(2);
const load = (name) => import(pathToFileURL(`${modules}/${name}.js`));
const { Refused, Unreachable } = await load("api");
const { openTable } = await load("tables/table");
const { readPosition } = await load("tables/notation");
const { compareAnswer } = await load("tables/compare");
const { distribution } = await load("tables/opponents");
const { openingsAnswer } = await load("tables/openings");
const { makePuzzle, puzzleAnswer, puzzlesAnswer } = await load("tables/puzzles");
const { readScore } = await load("tables/score");
const { formatQuery } = await load("link");
const { reviewGame } = await load("review");
const { openSearch } = await load("search/search");
const answers = await load("tables/answers");
const { whyAnswer } = await load("tables/why");

const fetched = { requests: 0, bytes: 0 };

/** Answer an address as a host does: the file of this path, or the piece of it that is asked for. */
async function get(address, { headers = {} } = {}) {
  const [, from, last] = (host === "ranges" && /^bytes=(\d+)-(\d+)$/.exec(headers.Range ?? "")) || [];
  const body = from ? readPiece(address, Number(from), Number(last) + 1) : readFileSync(address);
  fetched.requests += 1;
  fetched.bytes += body.length;
  return new Response(body, { status: from ? 206 : 200 });
}

function readPiece(path, start, end) {
  const file = openSync(path);
  const piece = Buffer.alloc(end - start);
  const length = readSync(file, piece, 0, piece.length, start);
  closeSync(file);
  return piece.subarray(0, length);
}

const asked = {
  ...answers,
  compareAnswer: (_, folders, name, text) => compareAnswer(Object.keys(folders), (each) => openTable(`${folders[each]}/`, get), name, text),
  distribution: (table, text, engine) => distribution(table, readPosition(table.game, text), engine),
  distributionWithoutSearch: (table, ...given) => {
    table.searches.startSearch = () => () => null;
    return asked.distribution(table, ...given);
  },
  openingsAnswer,
  settledValue: (_, { moves }) => answers.settledValue(moves),
  puzzle: async (table, text) => {
    const puzzle = await makePuzzle(table, readPosition(table.game, text));
    return puzzle && puzzleAnswer(table, puzzle);
  },
  puzzlesAnswer,
  reviewAnswer: async (table, text, start) => {
    const { game } = table;
    const { positions, moves, reading } = readScore(game, text, start, { "tic-tac-toe": "3,3,3" });
    const reached = await Promise.all(positions.map((position) => answers.answerPosition(table, position)));
    const names = moves.map((square) => game.diagram.names[square]);
    const [first] = positions;
    const link = formatQuery([["game", game.name], ...(first.ply ? [["position", game.board(first)]] : []), ["moves", names.join(",")]]);
    return { game: game.name, ...reviewGame(reached, names), reading, link };
  },
  whyAnswer,
  probe: (table, text) => table.probe(readPosition(table.game, text)),
};

const { ask, texts } = JSON.parse(readFileSync(0));
const startSearch = async (board) => {
  const search = await openSearch(board);
  return (position, seconds) => search.solve(position, { seconds });
};
const found = [];
for (const folder of folders) {
  const opened = openTable(`${folder}/`, get, null, startSearch);
  for (const given of texts) {
    const [{ status: ended, value, reason }] = await Promise.allSettled([opened.then((table) => asked[ask](table, ...[given].flat()))]);
    if (reason && !(reason instanceof Refused || reason instanceof Unreachable)) throw new Error(folder, { cause: reason });
    const { status, code = "unreachable", message } = reason ?? {};
    found.push(ended === "fulfilled" ? value : { error: { status, code, message } });
  }
}
process.stdout.write(JSON.stringify({ answers: found, fetched }));
