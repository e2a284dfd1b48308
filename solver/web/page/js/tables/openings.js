// List the first plies of a game up to symmetry, as solver/study/openings.py does.

import { rankedMoves, valueAnswer } from "./answers.js";
import { refused } from "./errors.js";
import { O, X, smallestImage } from "./game.js";
import { squaresOf } from "./layout.js";
import { readPosition } from "./notation.js";

const MOST_OPENINGS = 2000; // positions, the same as on the server

/** `/v1/GAME/openings?position=&depth=&kept=`: the positions of the next plies, and how many replies to each keep the value. */
export async function openingsAnswer(table, text, depth = 2, kept = false) {
  const { game } = table;
  const start = readPosition(game, text);
  let level = [await openingOf(table, start, [])];
  const plies = [];
  while (plies.length < Number(depth)) {
    const found = new Map();
    for (const { ranked, names } of level) {
      for (const { square, after, value } of ranked) {
        if (kept && value.wdl !== ranked[0].value.wdl) continue;
        const key = canonical(game, after);
        if (!found.has(key)) found.set(key, [after, [...names, game.diagram.names[square]]]);
        if (found.size > MOST_OPENINGS) {
          const message = `There are more than ${MOST_OPENINGS.toLocaleString("en")} positions at ply ${after.ply}; choose fewer plies.`;
          throw refused("position_error", message);
        }
      }
    }
    level = await Promise.all([...found.values()].map((each) => openingOf(table, ...each)));
    if (!level.length) break;
    plies.push(plyAnswer(game, level));
  }
  return { game: game.name, start: game.board(start), kept, plies };
}

async function openingOf(table, position, names) {
  return { position, names, value: await table.probe(position), ranked: await rankedMoves(table, position) };
}

/** The same text for all positions that are symmetric to one. */
const canonical = ({ boardSymmetries }, { cells }) =>
  smallestImage(boardSymmetries, [X, O].map((side) => squaresOf(cells, (cell) => cell === side)))[0].join();

function plyAnswer(game, level) {
  const count = (wdl) => level.filter(({ value }) => value.wdl === wdl).length;
  const openings = level.map(({ position, names, value, ranked }) => ({
    ...valueAnswer(value),
    moves: names,
    position: game.board(position),
    replies: ranked.length,
    holding: ranked.filter((reply) => reply.value.wdl === -value.wdl).length,
  }));
  return { ply: level[0].position.ply, positions: level.length, won: count(1), drawn: count(0), lost: count(-1), openings };
}
