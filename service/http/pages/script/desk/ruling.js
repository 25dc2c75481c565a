// The form of a ruling: first what it would change, then the ruling itself, word for word the same.

import { sendingOnce } from "../common/once.js";
import { language, say, words } from "../common/words.js";
import { element } from "../table/elements.js";
import { countUpTo, last, layers, starts, tableAt } from "../table/record.js";
import { mayDropOthers } from "./leaving.js";
import { versionLink } from "./panel.js";
import { sendingFrom } from "./sending.js";
import { tellAfter } from "./told.js";

const KINDS = ["dismissed", "rewound", "annulled", "awarded", "replaced"];
const SCOPE = 200; // characters at most
const REASON = 2000;

export function rulingForm({ api, path, found, again, version }) {
  const kinds = KINDS.map((each) => element("option", { value: each, text: words[`ruling.${each}`] }));
  const kind = element("select", { required: true }, ...kinds);
  const scope = element("input", { maxlength: SCOPE, required: true, placeholder: say("scope_such_as") });
  const reason = element("textarea", { rows: 3, maxlength: REASON, required: true });
  const back = element("input", { inputmode: "numeric", maxlength: 6, size: 6, value: wholeUpTo(found.version - 1) });
  const after = element("p", { class: "quiet", role: "status" });
  const seats = seatRows();
  const seen = element("input", { type: "checkbox" });
  const seenLabel = element("label", { hidden: true }, seen, " ", say("seen_confirmed"));
  const foreseen = element("div", { class: "foreseen", role: "status" });
  const give = element("button", { type: "button", class: "main", hidden: true, text: say("give_ruling") });
  const use = element("button", { type: "button", text: say("use_this_version") });
  const form = element("form", { class: "act" },
    labelled("kind", kind), labelled("back_to", back, use), after, seats.box,
    labelled("scope", scope), labelled("reason_of_ruling", reason),
    foreseen, seenLabel, element("button", { text: say("preview") }), give);
  const deliver = sendingFrom(form);
  const once = sendingOnce();
  let looked; // the ruling that was looked at: that one is given, word for word, and no other

  const written = () => ({
    kind: kind.value, scope: scope.value, reason: reason.value,
    ...(kind.value === "rewound" ? { to_version: Number(back.value) } : {}),
    ...(["awarded", "replaced"].includes(kind.value) ? { winners: seats.winners() } : {}),
    ...(kind.value === "replaced" ? { scores: seats.scores() } : {}),
  });
  // What was seen has to be confirmed by whoever knows it: looking at it comes before.
  const confirmed = (ruling, is) => (ruling.kind === "rewound" ? { ...ruling, seen_confirmed: is } : ruling);
  const allow = () => { give.disabled = !seenLabel.hidden && !seen.checked; };
  const follow = () => {
    back.closest("p").hidden = after.hidden = kind.value !== "rewound";
    after.textContent = tellAfter(Number(back.value));
    seats.show({ winners: ["awarded", "replaced"].includes(kind.value), scores: kind.value === "replaced" });
  };
  const forget = () => {
    looked = undefined;
    give.hidden = seenLabel.hidden = true;
    seen.checked = false;
    foreseen.replaceChildren();
  };
  const offer = (ruling, preview) => {
    forget();
    if (JSON.stringify(written()) !== JSON.stringify(ruling)) {
      foreseen.replaceChildren(element("p", { text: say("changed_since") }));
      return;
    }
    looked = ruling;
    foreseen.replaceChildren(...describe(preview, ruling.to_version));
    seenLabel.hidden = !preview.seen.length;
    give.hidden = false;
    allow();
    (give.disabled ? seen : give).focus();
  };
  form.addEventListener("input", (event) => {
    follow();
    if (event.target === seen) allow();
    else forget();
  });
  use.addEventListener("click", () => {
    back.value = wholeUpTo(version());
    follow();
    forget();
  });
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const ruling = written();
    let preview;
    await deliver(async () => {
      preview = await api.send("POST", `${path}/previews`, confirmed(ruling, true), { text: language });
    });
    allow(); // where a form is sent its buttons rest until it was answered
    if (preview) offer(ruling, preview);
  });
  give.addEventListener("click", async () => {
    if (!looked || !mayDropOthers(form)) return;
    const ruling = confirmed(looked, seen.checked);
    await deliver(async () => {
      await once(api, "POST", `${path}/rulings`, ruling);
      await again();
    });
    allow();
  });
  follow();
  return element("details", { open: true }, element("summary", { text: say("act_ruling") }), form);
}

// The newest version up to one at which a whole command had been done that was more than talk, and somebody could act: the
// game goes on from no other, and not from none. The service alone knows what was taken back since.
function wholeUpTo(version) {
  const most = Math.min(version, last - 1);
  const wholes = starts.command.map((begins) => begins - 1).filter((whole) => whole <= most);
  return Math.max(1, wholes.findLast((whole) => changesTable(whole) && goesOn(whole)) ?? 1);
}

// Talk changes nothing that is drawn; nor do a few other commands, as an offer to end the game, which are passed over, too.
function changesTable(version) {
  return [...layers.values()].some(({ versions }) => versions[countUpTo(versions, version) - 1] === version);
}

// Not before the first turn, while the game rests, or when it is over.
function goesOn(version) {
  const table = tableAt(version, "open");
  return table.has("turn") && table.has("waiting");
}

function labelled(key, field, ...beside) {
  field.id = `ruling-${key}`;
  return element("p", {}, element("label", { class: "label", for: field.id, text: say(key) }), field, ...beside);
}

// A row for each seat: whether it has won, and its score.
function seatRows() {
  const table = tableAt(last, "open");
  const rows = [];
  // The score of now, where nobody has written another one: the game may have gone on since.
  const propose = (score, seat) => {
    if (score.value !== score.defaultValue) return;
    score.value = score.defaultValue = tableAt(last, "open").get(`${seat}.coins`) ?? 0;
  };
  for (let seat = 0; table.has(`${seat}.who`); seat += 1) {
    const who = table.get(`${seat}.who`);
    const won = element("input", { type: "checkbox", id: `ruling-winner-${seat}` });
    const score = element("input", {
      id: `ruling-score-${seat}`, "aria-label": `${say("score")}: ${who}`,
      inputmode: "numeric", size: 4, maxlength: 4, value: table.get(`${seat}.coins`) ?? 0,
    });
    const row = element("p", {}, element("label", {}, won, " ", element("bdi", { text: who })), " ", score);
    rows.push({ won, score, row });
  }
  const box = element("fieldset", {}, element("legend", { text: say("winners") }), ...rows.map(({ row }) => row));
  return {
    box,
    winners: () => rows.flatMap(({ won }, seat) => (won.checked ? [seat] : [])),
    scores: () => rows.map(({ score }) => Number(score.value)),
    show({ winners, scores }) {
      box.hidden = !winners;
      for (const [seat, { score }] of rows.entries()) {
        if (scores && score.hidden) propose(score, seat);
        score.hidden = !scores;
      }
    },
  };
}

// What a ruling would change, what has been seen that nobody can forget, and the way to the table that would be again.
function describe({ effects, seen }, version) {
  const told = effects.map((effect) => element("li", { text: effect }));
  if (version) told[0].append(" ", versionLink(version));
  const who = (seat) => (seat === null ? "–" : tableAt(last, "open").get(`${seat}.who`) ?? seat);
  for (const { what, cards, seat } of seen) {
    told.push(element("li", { class: "warns", text: say("was_seen", { what: say(`seen_${what}`), count: cards, who: who(seat) }) }));
  }
  return [element("p", { class: "label", text: say("would") }), element("ul", {}, ...told)];
}
