// A seat in TypeScript: what is legal, sending one of it, and reading what happened. The types come from openapi.yaml:
// npx openapi-typescript openapi.yaml -o api.ts
import type { components, operations } from "./api.js";

type Legal = components["schemas"]["LegalCommandsAnswer"];
type Command = components["schemas"]["Command"];
type Done = operations["send_commands"]["responses"]["200"]["content"]["application/json"];
type Problem = components["schemas"]["ProblemAnswer"];

async function asked<Answer>(address: string, init: RequestInit): Promise<Answer> {
  const answer = await fetch(address, init);
  if (!answer.ok) {
    const problem = (await answer.json()) as Problem;
    throw new Error(`${problem.status} ${problem.code}: ${problem.detail}`);
  }
  return (await answer.json()) as Answer;
}

function ready(legal: Legal): Command[] {
  return legal.commands.filter((each): each is Command => !("form" in each));
}

export async function move(game: string, token: string): Promise<string[]> {
  const headers = { Authorization: `Bearer ${token}`, "Content-Type": "application/json" };
  const legal = await asked<Legal>(`${game}/commands`, { headers });
  const command = ready(legal)[0];
  if (command === undefined || !legal.waiting_for.includes(legal.seat)) return [];
  const key = `"${crypto.randomUUID()}"`;
  const sending = { method: "POST", headers: { ...headers, "Idempotency-Key": key }, body: JSON.stringify(command) };
  const done = await asked<Done>(`${game}/commands`, sending);
  return done.events.map(({ entry }) => describe(entry));
}

function describe(entry: components["schemas"]["LogEntry"]): string {
  switch (entry.type) {
    case "bean_planted":
      return `seat ${entry.data.seat} planted ${entry.data.card} on field ${entry.data.field}`;
    case "cards_drawn":
      return `seat ${entry.data.seat} drew ${entry.data.cards.length} cards`;
    default:
      return entry.type;
  }
}
