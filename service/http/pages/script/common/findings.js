// What does not hold in a record, as people read it: in their language what it is about. What the verifier says of it, word
// for word, is English.

import { language, words } from "./words.js";

export const findingOf = ({ check, reason }) => (language === "en" ? reason : words[`check.${check}`] ?? reason);

// Whether the verifier's own words say more.
export const isTranslated = (finding) => findingOf(finding) !== finding.reason;
