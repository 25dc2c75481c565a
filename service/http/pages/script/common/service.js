// The service of this page, as one token asks it, or as everybody does.

import { Fieldbook } from "../client/fieldbook.js";

const PATIENCE = 7_500; // milliseconds before somebody who waits is told that nothing answers

export const serviceAs = (token = "") => new Fieldbook("", token, { patience: PATIENCE });
