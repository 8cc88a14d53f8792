// An agent that is in use, or the refusal.
import { AppError } from "../core/errors.ts";
import type { Executor } from "../db/tables.ts";
import type { Agent } from "./records.ts";
import { agentById } from "./store.ts";

export async function mustFindAgent(executor: Executor, organisationId: string, id: string): Promise<Agent> {
  const row = await agentById(executor, organisationId, id);
  if (!row || row.archived_at !== null) throw new AppError("NOT_FOUND", "There is no agent with this id.");
  return row;
}
