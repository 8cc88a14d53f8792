// Audit entry of who let a language model speak in its own words, and who took that back.
import type { Audit } from "../accounts/audit.ts";
import type { Actor } from "../core/actor.ts";
import type { AgentRow, Tx } from "../db/tables.ts";

export async function noteSpeech(tx: Tx, audit: Audit, agent: AgentRow, actor: Actor): Promise<void> {
  await audit.record(tx, {
    organisationId: agent.organisation_id,
    actor,
    action: "agent.model_speech_changed",
    subjectId: agent.id,
    detail: { model_speech: agent.model_speech },
  });
}
