/**
 * A second verifier of game records, from docs/record-format.md: no code of the first, the same in a page and in Node. It
 * knows the format and what lies open, not the rules. A record is hostile: bounded, never followed; each fault is a finding.
 */
const LONGEST_LINE = 1_000_000, LARGEST_RECORD = 268_435_456, MOST_ATTACHED = 10_000_000, MOST_ENTRIES = 1_000_000;
const DEEPEST_LINE = 8, DEEPEST_ENTRY = 6, REACH = 10_000, LONGEST_TEXT = 2_000, MOST_MEMBERS = 1_000, LARGEST_DECK = 1_000;
const MOST_HELD_UP = 101, LONGEST_NOTE = 100_000, LONGEST_TIME = 31_622_400, SHORTEST_CLOSE = 60, MOST_FORCED = 100, OPEN_OFFERS = 8;
const MOST_ANNOTATED = 10_000_000, MOST_SIGNATURES = 32, KINDS = ["key", "head", "inclusion", "consistency"];
const HEX_32_BYTES = /^[0-9a-f]{64}$/, HEX_16_BYTES = /^[0-9a-f]{32}$/, MEMBER = /^[ -/:-~][ -~]{0,63}$/;
const SCOPE = /^(all|public|seat:(0|[1-9][0-9]?))$/, ACTOR = /^(host|dealer|arbiter|clock|seat:(0|[1-9][0-9]?))$/;
const HEAD = `game ([\\w-]{1,64})\nversion ([1-9][0-9]{0,14})\nhash ([0-9a-f]{64})\nstatus (open|running|finished)\n`;
const NUMBER = "(0|[1-9][0-9]{0,14})", HASHES = "((?:[^\n]+\n)*)";
/** What is taken out of the deck of each rule system, for each number of players. */
const THREE_TO_FIVE = { 3: "", 4: "", 5: "" }, REMOVED = {
  extended: { 3: "cocoa", 4: "coffee", 5: "coffee", 6: "cocoa garden", 7: "cocoa garden" }, "bean-duel": { 2: "cocoa garden" },
  "the-duel": { 2: "" }, classic: THREE_TO_FIVE, ladybohn: THREE_TO_FIVE, "ladybohn-expansion": THREE_TO_FIVE,
};
/** The phases of each rule system, each with the commands that belong to it; others can come at any time. */
const TURN = "plant:plant,reveal reveal:reveal trade:offer,counter,accept,decline,withdraw,ready,end_trading plant_aside:plant_aside "
  + "draw:draw", PHASES = {
  classic: TURN, extended: TURN, ladybohn: TURN, "ladybohn-expansion": `${TURN} fans:choose_fan levy:levy`,
  "bean-duel": "offered:plant_revealed,discard_revealed plant:plant,discard,reveal discard:discard,reveal reveal:reveal "
    + "plant_revealed:plant_revealed,draw",
  "the-duel": "plant:plant,reveal reveal:reveal offer_gift:offer_gift answer_gift:accept_gift,counter_gift "
    + "give:give_revealed,give_from_hand plant_aside:plant_revealed,discard_revealed,plant_aside draw:draw bonus:discard_bonus,keep_bonus",
};
const STATUSES = { game_created: "open", game_started: "running", game_ended: "ended", secret_revealed: "finished" };
/** Types and their members: ? may be left out, @ is private, and then whose: of the seat in that member, the actor's or nobody's. */
const tableOf = (text) => new Map(text.trim().split(/\s+/).map((row) => row.split(/[:,]/)).map(
  ([type, ...members]) => [type, members.map((member) => member.match(/(\w+)(\??)(?:@(\w*))?/).slice(1))]));
const AGREED_ON = "catalogue,commitment,people_patience?,program_patience?,committed_at?,clock?,close_after?,dealing?";
const EVENTS = tableOf(`game_created:game,system,system_version,engine_version,players,options,${AGREED_ON}
  seat_taken:seat,name,kind,bot?,bot_seed?@,seed?,program?,program_version?,player? game_started:fields
  dealer_called:task,pile?,purpose?,seat?,count? starting_seat_chosen:seat pile_shuffled:pile,number,order@ hand_dealt:seat,cards@seat
  pile_exhausted:pile,times game_ended:scores,winners,reason,unit? secret_revealed:secret turn_began:seat,turn phase_began:phase
  bean_planted:seat,field,card cards_revealed:seat,cards aside_planted:seat,number,field,card
  field_harvested:seat,field,cards,coins,final? third_field_bought:seat,paid,boxed? cards_drawn:seat,cards@seat talked:seat,text
  offer_made:offer,seat,to,hand?@seat,hand_cards?,revealed?,want?,want_revealed?,counters?,spare?,want_spared?
  offer_declined:offer,seat,closed offer_withdrawn:offer,seat offer_lapsed:offer
  trade_made:offer,active,partner,active_cards,partner_cards,active_hand?@active,active_revealed?,partner_hand?@partner
  readiness_declared:seat readiness_withdrawn:seat trading_ended:seat,kept discards_joined:seat,cards
  revealed_planted:seat,number,field,card revealed_discarded:seat,number,card hand_card_discarded:seat,number@seat,card
  coins_dealt:seat,cards@ bonus_drawn:seat,cards@seat gift_offered:seat,variety gift_accepted:seat,variety
  gift_given:seat,to,card,revealed?,hand?@seat bluff_paid:seat,to bonus_claimed:seat,bonus,owner,field,final? bonus_discarded:seat,bonus
  bonus_kept:seat fan_laid_out:fan,cards hand_swapped:seat,fan,hand,cards revealed_put_on_fan:seat,number,fan,card
  fan_overflowed:seat,fan,cards field_rotated:seat,field,card third_field_won:seat quota_field_taken:seat levy_earned:seat
  levy_promised:seat,to coins_levied:seat,payers?,coins?,spared?,final? miss_moved:seat,field,miss,places,owed?
  miss_move_opened:seat,field miss_moves_lapsed:seat,field field_barred:seat,field
  field_paid_from_piles:seat,field,cards,from_discard_pile?,from_draw_pile?@,from_field?,final? coins_shown:seat,places,cards
  game_paused:case,reason game_resumed:case ruling_made:case,kind,arbiter,scope,reason
  game_rewound:to_version,shuffles,case?,redeal?,bonus_shuffles?,paused_by?,away?,bots?,returns?
  take_back_asked:seat,to_version,agreed,seen_confirmed? take_back_agreed:seat take_back_declined:seat seat_resigned:seat
  seat_taken_over:seat,bot,reason seat_returned:seat end_offered:seat,kind,agreed end_accepted:seat end_declined:seat game_closed:reason
  time_expired:seat,deadline,offer?,strikes? time_credited:since,until,reason`);
const COMMANDS = tableOf(`plant:field,miss?,places? reveal offer:to?,hand?@actor,revealed?,want?,want_revealed?,spare?,want_spared?
  counter:offer,hand?@actor,revealed?,want?,want_revealed?,spare?,want_spared? accept:offer,hand?@actor,revealed? decline:offer
  withdraw:offer ready end_trading plant_aside:card,field,miss?,places? draw harvest:field,rotate?,reward? buy_field say:text
  plant_revealed:card,field discard_revealed:card discard:card@actor offer_gift:variety counter_gift:variety accept_gift
  give_revealed:card give_from_hand:card@actor claim_bonus:bonus,owner,field discard_bonus:bonus keep_bonus swap_hand:fan choose_fan:fan
  levy:seats? move_miss:field,miss,places ask_take_back:to_version,seen_confirmed? agree_take_back decline_take_back resign come_back
  offer_end:kind accept_end decline_end shuffle:pile,order@ choose_starting_seat:seat reveal_secret:secret
  create_game:game,system,players,options,${AGREED_ON}
  take_seat:seat,name,kind,bot?,bot_seed?@,seed?,program?,program_version?,player? close_game:reason pause_game:case,reason
  resume_game:case rule_game:case,kind,arbiter,scope,reason,to_version?,seen_confirmed?,winners?,scores? expire_time:seat,deadline,offer?
  credit_time:since,until,reason`);
/** Each command with what its first event can be and the members that both have, after = as the event names them; + is what
 *  can come later, ~ what can happen to others. */
const MISS = "field,miss,places", MADE = "hand,revealed,want,want_revealed,spare,want_spared";
const SETTINGS = "committed_at,clock,close_after,dealing";
const SAID = new Map(`plant bean_planted:field +miss_moved:${MISS} +field_barred:field;
  plant_aside aside_planted:card=number,field +miss_moved:${MISS};
  plant_revealed revealed_planted:card=number,field; discard hand_card_discarded:card=number; move_miss miss_moved:${MISS};
  discard_revealed revealed_discarded:card=number; harvest field_harvested:field field_paid_from_piles:field +field_rotated:rotate=field;
  buy_field third_field_bought coins_shown; reveal cards_revealed dealer_called; draw cards_drawn dealer_called ~phase_began ~turn_began
  ~miss_moves_lapsed ~coins_levied ~field_harvested ~field_paid_from_piles ~coins_shown ~game_ended; say talked:text;
  offer offer_made:to,${MADE}; counter offer_made:offer=counters,${MADE} offer_declined:offer +offer_made:offer=counters,${MADE};
  accept trade_made:offer,hand=partner_hand trade_made/active:offer,hand=active_hand,revealed=active_revealed;
  decline offer_declined:offer; withdraw offer_withdrawn:offer; ready readiness_declared; end_trading trading_ended offer_lapsed;
  offer_gift gift_offered:variety; counter_gift gift_offered:variety; accept_gift gift_accepted; give_revealed gift_given:card=revealed;
  give_from_hand gift_given:card=hand; claim_bonus bonus_claimed:bonus,owner,field; discard_bonus bonus_discarded:bonus;
  keep_bonus bonus_kept; swap_hand hand_swapped:fan; choose_fan revealed_put_on_fan:fan; levy coins_levied:seats=payers;
  create_game game_created:game,system,players,options,catalogue,commitment,people_patience,program_patience,${SETTINGS};
  expire_time time_expired:seat,deadline,offer +offer_declined:seat,offer +take_back_declined:seat;
  credit_time time_credited:since,until,reason;
  take_seat seat_taken:seat,name,kind,bot,bot_seed,seed,program,program_version,player; choose_starting_seat starting_seat_chosen:seat;
  shuffle pile_shuffled:pile; reveal_secret secret_revealed:secret; pause_game game_paused:case,reason; resume_game game_resumed:case;
  rule_game ruling_made:case,kind,arbiter,scope,reason +game_rewound:to_version,case +game_ended:kind=reason,winners,scores;
  ask_take_back take_back_asked:to_version,seen_confirmed +game_rewound:to_version; agree_take_back take_back_agreed;
  decline_take_back take_back_declined;
  resign seat_resigned +seat_taken_over +end_accepted; come_back seat_returned; offer_end end_offered:kind +game_ended:kind=reason;
  accept_end end_accepted; decline_end end_declined; close_game game_closed:reason +game_ended:reason`
  .split(";").map((row) => row.trim().split(/\s+/))
  .map(([command, ...events]) => [command, new Map(events.map((event) => event.split(":")))]));
/** What sells or counts at the end too, what can come once something final has, and whether no field grows anything. */
const SOLD = ["field_harvested", "field_paid_from_piles", "bonus_claimed"];
const LAST = [...SOLD, "field_rotated", "levy_earned", "coins_levied", "coins_shown", "game_ended"];
const isEmpty = ({ fields }) => fields.flat().every((field) => !field.length);
/** Members of commands that name cards or seats in any order. */
const ANY_ORDER = ["hand", "revealed", "want_revealed", "seats"];
const TAKING = tableOf("hand_dealt:draw cards_drawn:draw cards_revealed:draw fan_laid_out:draw coins_dealt:draw bonus_drawn:bonus");
/** Ends that no rule brings about: by rulings, by agreement, because all have left, and by the host, with the game's status. */
const RULED = ["annulled", "awarded", "replaced"], RULINGS = [...RULED, "dismissed", "rewound"];
const AGREED = ["drawn", "called_off"], MOST_RETURNS = 3, HIGHEST_SCORE = 1_000_000, STAND_IN = "greedy";
const HELD_UP = /^(talked|(game|time|take_back)_.*|ruling_made|dealer_called|pile_shuffled|seat_taken_over|end_accepted)$/;
const CLOSED = { never_begun: "open", untouched: "running" }, EARLY = [...AGREED, "abandoned", ...Object.keys(CLOSED)];
/** One thing that does not hold; at the entry being read, where no version is given. */
const fail = (check, reason, version) => { throw Object.assign(new Error(reason), { check, version }); };
const demand = (holds, ...finding) => holds || fail(...finding);
// --- What the record format computes ---
const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }), bytesOf = (text) => new TextEncoder().encode(text);
const toHex = (bytes) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
const fromHex = (text) => Uint8Array.from(text.match(/../g) ?? [], (pair) => parseInt(pair, 16));
const equal = (one, other) => toHex(one) === toHex(other);
const joined = (one, two = [], three = [], all = new Uint8Array(one.length + two.length + three.length)) =>
  (all.set(one), all.set(two, one.length), all.set(three, one.length + two.length), all);
export const sha256 = async (...parts) => new Uint8Array(await crypto.subtle.digest("SHA-256", joined(...parts)));
export async function hmac(key, ...parts) {
  key.imported ??= await crypto.subtle.importKey("raw", key, { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
  return new Uint8Array(await crypto.subtle.sign("HMAC", key.imported, joined(...parts)));
}
/** Canonical JSON (RFC 8785) of a value whose numbers are integers of 53 bits. */
export function canonical(value) {
  if (Array.isArray(value)) return `[${value.map(canonical)}]`;
  if (value === null || typeof value !== "object") return JSON.stringify(value);
  return `{${Object.keys(value).sort().map((name) => `${JSON.stringify(name)}:${canonical(value[name])}`)}}`;
}
/** The commitment to a value under its salt, and the chain hash of a public form after the one before it. */
export const hashAfter = async (before, value) => toHex(await sha256(fromHex(before), bytesOf(canonical(value))));
export const saltKey = (secret, bound) => hmac(fromHex(secret), bytesOf(bound ? canonical(bound) : "salt"));
export const salt = async (key, version, path) => toHex((await hmac(key, bytesOf(`${version}/${path}`))).subarray(0, 16));
export const shuffleKey = (secret, bound) => hmac(fromHex(secret), bytesOf(canonical(bound)));
export async function* numbers(key, purpose) {
  for (let i = 0; ; i++) {
    const block = await hmac(key, bytesOf(`${purpose}\0`), fromHex(i.toString(16).padStart(16, "0")));
    for (let place = 0; place < 32; place += 4) yield new DataView(block.buffer).getUint32(place);
  }
}
export async function below(stream, count) {
  const { value } = await stream.next();
  return value < 2 ** 32 - (2 ** 32 % count) ? value % count : below(stream, count);
}
export async function shuffled(key, purpose, cards) {
  const order = [...cards], stream = numbers(key, purpose);
  for (let last = order.length - 1; last > 0; last--) {
    const other = await below(stream, last + 1);
    [order[last], order[other]] = [order[other], order[last]];
  }
  return order;
}
/** The cards by the value of each, which how they lay before does not change: by this the tables of a round are dealt. */
export async function shuffledAlike(key, purpose, cards) {
  const counts = new Map(), next = (card) => counts.set(card, (counts.get(card) ?? 0) + 1).get(card);
  const valued = async (card, message = canonical([purpose, card, next(card)])) => [toHex(await hmac(key, bytesOf(message))), card];
  return (await Promise.all(cards.map((card) => valued(card)))).sort().map(([, card]) => card);
}
// --- Signed notes and proofs ---
const matched = (form, text, check, what) => (new RegExp(`^${form}$`).exec(text) ?? fail(check, `this is no ${what}`)).slice(1);
function decoded(text, check, length) {
  let letters = "";
  try { letters = atob(text); } catch { /* no bytes */ }
  const fits = length ? letters.length === length : letters.length > 4; // others' signatures are as long as they like
  demand(btoa(letters) === text && fits, check, `these are not ${length ?? "5 or more"} bytes in canonical base 64`);
  return Uint8Array.from(letters, (letter) => letter.charCodeAt(0));
}
export async function parseKey(text) {
  const [name, id, encoded] = matched("([^\\s+]+)\\+([0-9a-f]{8})\\+(.+)", text, "signature", "published key");
  const key = decoded(encoded, "signature", 33), wanted = toHex(await sha256(bytesOf(`${name}\n`), key)).slice(0, 8);
  demand(key[0] === 1 && id === wanted, "signature", "this is no Ed25519 key under its own id");
  return { text, name, id, bytes: key.subarray(1) };
}
export function parseNote(note, check = "signature") {
  demand(note.length <= LONGEST_NOTE && !/[\x00-\x09\x0b-\x1f]/.test(note), check, "this is no note");
  const [text, lines] = matched(`([^]+\n)\n((?:— [^\\s+]+ \\S+\n){1,${MOST_SIGNATURES}})`, note, check, "signed note");
  const signatures = lines.slice(0, -1).split("\n").map((line) => line.split(" "));
  return { text, signatures: signatures.map(([, name, encoded]) => [name, decoded(encoded, check)]) };
}
const ROTATED = "; the service has another key under this name: where it was rotated, download /v1/signing-keys of the service and "
  + "give the file as --signing-keys";
const ALONE = "--signing-keys names keys that follow from one you trust: name that with --key";
const signatureOf = (note, { name, id }) => note.signatures.find(([named, bytes]) => named === name && toHex(bytes.subarray(0, 4)) === id);
const isNamed = (note, key) => signatureOf(note, key) !== undefined;
/** The first of the keys that signed the note; a signature under the name of any of them must be its own. */
export async function signerOf(note, keys, check = "signature") {
  const signers = [], cannot = (error) => fail(check, `the signature cannot be checked here (${error.name})`);
  for (const key of keys) {
    const signature = signatureOf(note, key);
    if (!signature) continue;
    const signed = [signature[1].subarray(4), bytesOf(note.text)];
    const genuine = await crypto.subtle.importKey("raw", key.bytes, "Ed25519", false, ["verify"])
      .then((imported) => crypto.subtle.verify("Ed25519", imported, ...signed)).catch(cannot);
    signers.push(demand(genuine, check, `the signature is not that of ${key.name}+${key.id} on this text`) && key);
  }
  const isRotated = note.signatures.some(([name]) => keys.some((key) => key.name === name));
  return signers[0] ?? fail(check, `this is signed by none of the keys given${isRotated ? ROTATED : ""}`);
}
export function parseCheckpoint(note) {
  const [origin, size, root] = matched(`([^\n]+)\n${NUMBER}\n([^\n]+)\n${HASHES}`, note.text, "log", "checkpoint");
  return { note, origin, size: Number(size), root: decoded(root, "log", 32) };
}
const hashesIn = (lines) => lines.split("\n").slice(0, -1).map((line) => decoded(line, "log", 32));
const node = (left, right) => sha256([1], left, right), taken = (hashes) => hashes.shift() ?? fail("log", "hashes are missing");
const leftOf = (size, left = 1) => (left * 2 < size ? leftOf(size, left * 2) : left);
/** Check that a leaf stands where the proof says (RFC 6962, section 2.1.1); returns the place and the checkpoint. */
export async function checkInclusion(proof, leaf) {
  const form = `c2sp\\.org/tlog-proof@v1\nindex ${NUMBER}\n${HASHES}\n([^]*)`;
  const [at, lines, note] = matched(form, proof, "log", "proof of inclusion"), rest = hashesIn(lines), index = Number(at);
  const checkpoint = parseCheckpoint(parseNote(note, "log")), { size, root } = checkpoint;
  const rootOf = async (place, count) => {
    if (count === 1) return sha256([0], bytesOf(leaf));
    const left = leftOf(count), inner = await rootOf(place % left, place < left ? left : count - left);
    return place < left ? node(inner, taken(rest)) : node(taken(rest), inner);
  };
  const holds = index < size && equal(await rootOf(index, size), root) && rest.length === 0;
  return demand(holds, "log", "the proof does not lead from this head to the checkpoint") && { index, checkpoint };
}
/** Check that one log begins with the other (RFC 6962, section 2.1.2), where the proof is about their sizes. */
export async function checkConsistency(proof, older, newer) {
  const form = `fieldbook consistency proof v1\nfrom ${NUMBER}\nto ${NUMBER}\n${HASHES}`;
  const [from, to, lines] = matched(form, proof, "log", "proof of consistency"), rest = hashesIn(lines);
  if (Number(from) !== older?.size || Number(to) !== newer.size) return false;
  const rootsOf = async (small, large, whole) => {
    if (small === large) return whole ? [older.root, older.root] : Array(2).fill(taken(rest));
    const left = leftOf(large), inLeft = small <= left;
    const [before, after] = await (inLeft ? rootsOf(small, left, whole) : rootsOf(small - left, large - left, false)), next = taken(rest);
    return inLeft ? [before, await node(after, next)] : [await node(next, before), await node(next, after)];
  };
  const [before, after] = older.size ? await rootsOf(older.size, newer.size, true) : [await sha256([]), newer.root];
  const grew = rest.length === 0 && equal(before, older.root) && equal(after, newer.root);
  return demand(grew, "log", "the proof does not lead from the older checkpoint to the newer");
}
// --- Reading lines ---
async function* linesOf(source) {
  let rest = [], total = 0, start, end;
  for await (const chunk of source) {
    const bytes = typeof chunk === "string" ? bytesOf(chunk) : chunk;
    demand((total += bytes.length) <= LARGEST_RECORD, "record", `a record has at most ${LARGEST_RECORD} bytes`);
    for (start = 0; (end = bytes.indexOf(10, start) + 1); start = end, rest = []) yield joined(rest, bytes.subarray(start, end));
    rest = joined(rest, bytes.subarray(start));
    demand(rest.length <= LONGEST_LINE, "record", `a line has at most ${LONGEST_LINE} bytes`);
  }
  if (rest.length) yield rest;
}
const isObject = (value) => value !== null && typeof value === "object" && !Array.isArray(value);
/** Demand integers of 53 bits, whole characters, few levels; in an entry also short texts, few members, plain names. */
function checkPlain(value, levels, check) {
  const inEntry = check === "shape", kind = typeof value, names = value && kind === "object" ? Object.keys(value) : [];
  const long = inEntry && value?.length > LONGEST_TEXT && [...value].length > LONGEST_TEXT;
  const plain = names.length <= MOST_MEMBERS && (Array.isArray(value) || names.every((name) => MEMBER.test(name)));
  demand(kind !== "number" || Number.isSafeInteger(value), check, "a number is no integer of 53 bits");
  demand(kind !== "string" || !(long || /\p{Surrogate}/u.test(value)), check, "a text is too long, or has half a character");
  demand((levels || kind !== "object") && (plain || !inEntry), check, "this is too deep, or has impossible members");
  for (const name of names) checkPlain(value[name], levels - 1, check);
}
const isHeader = (bytes) => { try { return Number.isInteger(JSON.parse(decoder.decode(bytes)).record); } catch { return false; } };
function parsed(bytes) {
  let text, value;
  try { value = JSON.parse((text = decoder.decode(bytes))); } catch { /* no object */ }
  demand(bytes.length <= LONGEST_LINE && isObject(value), "record", "this line is no JSON object in UTF-8, or too long");
  checkPlain(value.entry ?? value, value.entry ? DEEPEST_ENTRY : DEEPEST_LINE, value.entry ? "shape" : "record");
  demand(`${JSON.stringify(value)}\n` === text, "record", "this line is not written in the one way there is");
  return value;
}
/** Demand exactly these members in this order, and of the others those that are there. */
function checkMembers(value, check, names, others = []) {
  const wanted = [...names, ...others.filter((name) => isObject(value) && Object.hasOwn(value, name))];
  demand(isObject(value) && Object.keys(value).join("\0") === wanted.join("\0"), check, `here must stand ${wanted.join(", ")}`);
}
/** Demand the members of an event or command of its type, and no others. */
function checkTyped(value, members) {
  const there = members.every(([name, isOptional]) => isOptional || Object.hasOwn(value, name)), names = members.map(([name]) => name);
  demand(there && Object.keys(value).every((name) => names.includes(name)), "fold", "this type has other members");
}
// --- One record ---
/** What belongs to each version that a game can go back to, the last REACH of them; what it goes back over is forgotten. */
class Course {
  stops = [];
  keep(version, kept) { if (this.stops.push([version, kept]) > REACH) this.stops.shift(); }
  back(to) { while (this.stops.at(-1)?.[0] > to) this.stops.pop(); return this.at(to); }
  at(to) {
    const stop = this.stops.findLast(([version]) => version === to);
    return demand(stop, "fold", "the game cannot go back to this version") && stop[1];
  }
}
// --- The clock ---
/** The clock of one game, as the format's section Time has it: what runs for whom, what is over, and what has to follow. */
export class Clock {
  turn = 0; phase = ""; active = 0; waits = []; answers = [];
  creditedUntil = 0; owed = ""; forcing = null; expired = 0; forced = 0; credits = 0; credited = 0;
  constructor({ clock, close_after: close = SHORTEST_CLOSE, players }) {
    const settings = { grace: 2, strikes: 3, bot: "greedy", ...clock }, { bank, increment, cap, answer, grace, strikes, bot } = settings;
    const plain = Object.keys(settings).length === 7 && [bank, increment, cap, answer, grace, strikes].every(Number.isInteger);
    demand(plain && typeof bot === "string", "fold", "this is no clock");
    const within = (value, least, most = LONGEST_TIME) => value >= least && value <= most;
    const times = within(bank, 0) && within(increment, 0) && within(answer, 3) && within(cap, Math.max(bank, answer), 10 * LONGEST_TIME);
    const others = within(grace, 0, 300) && within(strikes, 1, 100) && within(close, SHORTEST_CLOSE);
    demand(times && others, "clock", "no game can be played by this clock");
    Object.assign(this, { answer: answer * 1000, cap: cap * 1000, increment: increment * 1000, grace: grace * 1000 });
    Object.assign(this, { settings, banks: Array(players).fill(bank * 1000) });
  }
  /** Check what an entry says of time, or does in it; `before` and `after` are the table around it. */
  follow({ at, actor, type, data, command }, before, after) {
    const isTime = type === "time_expired" || type === "time_credited";
    demand(!this.owed || (!command && type === this.owed), "clock", `the time that was over also brought about ${this.owed}`);
    demand(command || !isTime, "clock", "no command of the clock brought this about");
    const declined = before.asked ? "take_back_declined" : "", isAnswer = Number.isInteger(data.offer);
    this.owed = type !== "time_expired" ? "" : isAnswer ? "offer_declined" : declined;
    if (command && !(before.due && actor === "dealer")) this.check(at, actor, command, before);
    if (type === "time_expired") {
      const { seat, strikes = 0 } = data, moves = !isAnswer && !before.asked;
      const wanted = moves ? before.strikes[seat] + (before.struck[seat] !== before.turn ? 1 : 0) : 0;
      demand(strikes === wanted, "clock", "the seat has another number of strikes then");
      this.expired++;
    }
    this.moveOn(at, type, data, after);
  }
  check(at, actor, command, before) {
    const seat = actor.startsWith("seat:") ? Number(actor.slice(5)) : null, { forcing } = this, { type, offer = null } = command;
    if (this.isForcing(before)) {
      demand(seat === forcing.seat && at === forcing.at, "clock", "a move is missing for a seat whose time was over");
      return void (forcing.left--, this.forced++);
    }
    this.forcing = null;
    demand((actor === "clock") === (type === "expire_time" || type === "credit_time"), "clock", "the clock records time, and nothing else");
    if (type === "expire_time") {
      const wait = this.waits.find((each) => each.seat === command.seat && each.offer === offer);
      demand(wait && wait.deadline === command.deadline, "clock", "no time of this seat is over then");
      demand(at >= wait.deadline + this.grace, "clock", "with the grace, this time is not over yet");
      const { turn, phase } = before;
      if (offer === null && !before.asked) this.forcing = { seat: command.seat, at, turn, phase, left: MOST_FORCED };
    } else if (type === "credit_time") {
      const { since, until, reason } = command, known = reason === "outage" || reason === "maintenance";
      demand(known && [since, until].every(Number.isInteger) && since >= 0 && since < until, "clock", "no such time is given back");
      demand(until <= at && since >= this.creditedUntil, "clock", "this time is yet to come, or was given back before");
      Object.assign(this, { credits: this.credits + 1, credited: this.credited + until - since });
    } else if (type !== "say") {
      const isOver = (wait) => wait.seat === seat && at >= wait.deadline + this.grace;
      demand(!this.waits.some(isOver), "clock", "the seat's time for this was over, and that is not recorded");
    }
  }
  /** Whether another move has to be made now for a seat whose time was over. */
  isForcing({ heldUp, turn, phase, waiting }, forcing = this.forcing) {
    return forcing?.left > 0 && !heldUp && turn === forcing.turn && phase === forcing.phase && waiting.includes(forcing.seat);
  }
  moveOn(at, type, data, table) {
    const fill = (seat, least) => { this.banks[seat] = Math.max(this.banks[seat], least); };
    if (type === "time_credited") {
      for (const wait of this.waits) wait.deadline += Math.max(0, data.until - Math.max(data.since, wait.since, this.creditedUntil));
      this.creditedUntil = Math.max(this.creditedUntil, data.until);
    } else if (type === "time_expired" && !Number.isInteger(data.offer) && !table.asked) {
      this.keep(at, (wait) => wait.seat !== data.seat);
      this.answers[data.seat] = this.answer;
      fill(data.seat, this.answer);
    } else if (type === "game_rewound") {
      this.keep(at, () => false);
      this.phase = "";
    }
    if (table.due) return;
    if (table.turn !== this.turn) {
      this.keep(at, () => false);
      if (this.turn && table.turn === this.turn + 1) fill(this.active, Math.min(this.cap, this.banks[this.active] + this.increment));
      fill(table.active, this.answer);
      Object.assign(this, { turn: table.turn, phase: "", active: table.active });
    }
    if (table.phase !== this.phase) {
      this.keep(at, ({ isBank }) => isBank);
      Object.assign(this, { phase: table.phase, answers: this.banks.map(() => this.answer) });
    }
    const same = (one) => (other) => ["seat", "offer", "isBank"].every((name) => one[name] === other[name]);
    const answers = table.answers.filter(({ seat }) => this.answers[seat] > 0), awaited = answers.length ? answers : table.moves;
    this.keep(at, (wait) => awaited.some(same(wait)));
    const begun = awaited.filter((each) => !this.waits.some(same(each)));
    this.waits.push(...begun.map((each) => ({ ...this.span(at, each), ...each })));
  }
  /** The time of a new wait; another offer shares the answer time of the seat that runs already. */
  span(at, { seat, isBank }) {
    const running = this.waits.find((each) => each.seat === seat), left = (isBank ? this.banks : this.answers)[seat];
    return running ?? { since: at, deadline: at + left };
  }
  /** End the waits that do not go on, and note what is left of their time. */
  keep(at, goesOn) {
    const kept = this.waits.filter(goesOn);
    for (const { seat, isBank, deadline } of this.waits.filter((each) => !goesOn(each))) {
      if (isBank) this.banks[seat] = deadline - at;
      else if (!kept.some((each) => each.seat === seat)) this.answers[seat] = deadline - at;
    }
    this.waits = kept;
  }
  report({ settings, expired, forced, credits, credited } = this) { return { settings, expired, forced, credits, credited }; }
}
// --- What lies open ---
/** What a table begins with: how many cards are revealed and drawn, and whether all draw; its fields, coins for a third one and
 *  whether they leave the game, third fields that there are, how often the draw pile runs out, and whom a tie favours; and what is
 *  otherwise in some games. */
const STANDARD = { reveal: 2, draw: 3, allDraw: false, fields: 2, price: 3, boxed: false, thirds: Infinity, exhaustions: 3, tie: "",
  unit: "coins", fans: [], fromPiles: "", wantsCards: false };
const DIFFERING = {
  extended: (players) => ({ ...(players > 5 ? { price: 2, draw: 4 } : players === 3 ? { fields: 3, price: 0, exhaustions: 2 } : {}),
    tie: "hand" }),
  "bean-duel": () => ({ reveal: 3, draw: 2, boxed: true, exhaustions: 1, tie: "hand" }),
  "the-duel": () => ({ reveal: 3, draw: 2, fields: 3, price: 0, exhaustions: 1, tie: "start", unit: "cents" }),
  ladybohn: () => ({ thirds: 2, tie: "hand", fromPiles: "garden_female" }),
  "ladybohn-expansion": () => ({ draw: 1, allDraw: true, fans: [6, 4], wantsCards: true }),
};
const MOVING = new Set(`bean_planted hand_card_discarded cards_revealed trade_made gift_given coins_shown third_field_bought hand_swapped
  fan_laid_out coins_dealt field_paid_from_piles cards_drawn hand_dealt`.split(/\s+/));
const PLAYED_OUT = ["exhausted_before_drawing", "exhausted_while_drawing", "exhausted_in_this_turn"];
const replaced = (all, place, value) => all.map((own, i) => (i === place ? value : own));
/** The cards that lie open, on fields, in coin stacks and elsewhere, with hands as numbers: where they come from, what fields pay,
 *  who has won. A closed card, a commitment, can be any. What is known is replaced, never changed, so that it can go back. */
class OpenTable {
  constructor({ beans, deck, bonus = [], rising = [] }, system, players, options) {
    Object.assign(this, STANDARD, DIFFERING[system]?.(players), { players, options, rising });
    this.beans = new Map(beans.map((bean) => [bean.card, { ...bean, variety: bean.family ?? bean.card }]));
    this.bonuses = new Map(bonus.map((each) => [each.card, each]));
    const copies = new Map(deck.map((bean) => [bean.card, bean.copies])), kinds = new Map();
    for (const { card, copies: more } of deck) kinds.set(this.variety(card), (kinds.get(this.variety(card)) ?? 0) + more);
    this.shown = system === "ladybohn" ? kinds : copies;
    this.wantable = this.wantsCards ? new Map([...copies, ...kinds]) : kinds;
    const all = (value) => Array(players).fill(value);
    this.begin = { fields: all([]), stacks: all([]), hands: all(0), third: all(false), aside: all([]), nextAside: all(1), revealed: [],
      nextRevealed: 1, box: [], fans: [], moves: all([0, 0, 0]), quota: null, levies: all(0), promises: all(all(0)), bonus: all([]),
      claimed: all([]), start: 0, exhaustions: 0 };
  }
  variety(card) { return this.beans.get(card)?.variety; }
  makeUp(field) { return field.length > 0 && this.beans.get(field.at(-1))?.sold === "make_up"; }
  isFemale(card) { return this.beans.get(card)?.sex === "female"; }
  /** What the beanometer of its top card says of a field. */
  meter(field) {
    const steps = Object.entries(this.beans.get(field.at(-1))?.beanometer ?? {});
    return Math.max(0, ...steps.filter(([, beans]) => beans <= field.length).map(([coins]) => Number(coins)));
  }
  isPaidFromPiles(field) { return this.fromPiles !== "" && (field.at(-1) === this.fromPiles || this.meter(field) > field.length); }
  /** The numbers of coins that a harvest can bring: of make-up beans none, or one, where they do not bring a third field. */
  pay({ third, quota }, { seat, field: number, final }, field) {
    if (this.isPaidFromPiles(field)) return [];
    if (this.makeUp(field)) return field.length < 5 ? [0] : third[seat] || final ? [1] : [0, 1];
    return [number === 2 && quota === seat && !field.some((card) => this.isFemale(card)) ? 0 : this.meter(field)];
  }
  /** Whether a field may take a card: that of its variety, or an empty one; in the duel also one of the next lower variety. */
  takes(fields, number, card) {
    const tops = fields.map((field) => this.variety(field.at(-1))), own = this.variety(card), place = this.rising.indexOf(own);
    const step = place - this.rising.indexOf(tops[number]);
    if (this.rising.length) return tops[number] === undefined || step === 0 || step === 1;
    return tops[number] === own || (tops[number] === undefined && (!tops.includes(own) || this.options.duplicate_fields === true));
  }
  scores({ stacks, claimed }) {
    if (this.unit === "coins") return stacks.map((stack) => stack.length);
    const cents = (seat) => claimed[seat].reduce((sum, card) => sum + 100 + this.bonuses.get(card).cents, 0);
    return stacks.map((stack, seat) => stack.length * 100 + cents(seat));
  }
  /** Who of these seats has won with these scores. */
  winners({ hands, start }, scores, seats) {
    const most = (all, among) => among.filter((seat) => all[seat] === Math.max(...among.map((each) => all[each])));
    const tied = most(scores, seats);
    if (tied.length < 2 || !this.tie) return tied;
    return this.tie === "hand" ? most(hands, tied) : tied.filter((seat) => seat !== start);
  }
  /** Demand that there are not more open cards of a kind than the deck has. */
  count({ fields, stacks, revealed, aside, box, fans }, discards) {
    const found = new Map(), numbered = [revealed, ...aside].flat().map(([, card]) => card);
    for (const card of [...fields.flat(2), ...stacks.flat(), ...numbered, ...box, ...fans.flat(), ...discards]) {
      if (!isObject(card)) found.set(card, (found.get(card) ?? 0) + 1);
    }
    const holds = ([card, number]) => number <= (this.beans.get(card)?.copies ?? 0);
    demand([...found].every(holds), "cards", "there are more cards of a kind than the deck has");
  }
  /** The table after an entry that agrees with the one before; `around` has what else is known of that. */
  follow(open, { type, data }, { active, discards, left, can }) {
    const { seat, to, card, cards = [], number, field: at, owner = seat } = data, field = open.fields[owner]?.[at ?? 0] ?? [];
    const { revealed, aside, stacks, hands, fields } = open, top = (count) => (count ? discards.slice(-count).reverse() : []);
    const set = (name, value, whose = seat) => { open = { ...open, [name]: replaced(open[name], whose, value) }; };
    const size = (name) => data[name]?.length ?? 0, grow = (value) => set("fields", replaced(open.fields[seat], at, value));
    const same = (one, other) => canonical(one ?? []) === canonical(other);
    const isAny = (one, other) => isObject(one) || isObject(other) || one === other;
    const may = (shown, lying) => shown.length === lying.length && shown.every((each, i) => isAny(each, lying[i]));
    const lies = (numbered) => numbered.some(([own, lying]) => own === number && lying === card);
    const without = (numbered, ...gone) => numbered.filter(([own]) => !gone.includes(own));
    const pay = (coins) => set("stacks", coins), fold = (holds, reason) => demand(holds, "fold", reason);
    const spend = (count, whose = seat) => {
      fold(count <= open.hands[whose], "the hand has not so many cards");
      set("hands", open.hands[whose] - count, whose);
    };
    const reveal = (more) => {
      const next = open.nextRevealed, added = more.map((each, i) => [next + i, each]);
      open = { ...open, revealed: [...open.revealed, ...added], nextRevealed: next + more.length };
    };
    const receive = (more, whose) => {
      const next = open.nextAside[whose];
      set("aside", [...open.aside[whose], ...more.map((each, i) => [next + i, each])], whose);
      set("nextAside", next + more.length, whose);
    };
    const plant = () => { fold(this.takes(fields[seat], at, card), "the field does not take this card"); grow([...field, card]); };
    const move = (count) => {
      fold(open.moves[seat][at] > 0, "no move was open on the field");
      set("moves", replaced(open.moves[seat], at, count(open.moves[seat][at])));
    };
    const scored = (it, why) => demand(it, "scores", why), addThird = () => { set("fields", [...fields[seat], []]); set("third", true); };
    fold(at === undefined || at === null || fields[owner]?.[at], "the seat has no such field");
    const steps = {
      game_started: () => {
        fold(data.fields === this.fields, "everybody starts with another number of fields");
        open = { ...open, fields: fields.map(() => Array(this.fields).fill([])) };
      },
      starting_seat_chosen: () => {
        const { start_seat: chosen = 0 } = this.options;
        fold(chosen === "random" || chosen === seat, "the options name another seat to start");
        open = { ...open, start: seat };
      },
      pile_exhausted: () => {
        const runsOut = data.pile === "draw" && left.draw === 0 && data.times === open.exhaustions + 1;
        fold(runsOut, "the draw pile is not exhausted, or not for that time");
        open = { ...open, exhaustions: data.times };
      },
      hand_dealt: () => set("hands", hands[seat] + cards.length),
      cards_drawn: () => set("hands", hands[seat] + cards.length),
      bean_planted: () => { spend(1); plant(); },
      hand_card_discarded: () => spend(1),
      aside_planted: () => { fold(lies(aside[seat]), "the card did not lie aside"); set("aside", without(aside[seat], number)); plant(); },
      revealed_planted: () => { steps.revealed_discarded(); plant(); },
      revealed_discarded: () => {
        fold(lies(revealed), "the card did not lie revealed");
        open = { ...open, revealed: without(revealed, number) };
      },
      cards_revealed: () => reveal(cards),
      discards_joined: () => {
        const shown = revealed.map(([, each]) => this.variety(each));
        fold(cards.length && same(cards, top(cards.length)), "the cards that joined did not lie on top of the discard pile");
        fold(seat === active && cards.every((each) => shown.includes(this.variety(each))), "a card joined that matches no revealed one");
        reveal(cards);
      },
      trade_made: () => {
        const { active: one, partner: other, active_cards: given = [], partner_cards: got = [], active_revealed: named = [] } = data;
        const sizes = size("active_hand") + named.length === given.length && size("partner_hand") === got.length;
        const fits = sizes && one === active && one !== other;
        const shown = named.map((each) => revealed.find(([own]) => own === each)?.[1]);
        fold(fits && same(given.slice(given.length - named.length), shown), "the trade names other cards than were given");
        spend(size("active_hand"), one);
        spend(size("partner_hand"), other);
        open = { ...open, revealed: without(revealed, ...named) };
        receive(got, one);
        receive(given, other);
      },
      trading_ended: () => {
        fold(same(data.kept, revealed.map(([, each]) => each)), "the cards kept are not those left of the revealed ones");
        open = { ...open, revealed: [] };
        receive(data.kept ?? [], seat);
      },
      gift_given: () => {
        const [shown] = data.revealed ?? [], known = revealed.some(([own, lying]) => own === shown && lying === card);
        fold(size("revealed") + size("hand") === 1 && (shown === undefined || known), "the gift did not lie there, or is not one card");
        fold(to !== seat, "nobody gives a gift to themselves");
        spend(size("hand"));
        open = { ...open, revealed: without(revealed, shown) };
        receive([card], to);
      },
      field_harvested: () => {
        const { coins } = data, pays = cards.length ? this.pay(open, data, field) : [];
        scored(same(cards, field) && pays.includes(coins), `the field held other cards, or does not pay ${coins} coins`);
        grow([]);
        pay([...stacks[seat], ...cards.slice(cards.length - coins).reverse()]);
      },
      field_paid_from_piles: () => {
        const due = this.meter(field), { from_discard_pile: seen = [], from_draw_pile: drawn = [], from_field: own = 0 } = data;
        const lay = Math.min(due, discards.length), hidden = Math.min(due - lay, left.draw);
        const right = drawn.length === hidden && own === Math.min(field.length, due - lay - hidden) && same(seen, top(lay));
        const isDue = cards.length && same(cards, field) && this.isPaidFromPiles(field);
        scored(isDue && right, "the coins for the field do not come from there");
        grow([]);
        pay([...stacks[seat], ...seen, ...drawn, ...cards.slice(cards.length - own).reverse()]);
      },
      coins_shown: () => {
        const { places } = data, shown = new Map(places.map((place, i) => [place, cards[i]]));
        const were = shown.size === cards.length && may(cards, places.map((place) => stacks[seat][place]));
        fold(were, "the coins shown are not those that lay there");
        pay(stacks[seat].map((coin, place) => shown.get(place) ?? coin));
      },
      third_field_bought: () => {
        const { paid = [], boxed = false } = data, rest = stacks[seat].length - this.price;
        const isLeft = this.price > 0 && !open.third[seat] && open.third.filter(Boolean).length < this.thirds;
        scored(isLeft && boxed === this.boxed && rest >= 0, "this third field cannot be bought");
        scored(may(paid, stacks[seat].slice(rest).reverse()), "these are not the coins on top of the seat's");
        pay(stacks[seat].slice(0, rest));
        addThird();
        if (boxed) open = { ...open, box: [...open.box, ...paid] };
      },
      third_field_won: () => {
        fold(!open.third[seat] && discards.length >= 3 && this.makeUp(discards), "the seat has not won a third field");
        addThird();
      },
      quota_field_taken: () => {
        fold(open.quota === null && open.third[seat], "the quota field cannot go to this seat");
        open = { ...open, quota: seat };
      },
      field_rotated: () => {
        fold(field.length > 1 && field.at(-1) === card, "the field cannot be rotated like this");
        grow([card, ...field.slice(0, -1)]);
      },
      miss_moved: () => {
        const { miss, places } = data, others = field.filter((_, i) => i !== miss);
        const fits = miss >= 0 && places > 0 && miss + places < field.length;
        fold(fits && this.isFemale(field[miss]), "no miss moves like this");
        grow([...others.slice(0, miss + places), field[miss], ...others.slice(miss + places)]);
        if (data.owed) move((left) => left - 1);
      },
      miss_move_opened: () => {
        fold(field.some((each) => this.isFemale(each)), "no miss grows on the field");
        set("moves", replaced(open.moves[seat], at, open.moves[seat][at] + 1));
      },
      miss_moves_lapsed: () => move(() => 0),
      fan_laid_out: () => {
        fold(data.fan === open.fans.length && cards.length === this.fans[data.fan], "no such fan is laid out now");
        open = { ...open, fans: [...open.fans, cards] };
      },
      hand_swapped: () => {
        const { fan, hand = [] } = data;
        fold(same(cards, open.fans[fan] ?? null) && hand.length === cards.length && hands[seat] === hand.length, "the fan is another one");
        set("fans", hand, fan);
      },
      revealed_put_on_fan: () => {
        const fan = open.fans[data.fan] ?? [];
        fold(seat === active && lies(revealed), "the card did not lie revealed");
        fold(fan.length && this.variety(fan[0]) === this.variety(card), "the card does not match the fan");
        set("fans", [card, ...fan], data.fan);
        open = { ...open, revealed: without(revealed, number) };
      },
      fan_overflowed: () => {
        const fan = open.fans[data.fan] ?? [];
        fold(seat === active && cards.length && same(cards, fan.slice(this.fans[data.fan])), "the fan has other cards too many");
        set("fans", fan.slice(0, this.fans[data.fan]), data.fan);
        reveal(cards);
      },
      levy_earned: () => {
        fold(this.makeUp(stacks[seat]), "the seat has harvested no make-up beans for a coin");
        set("levies", open.levies[seat] + 1);
      },
      levy_promised: () => {
        fold(seat !== to && (active === seat || active === to), "the promise cannot be made");
        set("promises", replaced(open.promises[seat], to, open.promises[seat][to] + 1));
      },
      coins_levied: () => {
        const { payers = [], coins = [], spared = [] } = data, promised = open.promises[seat];
        const spares = [...promised.keys()].filter((other) => promised[other] > 0);
        fold(open.levies[seat] > 0 && same(spared, spares), "the seat has no levy, or promised to spare others");
        const pays = (payer, i) => payer !== seat && !spared.includes(payer) && stacks[payer]?.length && stacks[payer].at(-1) === coins[i]
          && !fields[payer].some((each) => this.makeUp(each));
        const few = payers.length <= 3 && payers.length === coins.length && new Set(payers).size === payers.length;
        scored(few && payers.every(pays), "these cannot pay these coins to the levy");
        for (const payer of payers) set("stacks", stacks[payer].slice(0, -1), payer);
        pay([...stacks[seat], ...coins]);
        set("levies", open.levies[seat] - 1);
        set("promises", promised.map((count) => Math.max(0, count - 1)));
      },
      coins_dealt: () => pay([...stacks[seat], ...cards]),
      bluff_paid: () => {
        fold(seat !== to && stacks[seat].length, "the seat owes no coin for a bluff");
        pay(stacks[seat].slice(0, -1));
        set("stacks", [...stacks[to], stacks[seat].at(-1)], to);
      },
      bonus_drawn: () => set("bonus", [...open.bonus[seat], ...cards]),
      bonus_claimed: () => {
        const { bonus } = data, { sequence = [] } = this.bonuses.get(bonus) ?? {}, grown = field.slice(-sequence.length);
        steps.bonus_discarded();
        scored(same(grown.map((each) => this.variety(each)), sequence), "the bonus card cannot be claimed for what grows there");
        set("claimed", [...open.claimed[seat], bonus]);
      },
      bonus_discarded: () => {
        const held = open.bonus[seat], gone = held.includes(data.bonus) ? held.indexOf(data.bonus) : held.findIndex(isObject);
        demand(this.bonuses.has(data.bonus) && gone >= 0, "cards", "the seat did not hold this bonus card");
        set("bonus", held.filter((_, i) => i !== gone));
      },
      game_ended: () => {
        const { reason, winners = [], unit = "coins" } = data, scores = this.scores(open), ruled = RULED.includes(reason);
        const given = data.scores.every((each) => Number.isInteger(each) && each >= 0 && each <= HIGHEST_SCORE);
        const own = reason === "replaced" ? data.scores.length === this.players && given : same(data.scores, scores);
        scored(own && unit === this.unit, `the seats have earned ${scores}`);
        const named = winners.every((each, i) => each >= 0 && each < this.players && (i === 0 || winners[i - 1] < each));
        if (ruled) return scored(named && (winners.length === 0) === (reason === "annulled"), "the ruling has such winners, or none");
        if (EARLY.includes(reason)) return;
        fold(isEmpty(open), "not everything is harvested");
        fold(PLAYED_OUT.includes(reason) && open.exhaustions >= this.exhaustions, "the draw pile was not exhausted as often as that takes");
        scored(same(winners, this.winners(open, scores, can)), "others have won with these scores");
      },
    };
    if (Object.hasOwn(steps, type)) steps[type]();
    return open;
  }
}
export class Game {
  isLive = false; version = 0; entries = 0; head = "0".repeat(64); status = "none"; attached = []; attachedBytes = 0; ended = false;
  /** What lies where is replaced, never changed: turn, discards, cards left in each pile; and, sealed, the piles' own cards. */
  lies = { draw: [], bonus: [], active: 0, left: { draw: 0, bonus: 0 }, shuffles: { draw: 0, bonus: 0 } }; course = new Course();
  agreed = null; sealed = { unseen: new Map() }; sealedCourse = new Course(); waiting = []; began = false; redeal = [];
  makers = new Map(); promised = []; people = new Set(); away = new Map(); returns = []; offer = undefined; owed = undefined;
  discarded = []; commanded = 0; heldUp = []; talked = false; brought = { receipts: 0, receipts_to: 0 }; isRecord = null;
  annotated = 0; annotatedBytes = 0; last = {}; bound = new Map(); receipts = new Map(); signed_by = ""; trusted = false; logged = "";
  async read(bytes, trust) {
    demand(!this.ended, "record", "the record goes on after its end", (this.isRecord ??= isHeader(bytes)) && undefined);
    const line = parsed(bytes), [first] = Object.keys(line);
    if (!this.header) return this.begin(line, trust);
    if (this.annotated < (this.header.annotations ?? 0)) return this.annotate(line, bytes.length);
    if (first !== "end" && first !== "attached") return this.version++, this.follow(line);
    if (first === "attached") {
      checkMembers(line, "record", ["attached", "content"]);
      const fits = (this.attachedBytes += bytes.length) <= MOST_ATTACHED && typeof line.content === "string";
      return this.attached.push(demand(fits, "record", "too much is attached, or no text") && line);
    }
    checkMembers(line, "record", ["end", "hash"]);
    const fits = this.attached.map((each) => each.attached).join() === (this.header.attached ?? []).join();
    demand(line.end === this.entries && line.hash === this.head, "record", "the end names another entry");
    this.ended = demand(fits, "record", "something else is attached than the header says");
  }
  async begin(header, { keys, receipts }) {
    checkMembers(header, "record", ["record", "game", "scope", "catalogue"], ["secret", "attached", "annotations"]);
    const { record, game, scope, attached = ["key"], annotations = 0 } = header, places = attached.map((kind) => KINDS.indexOf(kind));
    const sorted = places.slice().sort(), known = record === 1 && (!("annotations" in header) || annotations > 0);
    demand(known && typeof game === "string", "record", "format 1 can be read");
    demand(sorted[0] >= 0 && sorted.join() === places.join(), "record", `attached are ${KINDS}, in this order`);
    demand(SCOPE.test(scope), "scope", "there is no such scope");
    this.header = header;
    for (const note of receipts) {
      const [about, at, hash] = matched(`fieldbook game head v1\n${HEAD}`, note.text, "signature", "signed head");
      if (keys.length) await signerOf(note, keys);
      demand(about === game && (this.receipts.get(+at) ?? hash) === hash, "signature", "a receipt is about something else", 0);
      this.receipts.set(+at, hash);
    }
  }
  /** Annotations stand before the entries: their own chains are checked at once, what they are bound to when it comes by. */
  async annotate(line, size) {
    checkMembers(line, "record", ["annotation", "hash"]);
    demand((this.annotatedBytes += size) <= MOST_ANNOTATED, "record", "there are too many annotations");
    const { annotation: entry, hash } = line, { set, number, game, at, author, kind, data, moment } = entry ?? {}, { last } = this;
    const follows = set === last.set ? number === last.number + 1 && at >= last.at : number === 1 && !(set <= last.set);
    const own = game === this.header.game && isObject(data) && isObject(author) && typeof kind === "string" && at >= 0;
    demand(/^[0-9a-z]{20}$/.test(set) && follows && own, "annotations", "this is no annotation, or not the next one of a set", 0);
    const same = number === 1 || canonical(author) === canonical(last.author), before = number === 1 ? "0".repeat(64) : last.hash;
    demand(same && canonical(line) === JSON.stringify(line), "annotations", "another author, or order of members", 0);
    demand((await hashAfter(before, entry)) === hash, "annotations", "the hash is not that of this entry of its set", 0);
    const { version, hash: chained } = moment ?? {}, whole = version >= 1 && HEX_32_BYTES.test(chained);
    demand(whole && (this.bound.get(version) ?? chained) === chained, "annotations", "this is bound to no moment", 0);
    Object.assign(this, { last: { ...entry, hash }, annotated: this.annotated + 1, bound: this.bound.set(version, chained) });
  }
  async follow(line) {
    checkMembers(line, "record", ["entry", "salts", "hash"]);
    const { entry, salts, hash } = line, { version, type, schema, at, actor, state, command } = entry ?? {};
    demand(version === this.version && version <= MOST_ENTRIES, "record", "this entry is missing, or one too many");
    demand(this.attached.length === 0, "record", "an entry stands after what is attached");
    checkMembers(entry, "shape", ["version", "type", "schema", "at", "actor", "data", "state"], ["command"]);
    const hex = [state, hash].every((each) => HEX_32_BYTES.test(each)) && isObject(salts) && Object.values(salts);
    demand(hex && hex.every((each) => HEX_16_BYTES.test(each)), "shape", "a hash or salt is not lower-case hex");
    const since = version > 1 ? this.at : entry.data?.committed_at ?? 0;
    demand(at >= since && ACTOR.test(actor) && isObject(entry.data), "shape", "time, actor or data cannot be");
    const known = EVENTS.has(type) && (!("command" in entry) || COMMANDS.has(command?.type));
    demand(known && schema === 1, "fold", "an event or command of this type and schema is not known");
    checkTyped(entry.data, EVENTS.get(type)), command && checkTyped(command, [["type"], ...COMMANDS.get(command.type)]);
    const chained = (await hashAfter(this.head, await this.publicForm(entry, salts))) === hash;
    demand(chained, "chain", "the chain hash is not that of this entry after the one before it");
    if (version === 1) await this.pin(entry), (this.closeAfter = entry.data.close_after ?? 0);
    if (command) this.commanded = version;
    if (command && this.began && !this.due && this.status === "running" && !this.heldUp.length && !this.talked) {
      this.course.keep(version - 1, this.lies);
      await this.whenOpen(() => this.sealedCourse.keep(version - 1, this.sealed));
    }
    const before = this.clock && this.table();
    this.checkPlace(entry);
    this.checkTurn(entry);
    if (this.header.scope !== "all") this.checkCalled(entry);
    demand(this.clock || !type.startsWith("time_"), "clock", "the game is played without a clock");
    this.checkLeaving(entry);
    this.checkRuled(entry);
    const open = this.checkOpen(entry);
    await this.whenOpen(() => Promise.all(Object.keys(salts).map(async (path) => {
      const genuine = (await salt(this.saltKey, version, path)) === salts[path];
      demand(genuine, "commitments", `the salt of ${path} does not follow from the secret`, version);
    })));
    await this.evolve(entry);
    if (type !== "game_rewound") this.lies = { ...this.lies, open };
    if (MOVING.has(type)) this.openTable.count(open, this.lies.draw);
    this.evolveTable(entry);
    this.checkSaid(entry);
    this.clock?.follow(entry, before, this.table());
    demand((this.receipts.get(version) ?? hash) === hash, "signature", "a receipt names another chain hash");
    if (this.receipts.delete(version)) this.brought = { receipts: this.brought.receipts + 1, receipts_to: version };
    demand((this.bound.get(version) ?? hash) === hash, "annotations", "the annotations are bound to another chain hash");
    this.bound.delete(version);
    Object.assign(this, { head: hash, entries: version, talked: type === "talked", at, past: entry });
  }
  /** What the chain runs over: commitments in place of private values, which lie open where the scope shows them. */
  async publicForm(entry, salts) {
    const form = { ...entry }, expected = [], { scope } = this.header;
    const veiled = (path, holder, value) => {
      const closed = isObject(value) && Object.keys(value).join() === "commitment" && HEX_32_BYTES.test(value.commitment);
      if (scope !== "all" && scope !== holder) return demand(closed, "scope", `${path} lies open`) && value;
      demand(!isObject(value) && Object.hasOwn(salts, path), "scope", `${path} is closed, or has no salt`);
      expected.push(path);
      return hashAfter(salts[path], value).then((commitment) => ({ commitment }));
    };
    for (const [part, members] of [["data", EVENTS.get(entry.type)], ["command", COMMANDS.get(entry.command?.type) ?? []]]) {
      for (const [name, , owner] of members.filter((member) => member[2] !== undefined)) {
        const value = entry[part][name] ?? null, path = `${part}/${name}`, items = part === "data" && Array.isArray(value);
        const holder = owner === "actor" ? entry.actor : `seat:${entry[part][owner]}`;
        if (value === null) continue;
        const veils = items ? Promise.all(value.map((item, i) => veiled(`${path}/${i}`, holder, item))) : veiled(path, holder, value);
        form[part] = { ...form[part], [name]: await veils };
      }
    }
    if (scope === "all") expected.push("state");
    demand(Object.keys(salts).join() === expected.join(), "scope", "a salt is missing, or there for what is not shown");
    return form;
  }
  async pin({ type, data }) {
    const { game, system, system_version, engine_version, players, options, catalogue, commitment, dealing = null } = data;
    const { header } = this, { beans, total, bonus = [] } = header.catalogue, removed = REMOVED[system]?.[players];
    demand(type === "game_created" && game === header.game, "pinned", "a game begins with game_created and its id");
    demand(removed !== undefined && isObject(options), "pinned", "this rule system is not known");
    demand(system_version === 1 && engine_version === 1, "pinned", "this version of rules or engine is not known");
    const { version: way, seed, ...more } = dealing ?? { version: 2, seed: "-" }, plain = Object.keys(more).length === 0;
    demand(way === 2 && typeof seed === "string" && /^[!-~]{1,128}$/.test(seed) && plain, "pinned", "this dealing is not known");
    const hash = toHex(await sha256(bytesOf(canonical(header.catalogue)))), hex = HEX_32_BYTES.test(commitment);
    demand(catalogue === hash && hex, "pinned", "the header's catalogue is not the one that the game was played with");
    const sum = beans.reduce((copies, bean) => (bean.copies > 0 ? copies + bean.copies : NaN), 0);
    demand(sum === total && total <= LARGEST_DECK, "pinned", "the catalogue's cards do not add up");
    demand(!(header.scope.split(":")[1] >= players), "scope", "the table has no such seat");
    const deck = beans.filter((bean) => !removed.split(" ").includes(bean.card));
    this.decks = { draw: deck.flatMap((bean) => Array(bean.copies).fill(bean.card)), bonus: bonus.map((each) => each.card) };
    const seeds = Array(players).fill(""), dealt = { options, system, ...(dealing ? { dealing: 2, seed } : { seeds }) };
    Object.assign(this, { commitment, players, options, system, seeds, dealt, isOfRound: dealing !== null });
    this.openTable = new OpenTable({ ...header.catalogue, deck }, system, players, options);
    const shown = { turn: 0, phase: "", offers: [], next: 1, ready: [], decided: [], gifts: [] }, zeros = Array(players).fill(0);
    Object.assign(this.lies, { open: this.openTable.begin, ...shown, planted: 0, strikes: zeros, struck: zeros });
    if (data.clock) this.clock = new Clock(data);
    if ("secret" in header) await this.open(header.secret);
  }
  async open(secret) {
    const committed = HEX_32_BYTES.test(secret) && toHex(await sha256(fromHex(secret))) === this.commitment;
    demand(committed, "commitments", "this is not the secret that the dealer committed itself to");
    const bound = this.isOfRound && { dealing: 2, game: this.header.game, purpose: "salt" };
    Object.assign(this, { secret, saltKey: await saltKey(secret, bound) });
  }
  /** Take a step that needs the secret: now, or in a live game when its last entry opens it. A record names it first, or never has it. */
  async whenOpen(step) { await (this.secret ? step() : this.isLive && this.waiting.push(step)); }
  checkPlace({ type, at, actor, data, command }) {
    const by = `${at} ${actor}`, status = STATUSES[type] ?? this.status;
    demand(this.status !== "finished", "end", "this comes after the end of the game");
    const seats = [data.seat, data.active, data.partner, data.to, data.owner, Number(actor.split(":")[1] ?? 0)];
    const there = seats.every((seat = 0) => seat === null || (Number.isInteger(seat) && seat >= 0 && seat < this.players));
    demand(there, "fold", "the table has no such seat");
    demand(command || by === this.by, "commands", "this belongs to no command");
    demand(this.status !== "running" || !this.heldUp.length || HELD_UP.test(type), "fold", "this happened while the game was held up");
    demand(type !== "game_started" || this.status === "open", "fold", "the game has begun already");
    demand(!this.due || (command && actor === "dealer"), "fold", "the dealer's answer is due");
    const called = type === "dealer_called" && data.purpose === "redeal" ? data.pile : undefined;
    demand(called === (this.due ? undefined : this.redeal[0]), "fold", "the piles are dealt anew after going back, and only then");
    Object.assign(this, { by, status, answered: this.due, due: type === "dealer_called" ? data : undefined });
  }
  /** Check that what a ruling brings about comes right after it, and nothing else then; and that a seat's take-back was agreed to. */
  checkRuled({ type, data: { case: number = 0, reason, to_version: to } }) {
    const { past: { type: before, data: ruling } = {}, agreed, players } = this, ended = type === "game_ended" && RULED.includes(reason);
    const ruled = before === "ruling_made" && ruling.kind !== "dismissed" ? `${ruling.kind} ${ruling.case}` : "";
    const follows = type === "game_rewound" && number ? `rewound ${number}` : ended ? `${reason} ${ruling?.case}` : "";
    demand(ruled === follows, "fold", "this does not follow from what was ruled before it");
    const isAgreed = agreed?.length === players, fits = type === "game_rewound" ? number || (isAgreed && this.askedTo === to) : !isAgreed;
    demand(fits, "fold", "the game goes back when everybody has agreed to go back to there, and only then");
  }
  /** Check that a trade brings about the promises that its offer names, and nothing else does. */
  checkPromises(type, { seat, to, offer, active, partner }, command) {
    const { promised } = this, place = promised.findIndex(([by, whom]) => by === seat && whom === to);
    demand(type !== "levy_promised" || place >= 0, "fold", "no offer promised that");
    demand(!command || !promised.length, "fold", "a promise that the last trade's offer names is missing");
    if (type === "levy_promised") this.promised = promised.filter((_, i) => i !== place);
    if (type !== "trade_made") return;
    const { seat: by, spare, spared } = this.makers.get(offer), other = by === active ? partner : active;
    this.promised = [...(spare ? [[by, other]] : []), ...(spared ? [[other, by]] : [])];
  }
  /** Check that just what ends a game is final, and is not what the command itself does; then nothing else comes before the end. */
  checkFinal({ type, data, command }, isOwn) {
    const { ending, openTable, lies: { open } } = this, isFinal = data.final === true, last = ending || isEmpty(open);
    demand(!isFinal || open.exhaustions >= openTable.exhaustions, "fold", "the game is not over yet");
    demand(!ending || (!command && LAST.includes(type)), "fold", "the game has to end now");
    demand(!SOLD.includes(type) || isFinal !== isOwn, "fold", "this is final where the game ends, and only there");
    demand(type !== "coins_levied" || (isFinal ? last && !isOwn : !ending), "fold", "a levy is final where the game ends, and only there");
    this.ending = isFinal || (ending && type !== "game_ended");
  }
  /** Check that a command's event is one that it brings about, its actor's own, and says the same where both lie open. */
  checkSaid({ type, actor, data, command }) {
    if (command) Object.assign(this, { given: command, isFirst: true });
    const said = SAID.get(this.given.type), isReady = type === "readiness_withdrawn", isActive = actor === `seat:${data.active}`;
    const name = type === "trade_made" && isActive ? `${type}/active` : type, isKnown = said.has(name) || said.has(`~${type}`);
    demand(isReady || isKnown || !this.isFirst, "commands", "this is not what the command brings about");
    this.checkPromises(type, data, command);
    const isOwed = data.owed === true, isAsked = this.given.type === "move_miss";
    demand(type !== "miss_moved" || isOwed === isAsked, "fold", "an owed move is one that its player asks for");
    this.checkFinal({ type, data, command }, this.isFirst && ["harvest", "claim_bonus", "levy"].includes(this.given.type));
    const key = this.isFirst ? name : `+${type}`, doer = type === "trade_made" && !isActive ? data.partner : data.seat;
    if (!isReady) this.isFirst = false;
    if (!isReady && !said.has(key)) return;
    const isOwn = !actor.startsWith("seat:") || doer === undefined || actor === `seat:${doer}`;
    demand(isOwn, "commands", "one seat gave the command, and another did it");
    for (const [one, other = one] of (said.get(key) ?? "").split(",").map((pair) => pair.split("="))) {
      if (one === "scores" && ["annulled", "awarded"].includes(this.given.kind)) continue; // those of the table
      const [told, done] = [this.given[one], data[other]].map((value) => [value ?? []].flat());
      for (const named of ANY_ORDER.includes(one) ? [told, done] : []) named.sort();
      const isClosed = done.some((each) => isObject(each) && Object.keys(each).join() === "commitment");
      demand(isClosed || canonical(told) === canonical(done), "commands", `the command's ${one} is not the event's ${other}`);
    }
  }
  checkTurn({ type, data: { seat, phase, turn }, command }) {
    const { lies, players } = this, next = lies.turn ? (lies.active + 1) % players : lies.open.start;
    demand(type !== "turn_began" || (turn === lies.turn + 1 && seat === next), "fold", "it is another turn, or another seat's");
    const { system } = this, isTheirs = type === "cards_revealed" || (type === "cards_drawn" && system !== "ladybohn-expansion");
    demand(!isTheirs || seat === this.lies.active, "fold", "these cards were another seat's to take");
    const phases = PHASES[system].split(" ").map((row) => row.split(/[:,]/)), names = phases.map(([name]) => name);
    demand(type !== "phase_began" || names.includes(phase), "fold", "this game has no such phase");
    const its = phases.filter(([, ...commands]) => commands.includes(command?.type)).map(([name]) => name);
    const isOpen = its.includes(lies.phase) && (lies.phase !== "plant" || lies.planted < 2);
    demand(!its.length || isOpen, "commands", "the command belongs to another phase than the one that began last");
  }
  /** Check that the dealer is called for what follows from the table, and that cards are taken as many as are owed. */
  checkCalled({ type, data }) {
    const { happened = {}, taking, status, redeal, lies } = this, { active, phase, turn, open, left } = lies;
    const { pile, seat = 0, cards = [] } = data;
    const why = ["plant", "discard", "reveal"].includes(phase) ? "reveal" : "draw", usual = this.openTable?.[why];
    const [before, rest] = taking ?? [active, usual], goesOn = !rest && this.openTable?.allDraw && type === "cards_drawn";
    const [taker, count] = goesOn ? [(before + 1) % this.players, usual] : [before, rest];
    if (type === "dealer_called") {
      const whose = happened.type === "bonus_drawn" ? happened.data.seat : turn ? seat : open.start;
      const missing = Math.max(0, 3 - open.bonus[whose].length);
      const [task, of = "", purpose = "", to = 0, more = 0] = status === "ended" ? ["secret"]
        : happened.type === "game_started" ? ["starting_seat"]
          : happened.type === "starting_seat_chosen" ? ["shuffle", "draw", "deal", open.start]
            : redeal.length ? ["shuffle", redeal[0], "redeal", active]
              : pile === "bonus" && this.system === "the-duel" ? ["shuffle", "bonus", turn ? "refill" : "deal", whose, missing]
                : ["shuffle", "draw", why, taker, count];
      const due = { task, pile: of, purpose, seat: to, count: more }, called = { pile: "", purpose: "", seat: 0, count: 0, ...data };
      demand(canonical(called) === canonical(due), "fold", "the dealer is called for something else than is due");
    }
    const takes = type === "cards_drawn" || type === "cards_revealed", isOwed = cards.length === Math.min(count, left.draw);
    demand(!takes || (seat === taker && isOwed), "fold", "other cards are taken than are owed");
    if (takes) this.taking = [taker, count - cards.length];
    else if (type === "pile_shuffled") {
      const { purpose, seat: to = 0, count: more = 0 } = this.answered ?? {};
      this.taking = ["reveal", "draw"].includes(purpose) ? [to, more] : undefined;
    } else if (type !== "pile_exhausted" && type !== "dealer_called") this.taking = undefined;
    this.happened = { type, data };
  }
  /** Check what lies open against the table before it; returns what lies open after it. */
  checkOpen(entry) {
    const { active, draw, left, open } = this.lies, seats = open.stacks.map((_, seat) => seat);
    const there = seats.filter((seat) => !this.away.has(seat)), can = there.length ? there : seats;
    return this.openTable.follow(open, entry, { active, discards: draw, left, can });
  }
  /** Whether a bot has a seat of its own, which it plays for nobody who left. */
  hasBotPlayer({ people, away, players } = this) {
    return [...Array(players).keys()].some((seat) => !people.has(seat) && !away.has(seat));
  }
  /** Follow who is there and who has left, and what all agree to end: it does not go back with the cards. */
  checkLeaving({ type, data, at }) {
    const { seat, reason, kind, bot, agreed = [], winners = [] } = data, { people, away, returns, offer, owed, players } = this;
    const seats = [...Array(players).keys()], there = seats.filter((each) => !away.has(each)), isDue = owed?.type === type;
    const led = !owed || (isDue && Object.keys(owed).every((name) => name === "type" || owed[name] === data[name]));
    demand(led, "fold", "something else has to come first");
    this.owed = undefined;
    if (type === "seat_taken" && data.kind !== "bot") people.add(seat);
    else if (type === "seat_resigned") {
      demand(people.has(seat), "fold", "nobody sits there who could leave");
      this.owed = { type: "seat_taken_over", seat, reason: "resigned", bot: STAND_IN };
    } else if (type === "time_expired" && this.clock && data.strikes >= this.clock.settings.strikes) {
      this.owed = { type: "seat_taken_over", seat, reason: "time", bot: this.clock.settings.bot };
    } else if (type === "seat_taken_over") {
      demand(isDue && people.delete(seat), "fold", "a seat was taken over that nobody has left");
      away.set(seat, bot);
      if (!people.size) this.owed = { type: "game_ended", reason: "abandoned" };
      else if (offer && !offer.agreed.includes(seat)) this.owed = { type: "end_accepted", seat };
    } else if (type === "seat_returned") {
      demand((returns[seat] ?? 0) < MOST_RETURNS && away.delete(seat), "fold", "nobody could come back to this seat");
      people.add(seat);
      returns[seat] = (returns[seat] ?? 0) + 1;
    } else if (type === "end_offered") {
      const asked = AGREED.includes(kind) && people.has(seat), bots = seats.filter((each) => !people.has(each));
      demand(!this.hasBotPlayer(), "fold", "an end was offered at a table where a bot plays");
      demand(!offer && asked && canonical(agreed) === canonical([seat, ...bots]), "fold", "the end could not be offered like this");
      this.offer = { kind, agreed };
    } else if (type === "end_accepted") {
      demand(offer && !offer.agreed.includes(seat), "fold", "there is no end to agree to");
      this.offer = { kind: offer.kind, agreed: [...offer.agreed, seat] };
    } else if (type === "end_declined") {
      this.offer = demand(offer && people.has(seat), "fold", "there is no end to decline") && undefined;
    } else if (type === "game_closed") {
      demand(Object.hasOwn(CLOSED, reason) && CLOSED[reason] === this.status, "fold", "the game cannot be closed for this reason");
      demand(at >= this.at + this.closeAfter * 1000, "clock", "the game was closed sooner than its first event says");
      this.owed = { type: "game_ended", reason };
    } else if (type === "game_rewound") {
      const ordered = [...away.keys()].sort((one, other) => one - other), often = seats.map((each) => returns[each] ?? 0);
      const found = [data.away ?? [], data.bots ?? [], data.returns ?? []], any = returns.some((each) => each > 0);
      const same = canonical(found) === canonical([ordered, ordered.map((each) => away.get(each)), any ? often : []]);
      this.offer = demand(same, "fold", "others are away than before") && undefined;
    } else if (type === "game_ended" && !RULED.includes(reason)) {
      const early = EARLY.includes(reason), won = reason !== "drawn" ? [] : there.length ? there : seats;
      demand(isDue === early, "fold", "nothing has led to this end");
      demand(!early || canonical(winners) === canonical(won), "scores", "an early end has the winners that it says");
    }
    if (this.offer && this.offer.agreed.length === players && (type === "end_offered" || type === "end_accepted")) {
      this.owed = { type: "game_ended", reason: this.offer.kind };
    }
  }
  /** Follow what the secret decides: the piles, the discards that they are shuffled from, and coins that nobody has seen. */
  async evolve({ version, type, data, command }) {
    const { draw, bonus, left, shuffles, open } = this.lies, { seat, cards = [], pile } = data;
    const set = (changed) => {
      const lies = (this.lies = { ...this.lies, ...changed }), holds = ([name, deck]) => lies[name].length <= deck.length;
      demand(Object.entries(this.decks).every(holds), "fold", "more cards are discarded than there are");
    };
    const take = async (from, name, kept = () => []) => {
      const found = data[name] ?? [];
      demand(found.length <= left[from], "fold", "more cards were taken than the pile had");
      set({ left: { ...left, [from]: left[from] - found.length } });
      await this.whenOpen(async () => {
        const lay = this.sealed[from].slice(0, found.length), unseen = kept(lay);
        await this.checkCards(version, `data/${name}`, found, lay);
        this.sealed = { ...this.sealed, [from]: this.sealed[from].slice(found.length) };
        if (unseen.length) this.sealed.unseen = new Map([...this.sealed.unseen, ...unseen]);
        demand(this.sealed.unseen.size <= LARGEST_DECK, "fold", "more coins are unseen than there are cards", version);
      });
    };
    if (TAKING.has(type)) await take(TAKING.get(type)[0][0], "cards");
    demand(type !== "seat_taken" || !this.isOfRound || !data.seed, "fold", "the deal is a round's, and no seat brings a seed");
    if (type === "seat_taken") this.seeds[seat] = data.seed ?? "";
    if (type === "turn_began") (this.began = true), set({ active: seat });
    if (type === "discards_joined") set({ draw: draw.slice(0, draw.length - cards.length) });
    if (type === "revealed_discarded" || type === "hand_card_discarded") set({ draw: [...draw, data.card] });
    if (type === "bonus_discarded") set({ bonus: [...bonus, data.bonus] });
    if (type === "field_harvested") set({ draw: [...draw, ...cards.slice(0, cards.length - data.coins)] });
    if (type === "third_field_bought") set({ draw: data.boxed ? draw : [...draw, ...data.paid] });
    if (type === "field_paid_from_piles") {
      const { from_discard_pile: seen = [], from_field: own = 0 } = data;
      const first = open.stacks[seat].length + seen.length;
      await take("draw", "from_draw_pile", (lay) => lay.map((card, place) => [`${seat}/${first + place}`, card]));
      set({ draw: [...draw.slice(0, draw.length - seen.length), ...cards.slice(0, cards.length - own)] });
    } else if (type === "coins_shown") {
      await this.whenOpen(() => {
        const unseen = new Map(this.sealed.unseen);
        const taken = (place, i) => unseen.get(`${seat}/${place}`) === cards[i] && unseen.delete(`${seat}/${place}`);
        demand(data.places.every(taken), "shuffles", "a coin shown is another one", version);
        this.sealed = { ...this.sealed, unseen };
      });
    } else if (type === "starting_seat_chosen" && this.options.start_seat === "random") {
      await this.whenOpen(async () => {
        const drawn = await below(numbers(await this.dealing(), "start_seat"), this.players);
        demand(drawn === seat, "shuffles", "the secret draws another seat to start", version);
      });
    } else if (type === "pile_shuffled") {
      const { order, number } = data, anew = pile === this.redeal[0];
      const isDue = this.answered.task === "shuffle" && pile === this.answered.pile;
      demand(isDue && number === shuffles[pile] + 1, "fold", "another shuffle is due");
      const unshuffled = this.answered.purpose === "deal" ? this.decks[pile] : this.lies[pile];
      if (anew) this.redeal = this.redeal.slice(1);
      set({ left: { ...left, [pile]: order.length }, shuffles: { ...shuffles, [pile]: number }, ...(anew ? {} : { [pile]: [] }) });
      await this.whenOpen(async () => {
        const lay = anew ? this.sealed[pile] : unshuffled, shuffles = `${pile}/${number}`;
        this.sealed = { ...this.sealed, [pile]: await (this.isOfRound ? shuffledAlike : shuffled)(await this.dealing(), shuffles, lay) };
        await this.checkCards(version, "data/order", order, this.sealed[pile]);
        if (command.order) await this.checkValue(version, "command/order", command.order, this.sealed[pile]);
      });
    } else if (type === "game_paused" || type === "take_back_asked") {
      const isNew = !this.heldUp.includes(data.case ?? 0) && this.heldUp.length < MOST_HELD_UP;
      demand(isNew && (type !== "game_paused" || data.case >= 1), "fold", "this holds the game up already, or too much does");
      if (type === "take_back_asked") Object.assign(this, { askedTo: data.to_version }).checkAsked(data);
      this.heldUp = [...this.heldUp, data.case ?? 0];
    } else if (type === "game_resumed" || type === "ruling_made" || type === "take_back_declined") {
      const can = type === "ruling_made" ? RULINGS.includes(data.kind) : this.heldUp.includes(data.case ?? 0);
      demand(can, "fold", "there is no such ruling, or nothing held the game up");
      this.heldUp = this.heldUp.filter((each) => each !== (data.case ?? 0));
    } else if (type === "game_rewound") {
      const cases = this.heldUp.filter((each) => each && each !== (data.case ?? 0));
      demand(canonical(cases) === canonical(data.paused_by ?? []), "fold", "other cases hold the game up than before");
      this.heldUp = cases;
      const { to_version: to, redeal = [], shuffles: drawn, bonus_shuffles: other = 0 } = data, then = this.course.back(to);
      demand(canonical(redeal) === canonical(this.touchedSince(then)), "fold", "other piles have to be dealt anew");
      demand(drawn === shuffles.draw && other === shuffles.bonus, "fold", "the shuffles are not counted on");
      Object.assign(this, { lies: { ...then, shuffles }, redeal });
      this.discarded = this.discarded.filter(([first]) => first <= to);
      if (to + 1 < this.commanded) this.discarded.push([to + 1, this.commanded - 1]);
      await this.whenOpen(() => { this.sealed = this.sealedCourse.back(to); });
    } else if (type === "secret_revealed") {
      const named = this.isLive || data.secret === this.header.secret;
      await this.open(demand(named, "commitments", "the header does not name this secret") && data.secret);
      for (const step of this.waiting) await step();
    }
  }
  /** Follow what else there is on the table, and with it whom the game waits for. */
  evolveTable({ type, data }) {
    const { open, offers, next, ready, decided, gifts, turn, planted, strikes, struck } = this.lies, { seat } = data;
    const set = (changed) => { this.lies = { ...this.lies, ...changed }; };
    const and = (seats) => (seats.includes(seat) ? seats : [...seats, seat]), others = offers.filter((each) => each.number !== data.offer);
    if (type === "turn_began") set({ turn: data.turn, planted: 0, decided: [], gifts: [] });
    if (type === "phase_began") set({ phase: data.phase });
    if (type === "bean_planted") set({ planted: planted + 1 });
    if (type === "readiness_declared") set({ ready: and(ready) });
    if (type === "readiness_withdrawn") set({ ready: ready.filter((each) => each !== seat) });
    if (type === "trading_ended") set({ ready: [] });
    if (type === "offer_made") {
      const isNext = data.offer === next && offers.filter((each) => each.seat === seat).length < OPEN_OFFERS;
      this.checkOffer(demand(isNext, "fold", "another offer is next, or too many are open") && data);
      const made = { number: data.offer, seat, to: data.to ?? null, counters: data.counters ?? null, declined: [] };
      Object.assign(made, { spare: data.spare === true, spared: data.want_spared === true });
      this.makers.set(data.offer, made);
      set({ next: next + 1, offers: [...offers, made] });
    }
    const answers = ["offer_declined", "offer_withdrawn", "offer_lapsed", "trade_made"].includes(type);
    demand(!answers || others.length < offers.length, "fold", "no such offer is open");
    if (answers && (type !== "offer_declined" || data.closed)) set({ offers: others });
    else if (answers) set({ offers: offers.map((one) => (one.number === data.offer ? { ...one, declined: and(one.declined) } : one)) });
    if (type.startsWith("gift_") || type === "bluff_paid") set({ gifts: this.gifts(gifts, type, data) });
    if (type === "bonus_kept" || type === "bonus_discarded") set({ decided: and(decided) });
    if (type === "take_back_asked") {
      const bots = open.hands.map((_, each) => each).filter((each) => each !== seat && !this.people.has(each));
      this.agreed = demand(canonical(data.agreed ?? []) === canonical([seat, ...bots]), "fold", "others agree at once") && data.agreed;
    }
    if (type === "take_back_agreed") {
      this.agreed = demand(this.agreed && !this.agreed.includes(seat), "fold", "there is nothing to agree to") && and(this.agreed);
    }
    if (type === "take_back_declined" || type === "game_rewound") this.agreed = null;
    if (type !== "time_expired" || !data.strikes) return;
    set({ strikes: replaced(strikes, seat, data.strikes), struck: replaced(struck, seat, turn) });
  }
  /** The piles to deal anew: those that changed since. In a duplicate round none may have. */
  touchedSince({ left, shuffles }) {
    const changed = ["draw", "bonus"].filter((name) => left[name] !== this.lies.left[name] || shuffles[name] !== this.lies.shuffles[name]);
    demand(!changed.length || !this.isOfRound, "fold", "cards were drawn since, and the deal has to stay");
    return changed.filter((name) => left[name] > 0);
  }
  /** Check that the game can go back to where a seat asks to, and that the seat knows of cards that were seen since. */
  checkAsked({ to_version: to, seen_confirmed: confirmed = false }) {
    const touched = this.touchedSince(this.course.at(to)).length > 0;
    demand(!touched || (confirmed && !this.hasBotPlayer()), "fold", "cards were seen since, and nobody confirmed that, or a bot plays");
  }
  /** Check that an offer is one of the active player or to them, of cards that are there, for what the game has. */
  checkOffer({ offer, seat, to = null, counters = null, hand = [], hand_cards: cards = [], revealed = [], want = {}, ...more }) {
    const { active, phase, offers, open } = this.lies, { shown, wantable, wantsCards } = this.openTable, isActive = seat === active;
    const { want_revealed: wanted = [], spare, want_spared: spared } = more, answered = offers.find((each) => each.number === counters);
    const goes = isActive ? to !== seat && (counters === null || to !== null) : to === active;
    const { to: closedTo, seat: closedBy } = this.makers.get(counters) ?? {}; // an offer to one seat is closed by its answer
    const fits = answered ? answered.to === null && answered.seat === to : closedTo === seat && closedBy === to;
    const answers = counters === null || (counters < offer && fits);
    demand(phase === "trade" && goes && answers, "fold", "such an offer cannot be made to this seat, or now");
    const kinds = [...shown.keys()], ranks = cards.map((card) => kinds.indexOf(card)), lying = open.revealed.map(([number]) => number);
    const few = (card) => cards.filter((each) => each === card).length <= shown.get(card);
    const rises = (one, i) => i === 0 || ranks[i - 1] <= one;
    const given = hand.length === cards.length && hand.length <= open.hands[seat] && cards.every(few) && ranks.every(rises);
    const asked = Object.entries(want).every(([name, count]) => Number.isInteger(count) && count >= 1 && count <= wantable.get(name));
    const there = (numbers) => numbers.every((each, i) => lying.includes(each) && (i === 0 || numbers[i - 1] < each));
    const own = isActive ? wanted : revealed, lies = own.length === 0 && there(revealed) && there(wanted);
    demand(given && asked && lies, "fold", "the offer gives or wants what is not there");
    const named = hand.length + revealed.length + wanted.length + Object.keys(want).length;
    demand(named && (wantsCards || !(spare || spared)), "fold", "the offer names nothing, or a promise that binds nobody");
  }
  /** The gifts on offer after an entry: each is of another variety and answers the other seat, the last one is taken or given. */
  gifts(gifts, type, { seat, variety, card }) {
    const last = gifts.at(-1), { openTable } = this;
    const isNew = openTable.rising.includes(variety) && gifts.every((each) => each.variety !== variety);
    const holds = {
      gift_offered: () => isNew && (last ? last.seat !== seat : seat === this.lies.active),
      gift_accepted: () => last && last.seat !== seat && last.variety === variety,
      gift_given: () => last?.seat === seat && openTable.variety(card) === last.variety, bluff_paid: () => last?.seat === seat,
    };
    demand(holds[type](), "fold", "this gift was not on offer");
    return type === "gift_offered" ? [...gifts, { seat, variety }] : type === "gift_accepted" ? gifts : [];
  }
  /** The table as the clock sees it: whom the game waits for, with what for, but bots. */
  table({ turn, phase, active, open: { aside, revealed }, offers, ready, decided, gifts, strikes, struck } = this.lies) {
    const gift = gifts.at(-1)?.seat ?? null, { due, agreed, heldUp, people } = this, seats = [...aside.keys()], asked = agreed !== null;
    const choosing = () => {
      if (phase === "plant_aside") return seats.filter((seat) => aside[seat].length || (seat === active && revealed.length));
      const answers = phase === "answer_gift" && gift !== null ? seats.filter((seat) => seat !== gift) : [];
      const gives = phase === "give" && gift !== null ? [gift] : [], undecided = phase === "bonus" ? seats : [];
      const found = [...answers, ...gives, ...undecided.filter((seat) => !decided.includes(seat))];
      return found.length ? found : [active];
    };
    const isOn = this.status === "running" && !due && heldUp.every((each) => each === 0);
    const waiting = !isOn ? [] : asked ? seats.filter((seat) => !agreed.includes(seat)) : choosing();
    const made = asked || phase !== "trade" || !waiting.length ? [] : offers.filter((each) => each.seat === active);
    const counters = (seat, number) => offers.some((each) => each.counters === number && each.seat === seat);
    const answers = made.flatMap(({ number: offer, to, declined }) => (to === null ? seats : [to])
      .filter((seat) => seat !== active && !declined.includes(seat) && people.has(seat) && !ready.includes(seat) && !counters(seat, offer))
      .map((seat) => ({ seat, offer, isBank: false })));
    const isBank = asked || (phase !== "plant_aside" && waiting.length === 1 && waiting[0] === active);
    const moving = asked && waiting.length ? agreed.slice(0, 1) : waiting;
    const moves = moving.filter((seat) => people.has(seat)).map((seat) => ({ seat, offer: null, isBank }));
    return { turn, phase, active, due, asked, heldUp: heldUp.length > 0, waiting, answers, moves, strikes, struck };
  }
  async dealing() { return (this.key ??= await shuffleKey(this.secret, this.dealt)); }
  async checkCards(version, path, found, cards) {
    demand(found.length === cards.length, "shuffles", `${path} has another number of cards than lay there`, version);
    for (const [i, card] of cards.entries()) await this.checkValue(version, `${path}/${i}`, found[i], card);
  }
  async checkValue(version, path, found, value) {
    const veil = isObject(found) && { commitment: await hashAfter(await salt(this.saltKey, version, path), value) };
    demand(canonical(found) === canonical(veil || value), "shuffles", `${path} does not follow from the secret`, version);
  }
  async finish({ keys, checkpoint }) {
    const { header, version, head, status } = this, next = version + 1;
    const of = (kind) => this.attached.filter((each) => each.attached === kind).map((each) => each.content);
    demand(this.ended, "record", "the record is cut off here: its end is missing", (this.isRecord ??= false) && next);
    const { owed = "" } = this.clock ?? {}, isForcing = this.clock?.isForcing(this.table());
    demand(header.scope !== "all" || (!owed && !isForcing), "end", "what has to follow when time was over is missing", next);
    const isClosed = this.isOfRound && this.due?.task === "secret", signed = status === "ended" ? "running" : status;
    demand(this.entries && (isClosed || (!this.due && status !== "ended")), "end", "an answer of the dealer is missing", next);
    demand(!this.secret || this.status === "finished", "end", "the header holds a secret that no entry opens", next);
    for (const at of this.bound.keys()) fail("annotations", "the record ends before what is annotated", at);
    for (const at of this.receipts.keys()) fail("signature", "the record ends before the version of a receipt", at);
    const published = await Promise.all(of("key").map(parseKey)), trusted = keys.length ? keys : published, heads = of("head");
    const text = `fieldbook game head v1\ngame ${header.game}\nversion ${version}\nhash ${head}\nstatus ${signed}\n`;
    demand(heads.length || !keys.length, "signature", "the record is not signed");
    for (const note of heads.map((head) => parseNote(head))) {
      const signer = await signerOf(note, trusted);
      for (const key of published) await signerOf(note, [key]);
      demand(note.text === text, "signature", "what is signed is not the head of this record");
      Object.assign(this, { signed_by: signer.text, trusted: keys.includes(signer) });
    }
    let shown, kept;
    const checkOrigin = async ({ origin, note }) => demand((await signerOf(note, trusted, "log")).name === origin, "log", "another log");
    for (const proof of of("inclusion")) {
      shown = await checkInclusion(proof, text);
      await checkOrigin(shown.checkpoint);
      this.logged = `entry ${shown.index} of ${shown.checkpoint.size}`;
    }
    if (checkpoint) await checkOrigin((kept = parseCheckpoint(checkpoint)));
    const logs = [kept, shown?.checkpoint], [older, newer] = kept?.size > shown?.checkpoint.size ? logs.reverse() : logs;
    const grown = await Promise.all(of("consistency").map((proof) => checkConsistency(proof, older, newer)));
    if (!kept) return;
    demand(kept.origin === shown?.checkpoint.origin && shown.index < kept.size, "log", "the game is not in the log kept");
    if (older.size !== newer.size) demand(grown.includes(true), "log", "no proof between the two checkpoints is attached");
    else demand(equal(older.root, newer.root), "log", "the log has shown two different states");
  }
}
/** A text from outside without a byte order mark, with line feeds as line ends; its lines without blanks around them. */
const plain = (text) => text.replace(/^\ufeff/, "").replaceAll("\r\n", "\n");
export const linesIn = (text) => plain(text).split("\n").map((line) => line.replace(/^[ \t\r]+|[ \t\r]+$/g, "")).filter(Boolean);
const noteIn = (text) => parseNote(plain(text).replace(/[ \t\r\n]*$/, "\n"));
/** Add to these keys those that follow from them: each new key of a service is endorsed by the one before it. */
async function followRotations(keys, text) {
  let published;
  try { ({ keys: published } = JSON.parse(plain(text))); } catch { /* refused below */ }
  const isKey = (each) => typeof each?.key === "string" && typeof (each.endorsement ?? "") === "string";
  demand(Array.isArray(published) && published.every(isKey), "signature", "this is not an answer of /v1/signing-keys");
  for (const { key: own, endorsement } of published) {
    const key = await parseKey(own);
    if (!endorsement || keys.some((each) => each.text === own)) continue;
    const note = parseNote(endorsement);
    if (!keys.some((each) => isNamed(note, each))) continue;
    await signerOf(note, keys);
    demand(note.text === `fieldbook key rotation v1\nkey ${own}\n`, "signature", "an endorsement is signed for something else");
    keys.push(key);
  }
}
/** Read what is trusted, given as texts: keys (one a line), the answer of /v1/signing-keys, a checkpoint and receipts. */
export async function trustOf({ keys: given, signingKeys, checkpoint, receipts = [] }) {
  const trust = { receipts: receipts.map(noteIn), checkpoint: checkpoint === undefined ? undefined : noteIn(checkpoint) };
  const keys = await Promise.all((given ?? []).flatMap(linesIn).map(parseKey));
  demand(keys.length || given === undefined, "signature", "keys were given, and none of them is a key to trust");
  demand(keys.length || signingKeys === undefined, "signature", ALONE);
  if (signingKeys !== undefined) await followRotations(keys, signingKeys);
  return { ...trust, keys };
}
/** Verify a record, an async iterable of bytes or lines, with what its reader trusts, as `trustOf` takes it. Rejects only
 *  where that cannot be read; whatever is wrong with the record is in the report. */
export async function verify(source, given = {}) {
  const trust = await trustOf(given), { keys, checkpoint } = trust, game = new Game(), findings = [];
  try {
    for await (const line of linesOf(source)) await game.read(line, trust);
    await game.finish(trust);
  } catch (error) {
    const reason = error.check ? error.message : `this cannot be processed (${error?.name})`;
    findings.push({ check: error.check ?? "record", version: error.version ?? game.version, reason });
  }
  const { header, entries, system = "", status, discarded, signed_by, trusted, logged, ended } = game, ok = !findings.length;
  const about = { game: String(header?.game ?? ""), scope: header?.scope ?? "", system, status, entries, discarded };
  const brought = { keys: keys.length, ...game.brought, checkpoint: ok && Boolean(checkpoint) }, head = entries ? game.head : "";
  if (game.clock) about.clock = game.clock.report();
  return { ok, ...about, is_record: game.isRecord, signed_by, trusted, logged, brought, head, findings, stopped_early: !ended };
}
