// The games as small pictures below the first one, and the page of all games: their tables, those to build, families.

import { byId, element, setShown } from "../dom.js";
import { formatQuery } from "../link.js";
import { titleOf } from "../titles.js";
import { capitalise } from "../words.js";
import { drawSmall } from "./diagram.js";
import { drawRules } from "./emblem.js";

const MOST_TILES = 12;

export function galleryView(explorer) {
  let drawn = null;
  byId("find").addEventListener("input", ({ target }) => {
    const words = target.value.toLowerCase().split(/\s+/);
    const rows = [...document.querySelectorAll(".rows > li")];
    const found = rows.filter((row) => words.every((word) => row.textContent.toLowerCase().includes(word)));
    for (const row of rows) setShown(row, found.includes(row));
    if (target.value) byId("missing").closest("details").open = true;
    const name = target.value.trim();
    byId("unlisted").replaceChildren(found.length ? "" : element("a", { href: formatQuery([["game", name]]) }, `Open ${name}`));
  });

  return ({ state, gallery, games: all, rules, problem, waiting }) => {
    if (!state) return;
    const games = all.filter(({ bytes }) => bytes); // not those that were only opened
    const page = problem ? null : state.page;
    const list = page === "games";
    document.documentElement.classList.toggle("first-screen", page === "home");
    setShown(byId("gallery"), page);
    setShown(byId("explorer"), !list);
    for (const part of document.querySelectorAll(".tabs, .skip")) setShown(part, !list);
    document.documentElement.classList.toggle("boardless", Boolean(problem && !rules));
    setShown(document.querySelector(".game-choice"), !page);
    // Without a game the controls and the explanations are useless.
    for (const part of document.querySelectorAll(".play, footer")) setShown(part, !(list || (problem && !rules)));
    for (const part of document.querySelectorAll("#gallery > :not(#tiles-part)")) setShown(part, list);
    setShown(byId("tiles-part"), page === "home");
    const key = page && `${page} ${games.length}`;
    if (!key || waiting || drawn === key) return;
    drawn = key;
    if (page === "home") {
      byId("tiles").replaceChildren(...games.slice(0, MOST_TILES).map((each) => drawTile(each, titleOf(each.game, gallery, games), explorer.level)));
      byId("all-games").textContent = games.length > MOST_TILES ? `All ${games.length} games` : "About these games";
      return;
    }
    document.title = "Games – Solved games";
    const known = new Map((gallery?.games ?? []).map((each) => [each.game, each]));
    fillList(byId("ready"), games.map((each) => drawRow({ value: valueOf(each), about: each.description, ...known.get(each.game), ...each, title: titleOf(each.game, gallery, games) })));
    fillList(byId("missing"), [...known.values()].filter(({ game, table }) => !table && !games.some((each) => each.game === game)).map(drawRow));
    fillList(byId("families"), (gallery?.families ?? []).flatMap(({ form, about, examples }) => [
      element("dt", {}, element("code", {}, examples[0])), element("dd", {}, `${capitalise(about)}: ${form}`),
    ]));
  };
}

/** Fill a list; an empty one is hidden with its heading. */
function fillList(list, entries) {
  list.replaceChildren(...entries);
  if (!entries.length) setShown(list.closest("section"), false);
}

const valueOf = ({ category, side, claim, within }) => claim === "wins" && !within ? "partly proved" : claim ? `${side} ${claim}` + (within ? ` within ${within} moves` : "") : ({ win: "X wins", draw: "a draw", loss: "O wins" }[category] ?? "solved by search");

/** A small empty board with the strokes of its rules. */
function drawBoard(game, diagram) {
  const picture = drawSmall(diagram);
  picture.append(...drawRules(game, diagram));
  return picture;
}

const drawTile = ({ game, diagram }, title, level) =>
  element("li", {}, element("a", { class: "card", href: formatQuery([["game", game], ["o", level]]) }, drawBoard(game, diagram), element("span", {}, title)));

/** A game with its rules and its value: the size of its table, or the command that builds it. */
function drawRow({ game, title, about, value, source, seconds, build, diagram, positions, opening_plies: plies, bytes }) {
  return element("li", {},
    drawBoard(game, diagram),
    element("div", { class: "text" },
      element("h3", {}, bytes || !build ? element("a", { href: formatQuery([["game", game]]) }, title) : title),
      element("p", {}, `${capitalise(about)}. Perfect play: ${value}`, source ? ` (${source}).` : "."),
      bytes ? element("p", {}, positions ? `${positions.toLocaleString("en")} positions${plies ? " of the first " + plies + " moves" : ""}, ${size(bytes)}` : `A strategy, ${size(bytes)}`) : null,
      build && !bytes ? element("p", { class: "build" }, element("code", {}, build), ` about ${seconds} s`) : null));
}

const SPACE = "\u00a0"; // a no-break space
const UNITS = ["bytes", "kB", "MB", "GB", "TB"];

/** "262 kB", in one line. */
function size(bytes) {
  const power = Math.min(UNITS.length - 1, Math.max(0, Math.floor((String(Math.round(bytes)).length - 1) / 3)));
  const shown = bytes / 1000 ** power;
  return `${shown.toFixed(shown < 10 && power ? 1 : 0)}${SPACE}${UNITS[power]}`;
}
