// The search as a script of its own, which the page of a site loads when it first needs it.

import { openSearch } from "./search.js";

globalThis.openSearch = openSearch;
