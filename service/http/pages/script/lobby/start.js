// The first page: what this is, a table with two clicks, tables to join and to watch, records to look at.

import { beginLanguages } from "../common/named.js";
import { serviceAs } from "../common/service.js";
import { language } from "../common/words.js";
import { byId } from "../table/elements.js";
import { keptKey } from "./remembered.js";
import { beginRecord } from "./record.js";
import { beginSetup } from "./setup.js";
import { beginSitting, placeInLobby } from "./sitting.js";
import { beginSystems } from "./systems.js";
import { beginTables } from "./tables.js";
import { beginYours } from "./yours.js";

const api = serviceAs(keptKey());

beginLanguages(byId("languages"), language, placeInLobby);
beginRecord();
beginSetup(api);
beginSitting();
beginTables();
beginYours();
beginSystems();
