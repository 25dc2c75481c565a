// Accepting an offer where there is a choice of cards: which of one's cards pay for what is wanted.

import { say } from "../common/words.js";
import { element } from "../table/elements.js";
import { pressable } from "./buttons.js";
import { acceptanceOf } from "./commands.js";
import { cardName, cardOf, ownHand, revealed, sceneFollowers } from "./now.js";
import { send } from "./sending.js";
import { cardToggle } from "./trade_parts.js";

// Opens the dialog in which cards are chosen; at first those from the back of the hand are.
export function payments([number, , sentence], form) {
  const chosen = form.payments.map(() => new Set()); // of "hand:4" or "revealed:2", for each payment
  const taken = () => new Set(chosen.flatMap((each) => [...each]));
  form.payments.forEach((payment, place) => {
    const free = placesIn(payment).filter((each) => !taken().has(each));
    for (const each of free.slice(0, payment.count)) chosen[place].add(each);
  });

  const toggles = new Map();
  const counts = form.payments.map(() => element("span", { class: "quiet" }));
  const done = pressable(say("accept"), accept, { class: "act main", "data-act": "accept-with" });
  const dialog = element("dialog", { class: "choice payment", "aria-labelledby": "payment-title" },
    element("h2", { id: "payment-title", text: say("which_cards") }),
    element("p", { text: sentence }),
    ...form.payments.map(fieldset),
    element("div", { class: "choices" }, done, pressable(say("cancel"), () => dialog.close(), { class: "act quiet-act" })));

  function fieldset(payment, place) {
    const cards = placesIn(payment).map((each) => {
      const [where, card] = each.split(":");
      const list = where === "hand" ? ownHand() : revealed();
      const held = list.find(([every]) => every === Number(card));
      const made = cardToggle(held[1], held[0], where === "hand" ? "" : say("revealed_card"), () => press(payment, place, each));
      toggles.set(`${place} ${each}`, made);
      return made;
    });
    return element("fieldset", {}, element("legend", { text: say("pay", { count: payment.count, card: cardName(cardOf(payment.card)) }) }),
      element("div", { class: "cards" }, ...cards), counts[place]);
  }

  // Where as many are chosen as are wanted, another one takes the place of the first.
  function press(payment, place, each) {
    const own = chosen[place];
    if (!own.delete(each)) {
      for (const other of chosen) other.delete(each);
      if (own.size === payment.count) own.delete([...own][0]);
      own.add(each);
    }
    show();
  }

  function show() {
    for (const [key, made] of toggles) {
      const [place, each] = key.split(" ");
      made.setAttribute("aria-pressed", String(chosen[place].has(each)));
    }
    form.payments.forEach((payment, place) => {
      counts[place].textContent = say("chosen_of", { number: chosen[place].size, count: payment.count });
    });
    done.setAttribute("aria-disabled", String(!isPaid()));
  }

  const isPaid = () => form.payments.every((payment, place) => chosen[place].size === payment.count);

  async function accept() {
    if (!isPaid()) return;
    const numbers = (where) => [...taken()].filter((each) => each.startsWith(`${where}:`)).map((each) => Number(each.split(":")[1]));
    const open = [...form.revealed, ...numbers("revealed")];
    dialog.close();
    await send({ type: "accept", offer: number, ...(numbers("hand").length ? { hand: numbers("hand") } : {}), ...(open.length ? { revealed: open } : {}) });
  }

  // It closes by itself when the offer has gone, or can be paid otherwise now.
  function stillOpen() {
    if (JSON.stringify(acceptanceOf(number)?.command.form) !== JSON.stringify(form)) dialog.close();
  }
  sceneFollowers.push(stillOpen);
  dialog.addEventListener("close", () => {
    sceneFollowers.splice(sceneFollowers.indexOf(stillOpen), 1);
    dialog.remove();
  });
  show();
  document.body.append(dialog);
  dialog.showModal();
}

// What could pay: revealed cards first, which one would have to plant, then the hand from its back.
function placesIn(payment) {
  return [...payment.revealed.map((each) => `revealed:${each}`), ...[...payment.hand].reverse().map((each) => `hand:${each}`)];
}
