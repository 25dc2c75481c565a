// The exported page: its record stands beside it.

import { byId } from "./elements.js";
import { beginViewer } from "./viewer.js";

beginViewer(JSON.parse(byId("record").textContent));
