// The first page: what this is, a table with two clicks, tables to join and to watch, records to look at.

import { serviceAs } from "../common/service.js";
import { language } from "../common/words.js";
import { byId } from "../table/elements.js";
import { drawPicture } from "./picture.js";
import { keptKey } from "./remembered.js";
import { beginRecord } from "./record.js";
import { beginSetup } from "./setup.js";
import { beginSitting } from "./sitting.js";
import { beginSystems } from "./systems.js";
import { beginTables } from "./tables.js";
import { beginYours } from "./yours.js";

for (const each of byId("languages").children) if (each.lang === language) each.setAttribute("aria-current", "true");

const api = serviceAs(keptKey());

drawPicture();
beginRecord();
beginSetup(api);
beginSitting();
beginTables();
beginYours();
beginSystems();
