// The first screen: games with a name of their own, each with a small board, and the tables that are there besides.

import { byId, element, setAttribute } from "../dom.js";
import { formatQuery } from "../link.js";
import { drawSmall } from "./diagram.js";

export function galleryView() {
  const section = byId("gallery");
  let drawn = null;

  return ({ state, gallery, games, problem }) => {
    const open = !state.game && !problem;
    setAttribute(section, "hidden", open && gallery ? null : "");
    setAttribute(byId("explorer"), "hidden", open ? "" : null);
    for (const part of document.querySelectorAll(".game-choice, .skip, footer")) setAttribute(part, "hidden", open ? "" : null);
    if (!open || !gallery || drawn === gallery) return;
    drawn = gallery;
    document.title = "Games – Tablebase explorer";
    const named = new Set(gallery.games.map(({ game }) => game));
    const others = games.filter(({ game }) => !named.has(game)).map(besides);
    section.querySelector("ul").replaceChildren(...[...gallery.games, ...others].map(drawGame));
    section.querySelector("dl").replaceChildren(...gallery.families.flatMap(({ form, about, examples }) => [
      element("dt", {}, element("code", {}, examples[0])), element("dd", {}, `${about}: ${form}`),
    ]));
  };
}

/** A table of a game that has no name in the gallery, as an entry. */
const besides = ({ game, description, category, diagram }) => ({
  game, title: game, about: description, table: true, diagram, source: "this table",
  value: { win: "X wins", draw: "a draw", loss: "O wins" }[category],
});

function drawGame({ game, title, about, value, source, seconds, table, build, diagram }) {
  const name = table
    ? element("a", { href: formatQuery([["game", game]]) }, title)
    : element("span", {}, title);
  return element("li", { class: table ? "open" : "closed" },
    drawSmall(diagram),
    element("h3", {}, name),
    element("p", {}, `${capitalise(about)}.`),
    element("p", { class: "known" }, value ? `Best play: ${value} (${source}).` : "Nobody has published its value."),
    table ? null : element("p", { class: "build" }, "About ", `${seconds} s: `, element("code", {}, build)));
}

const capitalise = (text) => text.charAt(0).toUpperCase() + text.slice(1);
