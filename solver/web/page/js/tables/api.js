// Answer from the tables of a site what the page asks, in the JSON of the API, without a server.

import { Api, Refused } from "../api.js";
import { mainlineAnswer, positionAnswer, repliesAnswer } from "./answers.js";
import { readJson } from "./files.js";
import { opponentAnswer } from "./opponents.js";
import { puzzlesAnswer } from "./puzzles.js";
import { openTable } from "./table.js";

/** What is answered at each address below a game, from its table and the query. */
const ANSWERS = {
  "": (table, { position }) => positionAnswer(table, position),
  mainline: (table, { position }) => mainlineAnswer(table, position),
  replies: (table, { position }) => repliesAnswer(table, position),
  opponent: (table, { position, engine }) => opponentAnswer(table, position, engine),
  puzzles: (table, query) => puzzlesAnswer(table, query),
};

const NO_ANSWER = "Only a server answers this.";

export class TableApi extends Api {
  /** get: fetches a file of the site by its address, as `fetch` does. storage: the caches of the browser, or null. */
  constructor(get, storage = null) {
    super();
    Object.assign(this, { get, storage });
    this.opened = new Map(); // promises of what is read once: the index, and tables by their folder
  }

  /** A site draws no pictures. */
  picture() {
    return null;
  }

  async ask(path) {
    if (path === "games") return this.index();
    if (path === "gallery") return readJson(this.get, "gallery.json");
    const [route, search] = path.split("?");
    const [game, question = ""] = route.split("/");
    if (!Object.hasOwn(ANSWERS, question)) throw new Refused({ status: 404, code: "not_found", message: NO_ANSWER });
    const table = await this.table(game);
    return ANSWERS[question](table, Object.fromEntries(new URLSearchParams(search)), this);
  }

  /** The table of a game. Throws Refused. */
  async table(game) {
    const { folders } = await this.index();
    const name = Object.keys(folders).find((each) => plain(each) === plain(game));
    if (name) return this.once(folders[name], (folder) => openTable(`tables/${folder}/`, this.get, this.storage));
    const message = `This site has no table of ${game}; it has ${Object.keys(folders).join(", ")}.`;
    throw new Refused({ status: 404, code: "missing_table", message });
  }

  /** The games of the site, and the folder of each. */
  index() {
    return this.once("index", () => readJson(this.get, "tables/index.json"));
  }

  /** Do something once; what failed is done again the next time. */
  once(name, action) {
    if (!this.opened.has(name)) {
      const promise = action(name);
      promise.catch(() => this.opened.delete(name));
      this.opened.set(name, promise);
    }
    return this.opened.get(name);
  }
}

const plain = (game) => game.toLowerCase().replace(/\s+/g, "");
