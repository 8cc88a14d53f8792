// Queries about the numbers of a list: which are on the do-not-disturb list, and which an agent has called recently.
import { createTurns } from "../core/clock.ts";
import type { Executor } from "../db/tables.ts";

/** Per query; SQLite accepts a few thousand parameters. */
const NUMBERS_A_QUESTION = 500;

export async function numbersOnDoNotDisturb(
  executor: Executor,
  organisationId: string,
  numbers: readonly string[],
): Promise<Set<string>> {
  const found = await inParts(numbers, async (part) => {
    const rows = await executor
      .selectFrom("do_not_disturb")
      .select("number")
      .where("organisation_id", "=", organisationId)
      .where("number", "in", part)
      .execute();
    return rows.map(({ number }) => number);
  });
  return new Set(found);
}

export async function numbersCalledSince(
  executor: Executor,
  { organisationId, agentId, since }: { organisationId: string; agentId: string; since: number },
  numbers: readonly string[],
): Promise<Set<string>> {
  const found = await inParts(numbers, async (part) => {
    const rows = await executor
      .selectFrom("calls")
      .select("contact_number")
      .distinct()
      .where("organisation_id", "=", organisationId)
      .where("contact_number", "in", part)
      .where("agent_id", "=", agentId)
      .where("direction", "=", "outbound")
      .where("triggered_at", ">=", since)
      .execute();
    return rows.map(({ contact_number }) => contact_number);
  });
  return new Set(found);
}

async function inParts(
  numbers: readonly string[],
  ask: (part: readonly string[]) => Promise<string[]>,
): Promise<string[]> {
  const found: string[] = [];
  const turn = createTurns();
  for (let from = 0; from < numbers.length; from += NUMBERS_A_QUESTION) {
    found.push(...(await ask(numbers.slice(from, from + NUMBERS_A_QUESTION))));
    await turn();
  }
  return found;
}
