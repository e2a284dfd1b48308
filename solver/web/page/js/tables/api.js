// The API of a site without a server: it answers from tables, in the JSON of the server.

import { Api, Refused } from "../api.js";
import { isNameOf } from "../line.js";
import { mainlineAnswer, positionAnswer, repliesAnswer } from "./answers.js";
import { compareAnswer } from "./compare.js";
import { readJson } from "./files.js";
import { openingsAnswer } from "./openings.js";
import { opponentAnswer } from "./opponents.js";
import { puzzlesAnswer } from "./puzzles.js";
import { playedAnswer } from "./score.js";
import { startSearch } from "./searches.js";
import { openTable } from "./table.js";
import { whyAnswer } from "./why.js";

/** The function for each address below a game, given its table and the query. */
const ANSWERS = {
  "": (table, { position }) => positionAnswer(table, position),
  rules: async ({ game }, _, api) => (await api.index()).games.find((each) => each.game === game.name),
  mainline: (table, { position }) => mainlineAnswer(table, position),
  why: (table, { position, move }) => whyAnswer(table, position, move),
  replies: (table, { position }) => repliesAnswer(table, position),
  opponent: (table, { position, engine }) => opponentAnswer(table, position, engine),
  openings: (table, { position, depth }) => openingsAnswer(table, position, depth),
  puzzles: (table, query) => puzzlesAnswer(table, query),
  played: async (table, { moves, position }, api) => playedAnswer(table, moves, position, (await api.index()).aliases),
  compare: async ({ game }, { position }, api) => compareAnswer(await api.names(), (name) => api.table(name), game.name, position),
};

export class TableApi extends Api {
  /** get: fetches a file of the site by its address, as `fetch` does. storage: the caches of the browser, or null. */
  constructor(get, storage = null) {
    super();
    Object.assign(this, { get, storage });
    this.lost = "This part of the game has not been fetched yet; connect to the network once. "
      + "Nothing is lost: this page keeps the game and retries automatically.";
    this.address = null; // there is no server to ask
    this.opened = new Map(); // promises of the index, and of tables by their folder
  }

  async ask(path) {
    if (path === "games") return this.index();
    if (path === "gallery") return readJson(this.get, "gallery.json");
    const [route, search] = path.split("?");
    const [game, question = ""] = route.split("/").map(decodeURIComponent);
    const table = await this.table(game);
    return ANSWERS[question](table, Object.fromEntries(new URLSearchParams(search)), this);
  }

  /** The table of a game. Throws Refused. */
  async table(game) {
    const { folders, aliases = {} } = await this.index();
    const name = (await this.names()).find((each) => isNameOf(each, game, aliases));
    if (name) return this.once(folders[name], (folder) => openTable(`tables/${folder}/`, this.get, this.storage, startSearch));
    const message = `This site has no table of ${game}; choose one of its games.`;
    throw new Refused({ status: 404, code: "missing_table", message });
  }

  async names() {
    return (await this.index()).games.map(({ game }) => game);
  }

  /** The games of the site, and their folders. */
  index() {
    return this.once("index", () => readJson(this.get, "tables/index.json"));
  }

  /** Run a function once; after a failure, again the next time. */
  once(name, action) {
    if (!this.opened.has(name)) {
      const promise = action(name);
      promise.catch(() => this.opened.delete(name));
      this.opened.set(name, promise);
    }
    return this.opened.get(name);
  }
}
