// The page of a site without a server, which reads tables itself.

import "./theme.js";
import { byId } from "./dom.js";
import { openPage } from "./page.js";
import { TableApi } from "./tables/api.js";
import { fetchFile, readFromScript } from "./tables/files.js";
import { openCaches } from "./tables/kept.js";

const onDisk = location.protocol === "file:"; // where a page may load scripts but not fetch files

/** Say how much of a table has arrived. */
function showProgress(arrived, all) {
  byId("loading").textContent = all ? `Loading the values of this game: ${inMegabytes(arrived)} of ${inMegabytes(all)} MB` : "";
}

const inMegabytes = (bytes) => (bytes / 1e6).toFixed(1);
const fetchAndShow = (address, options) => fetchFile(address, options, showProgress);
const api = onDisk ? new TableApi(readFromScript("files.js")) : new TableApi(fetchAndShow, openCaches());

// The service worker, for offline use, starts after the page; browsers that refuse it lose nothing else.
openPage(api).then(() => onDisk || navigator.serviceWorker?.register("worker.js").catch(() => {}));
