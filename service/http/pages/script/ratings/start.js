// Ratings: the board that the query names, or the player whom the address names.

import { beginLanguages, namedInAddress } from "../common/named.js";
import { language } from "../common/words.js";
import { beginSystems } from "../lobby/systems.js";
import { byId } from "../table/elements.js";
import { beginBoard } from "./board.js";
import { beginPlayer } from "./player.js";

beginLanguages(byId("languages"), language);
if (namedInAddress()) beginPlayer(namedInAddress());
else beginBoard();
beginSystems();
