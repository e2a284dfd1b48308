// The page of a server.

import { Api } from "./api.js";
import { Live } from "./live.js";
import { openPage } from "./page.js";

const api = new Api();
api.live = new Live(api);
openPage(api);
