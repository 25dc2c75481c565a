// Tournaments: the list of all of them, or the one that the address names.

import { beginLanguages, namedInAddress } from "../common/named.js";
import { language } from "../common/words.js";
import { beginSystems } from "../lobby/systems.js";
import { byId } from "../table/elements.js";
import { beginList } from "./list.js";
import { beginTournament } from "./tournament.js";

beginLanguages(byId("languages"), language);
if (namedInAddress()) beginTournament(namedInAddress());
else beginList();
beginSystems();
