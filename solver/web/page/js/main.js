// The page of a server, which answers its questions.

import { Api } from "./api.js";
import { openPage } from "./page.js";

openPage(new Api());
