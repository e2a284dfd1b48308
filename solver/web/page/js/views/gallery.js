// The first screen: an example, the games with a table, and those without.

import { byId, element, setAttribute } from "../dom.js";
import { formatQuery } from "../link.js";
import { titleOf } from "../titles.js";
import { bestMoves, capitalise } from "../words.js";
import { drawSmall, drawValues } from "./diagram.js";
import { drawRules } from "./emblem.js";

const SIGNS = { win: "wins", draw: "draws", loss: "loses" };

export function galleryView(explorer) {
  const section = byId("gallery");
  let drawn = null;

  return ({ state, gallery, games, rules, problem }) => {
    const open = !state.game && !problem;
    setAttribute(section, "hidden", open && gallery ? null : "");
    setAttribute(byId("explorer"), "hidden", open ? "" : null);
    for (const part of document.querySelectorAll(".game-choice, #review-open, #train, .skip")) setAttribute(part, "hidden", open ? "" : null);
    // Without a game the controls and the explanations are useless.
    for (const part of document.querySelectorAll(".play, footer")) setAttribute(part, "hidden", open || (problem && !rules) ? "" : null);
    if (!open || !gallery || drawn === gallery) return;
    drawn = gallery;
    document.title = "Games – Tablebase explorer";
    const served = new Map(games.map((each) => [each.game, each]));
    const named = new Set(gallery.games.map(({ game }) => game));
    const ready = [
      ...gallery.games.filter(({ table }) => table),
      ...games.filter(({ game }) => !named.has(game)).map(besides),
    ].map((each) => ({ ...each, ...served.get(each.game) }));
    drawHero(explorer.example, ready.find(({ game }) => game === explorer.example?.game));
    fill(byId("ready"), ready.map(drawReady));
    fill(byId("missing"), gallery.games.filter(({ table }) => !table).map(drawMissing));
    fill(byId("families"), gallery.families.flatMap(({ form, about, examples }) => [
      element("dt", {}, element("code", {}, examples[0])), element("dd", {}, `${capitalise(about)}: ${form}`),
    ]));
  };
}

/** Fill a list; an empty one is hidden with its heading. */
function fill(list, entries) {
  list.replaceChildren(...entries);
  setAttribute(list.closest("section"), "hidden", entries.length ? null : "");
}

/** The entry of a table whose game is not in the gallery. */
const besides = ({ game, description, category, diagram }) => ({
  game, title: titleOf(game, null, [{ game, description }]), about: description, diagram,
  value: { win: "X wins", draw: "a draw", loss: "O wins" }[category] ?? "solved by search",
});

const link = (game, more = []) => formatQuery([["game", game], ...more]);

/** A position of the first game with the value of every move, and links to that game. */
function drawHero(example, game) {
  const hero = byId("hero");
  setAttribute(hero, "hidden", example && game ? null : "");
  if (!example || !game) return;
  byId("hero-play").href = link(game.game, [["o", "perfect"]]);
  byId("hero-explore").href = link(game.game);
  byId("hero-daily").href = link(game.game, [["train", "daily"]]);
  byId("hero-explore").textContent = `Explore ${game.title}`;
  const best = bestMoves(example.moves);
  const verdict = SIGNS[example.moves[0].verdict];
  hero.querySelector("figure").replaceChildren(
    element("a", { href: link(game.game, [["moves", example.played]]), "aria-label": `${game.title} after ${example.played}` },
      drawValues(game.diagram, example)),
    element("figcaption", {}, best.length === 1
      ? `After ${example.played}, one reply ${verdict}: ${best[0].name}. The ${example.moves.length - 1} others are mistakes.`
      : `After ${example.played}, ${best.length} of ${example.moves.length} replies are best.`));
}

/** A small empty board with the strokes of its rules. */
function drawBoard(game, diagram) {
  const picture = drawSmall(diagram);
  picture.append(...drawRules(game, diagram));
  return picture;
}

function drawReady({ game, title, about, value, positions, bytes, diagram }) {
  return element("li", {},
    drawBoard(game, diagram),
    element("div", { class: "text" },
      element("h3", {}, element("a", { href: link(game) }, title)),
      element("p", {}, `${capitalise(about)}.`),
      element("p", { class: "known" }, `${capitalise(value)}${positions ? ` · ${positions.toLocaleString("en")}${SPACE}positions · ${size(bytes)}` : ""}`)),
    element("a", { class: "button", href: link(game, [["o", "perfect"]]), "aria-label": `Play the table at ${title}` }, "Play the table"));
}

function drawMissing({ game, title, about, value, source, seconds, build, diagram }) {
  return element("li", {},
    drawBoard(game, diagram),
    element("div", { class: "text" },
      element("h3", {}, title),
      element("p", {}, `${capitalise(about)}. ${value ? `${capitalise(value)} (${source}).` : "Nobody has published its value."}`),
      element("p", { class: "build" }, element("code", {}, build), ` about ${seconds} s`)));
}

const SPACE = "\u00a0"; // a no-break space
const UNITS = ["bytes", "kB", "MB", "GB", "TB"];

/** "262 kB", in one line. */
function size(bytes) {
  const power = Math.min(UNITS.length - 1, Math.max(0, Math.floor((String(Math.round(bytes)).length - 1) / 3)));
  const shown = bytes / 1000 ** power;
  return `${shown.toFixed(shown < 10 && power ? 1 : 0)}${SPACE}${UNITS[power]}`;
}
