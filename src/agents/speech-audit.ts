// Permission for a language model to speak in its own words: owners and the command line only. Granting and revoking it
// are audited.
import type { Audit } from "../accounts/audit.ts";
import type { Actor } from "../core/actor.ts";
import { AppError } from "../core/errors.ts";
import type { Tx } from "../db/tables.ts";
import type { Agent } from "./records.ts";

/** `before`: the previous setting. */
export async function changeSpeech(
  tx: Tx,
  audit: Audit,
  { before, agent, actor }: { before: string; agent: Agent; actor: Actor },
): Promise<void> {
  if (agent.model_speech === before) return;
  if (agent.model_speech === "free") assertMayFree(actor);
  await audit.record(tx, {
    organisationId: agent.organisation_id,
    actor,
    action: "agent.model_speech_changed",
    subjectId: agent.id,
    detail: { model_speech: agent.model_speech },
  });
}

function assertMayFree({ kind, role }: Actor): void {
  if (kind === "cli" || kind === "system" || role === "owner") return;
  throw new AppError(
    "INSUFFICIENT_SCOPE",
    "Only an owner may let a language model speak in its own words (model_speech: free). Ask an owner, or keep chosen.",
  );
}
