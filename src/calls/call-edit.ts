// Edits a scheduled call: its time and the values for its agent.
import type { Actor } from "../core/actor.ts";
import type { Audit } from "../accounts/audit.ts";
import { agentById } from "../agents/store.ts";
import type { Config } from "../config/schema.ts";
import type { Clock } from "../core/clock.ts";
import { AppError } from "../core/errors.ts";
import type { Database } from "../db/database.ts";
import type { Call } from "./call/records.ts";
import type { Tx } from "../db/tables.ts";
import { checkedInfo } from "./additional-info.ts";
import type { EditCallInput } from "./model.ts";
import { additionalInfoOf, belongingOf } from "./call/new-call.ts";
import { assertWordsFit, missingWords } from "./call/agent-words.ts";
import { parseScheduledTime } from "./queue/scheduled-time.ts";
import { assertCalleeLines } from "./call/simulated-callee.ts";
import { callOf, updateCall, type CallChange } from "./call/store.ts";

export interface CallEditDeps {
  db: Database;
  clock: Clock;
  config: Config;
  audit: Audit;
  wake: () => void;
}

export function createCallEdit({ db, clock, config, audit, wake }: CallEditDeps) {
  return async (organisationId: string, callId: string, input: EditCallInput, actor: Actor): Promise<void> => {
    await db.write(async (tx) => {
      const call = await callOf(tx, organisationId, callId);
      if (!call) throw new AppError("NOT_FOUND", "There is no call with this id.");
      if (call.state !== "scheduled") {
        throw new AppError("CONFLICT", `This call is ${call.state}; only a scheduled call can be changed.`);
      }
      const now = clock.now();
      const change = { ...(await valuesOf(tx, call, input, config)), ...timeOf(input, now), updated_at: now };
      await updateCall(tx, callId, change);
      const detail = { fields: Object.keys(input) };
      await audit.record(tx, { organisationId, actor, action: "call.changed", subjectId: callId, detail });
    });
    wake();
  };

  function timeOf({ scheduled_time }: EditCallInput, now: number): Pick<CallChange, "scheduled_at" | "next_at"> {
    if (typeof scheduled_time !== "string") return {};
    const at = parseScheduledTime(scheduled_time, now, config.calls.max_days_ahead);
    return { scheduled_at: at, next_at: at };
  }
}

export type CallEdit = ReturnType<typeof createCallEdit>;

async function valuesOf(tx: Tx, call: Call, input: EditCallInput, config: Config) {
  const contactName = input.user_name === undefined ? call.contact_name : input.user_name;
  const additionalInfo =
    input.additional_info === undefined ? additionalInfoOf(call) : checkedInfo(input.additional_info);
  if (input.additional_info) assertCalleeLines(additionalInfo, call.contact_number, config);
  const agent = await agentById(tx, call.organisation_id, call.agent_id);
  if (!agent) throw new Error("A call has no agent.");
  assertWordsFit(agent, { additionalInfo, contactName });
  return {
    contact_name: contactName,
    additional_info: additionalInfo === null ? null : JSON.stringify(additionalInfo),
    missing_placeholders: missingWords(agent, { additionalInfo, contactName }),
    ...belongingOf(additionalInfo, agent),
  };
}
