// How somebody checks a tournament, or the deal of a round: from the log and the records, on a machine of their own.

import { say } from "../common/words.js";
import { element } from "../table/elements.js";

export function checkOf({ tournament, settings, hash, schedule }) {
  const log = `/v1/tournaments/${encodeURIComponent(tournament)}/log`;
  const secret = ["commitment_of_pairings", settings.commitment];
  return [
    element("p", { text: say("check_means") }),
    facts([secret, ["head_of_log", hash]]),
    element("p", {}, element("a", { href: log, download: `${tournament}.ndjson`, text: say("the_log") })),
    ...(schedule.length ? [commands([
      `mkdir ${tournament}`,
      `curl -s ${location.origin}${log} > ${tournament}/log.ndjson`,
      `for GAME in $(grep -o '"game":"[^"]*' ${tournament}/log.ndjson | cut -d'"' -f4); do`,
      `  curl -s ${location.origin}/v1/games/$GAME/record > ${tournament}/$GAME.ndjson`,
      "done",
      `fieldbook replay tournament ${tournament}/log.ndjson ${tournament}/*-r*.ndjson`,
    ])] : []),
  ];
}

// Once a duplicate round is closed: what shows that all tables had the deal that the service had committed itself to.
export function dealCheckOf({ seed, deal, secret, tables }) {
  const games = tables.map(({ game }) => game).filter(Boolean);
  const records = games.flatMap((game, place) => {
    const link = element("a", { href: recordOf(game), download: `${game}.ndjson`, text: say("table_named", { table: place + 1 }) });
    return place ? [", ", link] : [link];
  });
  return [element("details", {},
    element("summary", { text: say("check_deal") }),
    element("p", { text: say("check_deal_means") }),
    facts([["committed_to", deal], ["secret", secret], ["seed", seed]]),
    element("p", {}, `${say("records")}: `, ...records),
    commands([
      `for GAME in ${games.join(" ")}; do`,
      `  curl -s ${location.origin}/v1/games/$GAME/record > $GAME.ndjson`,
      "done",
      `fieldbook replay deals ${games.map((game) => `${game}.ndjson`).join(" ")}`,
    ]))];
}

const recordOf = (game) => `/v1/games/${encodeURIComponent(game)}/record`;

function facts(named) {
  return element("dl", {}, ...named.flatMap(([name, value]) =>
    [element("dt", { text: say(name) }), element("dd", { class: "hash", text: value })]));
}

const commands = (lines) => element("figure", { class: "commands" },
  element("figcaption", { text: say("on_your_machine") }), element("pre", {}, element("code", { text: lines.join("\n") })));
