// The page of a server.

import { Api } from "./api.js";
import { openPage } from "./page.js";

openPage(new Api());
