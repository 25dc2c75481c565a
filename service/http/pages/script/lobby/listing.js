// One list of games on the page: the newest ones, asked for again and again, and further ones where somebody wants them.

import { lookFurther } from "../common/following.js";
import { Row } from "./rows.js";

const PAGE = 10;
const MOST_CALLS = 3; // for one page, where most of the games looked at are not wanted

export class Listing {
  // `tell` hears whether the service is away.
  constructor(section, { api, status, act, tell }) {
    Object.assign(this, { section, api, status, act, rows: new Map(), further: [], next: null, system: "" });
    this.list = section.querySelector("ul");
    this.button = section.querySelector(".further");
    this.button.addEventListener("click", () => lookFurther(this.button, () => this.showFurther(), tell));
  }

  choose(system) {
    if (system !== this.system) Object.assign(this, { system, further: [], next: null });
  }

  // Asks for the newest games anew.
  async refresh() {
    const { system } = this;
    const { games, next } = await this.ask(null);
    if (system !== this.system) return;
    if (!this.further.length) this.next = next;
    this.draw(games);
  }

  async showFurther() {
    const { system } = this;
    const { games, next } = await this.ask(this.next);
    if (system !== this.system) return;
    this.further.push(...games);
    this.next = next;
    this.draw(this.newest);
  }

  async ask(cursor) {
    const games = [];
    for (let calls = 0; calls < MOST_CALLS; calls += 1) {
      const page = await this.api.get("/v1/games", { status: this.status, system: this.system, limit: PAGE - games.length, cursor });
      games.push(...page.games);
      cursor = page.next;
      if (cursor === null || games.length >= PAGE) break;
    }
    return { games, next: cursor };
  }

  draw(newest) {
    this.newest = newest;
    const games = new Map([...newest, ...this.further].map((each) => [each.game, each]));
    for (const [game, row] of this.rows) {
      // Who is about to press something there is told by its answer what has become of the game.
      if (games.has(game) || row.isFocused) continue;
      row.element.remove();
      this.rows.delete(game);
    }
    let place = this.list.firstElementChild;
    for (const game of games.values()) {
      if (!this.rows.has(game.game)) this.rows.set(game.game, new Row(game, this.act));
      const row = this.rows.get(game.game);
      row.show(game);
      if (row.element === place) place = place.nextElementSibling;
      else if (!(row.isFocused && row.element.isConnected)) this.list.insertBefore(row.element, place);
    }
    this.section.querySelector(".nothing").hidden = this.rows.size > 0 || this.next !== null;
    this.button.hidden = this.next === null;
  }
}
