// The page of a site without a server: its tables answer.

import "./theme.js";
import { openPage } from "./page.js";
import { TableApi } from "./tables/api.js";
import { fetchFile, readFromScript } from "./tables/files.js";
import { openCaches } from "./tables/kept.js";

const onDisk = location.protocol === "file:"; // where a page may load scripts, but fetch nothing

const api = onDisk ? new TableApi(readFromScript("files.js")) : new TableApi(fetchFile, openCaches());

// What works without a network is fetched when the page is there; where a browser does not allow it, nothing else is lost.
openPage(api).then(() => onDisk || navigator.serviceWorker?.register("worker.js").catch(() => {}));
