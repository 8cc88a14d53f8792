// Validates the request for a campaign: first the campaign, then each row.
import { TypeCompiler } from "@sinclair/typebox/compiler";
import type { KnownAgent } from "../agents/store.ts";
import { checkedCallingHours, commonHours, type CallingHours } from "../agents/calling-hours.ts";
import { callableAgent, checkedContact, type CheckedContact } from "../calls/checked-call.ts";
import { assertNoMistakenFields } from "../calls/mistaken-fields.ts";
import { assertWordsFit, missingWords } from "../calls/call/agent-words.ts";
import { parseScheduledTime } from "../calls/queue/scheduled-time.ts";
import type { Config } from "../config/schema.ts";
import { createTurns } from "../core/clock.ts";
import { AppError, invalidField } from "../core/errors.ts";
import { lazily } from "../core/lazily.ts";
import { fieldFaults } from "../core/schema-words.ts";
import type { Agent } from "../agents/records.ts";
import type { Executor } from "../db/tables.ts";
import { CampaignRowSchema, DEFAULT_PER_MINUTE, type CampaignInput, type RefusedRow } from "./model.ts";
import { knownRules, policyOfAgent, type RetryPolicy } from "./retry.ts";

export interface CheckedRow extends CheckedContact {
  row: number;
}

export interface CheckedCampaign {
  agent: KnownAgent;
  name: string;
  startAt: number;
  callsPerMinute: number;
  callingHours: CallingHours | null;
  retry: RetryPolicy;
  accepted: CheckedRow[];
  refused: RefusedRow[];
  /** Placeholders without a value, with the number of rows. */
  missing: Map<string, number>;
}

const rowSchema = lazily(() => TypeCompiler.Compile(CampaignRowSchema));
const ROW_FIELDS = new Set(Object.keys(CampaignRowSchema.properties));
/** Row number that the user sees in a list read from a file. */
const ROW_NUMBER = "row";
const MOST_ROW_NUMBER = 10_000_000;

export async function checkedCampaign(
  executor: Executor,
  organisationId: string,
  input: CampaignInput,
  config: Config,
  now: number,
): Promise<CheckedCampaign> {
  const agent = await callableAgent(executor, organisationId, input.agent_id);
  const checked: CheckedCampaign = {
    agent,
    name: input.name.trim(),
    startAt: startOf(input.start_at ?? null, now, config.calls.max_days_ahead),
    callsPerMinute: input.calls_per_minute ?? DEFAULT_PER_MINUTE,
    callingHours: ownHours(input.calling_hours, agent),
    retry: input.retry ? knownRules(input.retry) : policyOfAgent(agent),
    accepted: [],
    refused: [],
    missing: new Map(),
  };
  const taken = new Set<number>();
  const turn = createTurns();
  for (const [index, fields] of input.rows.entries()) {
    await turn();
    const row = rowNumberOf(fields, index + 1);
    const fault = taken.has(row)
      ? { field: ROW_NUMBER, message: "Another row has this number." }
      : takeRow(checked, row, fields, config, now);
    taken.add(row);
    if (fault) checked.refused.push({ row, ...fault });
  }
  return checked;
}

/** Adds the row to the list, or returns its errors. */
function takeRow(checked: CheckedCampaign, row: number, fields: unknown, config: Config, now: number) {
  try {
    const contact = checkedRow(fields, config, now);
    assertWordsFit(checked.agent, contact);
    checked.accepted.push({ row, ...contact });
    for (const name of missingWords(checked.agent, contact))
      checked.missing.set(name, (checked.missing.get(name) ?? 0) + 1);
    return null;
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const [detail] = error.details;
    return { field: detail?.field ?? "row", message: detail?.message ?? error.message };
  }
}

function checkedRow(fields: unknown, config: Config, now: number): CheckedContact {
  if (typeof fields !== "object" || fields === null || Array.isArray(fields))
    throw invalidField("row", "A row must be an object with user_number and what else is known.");
  if (!rowSchema().Check(fields)) {
    const details = fieldFaults(rowSchema().Errors(fields));
    throw new AppError("VALIDATION_ERROR", details[0]?.message ?? "The row is not valid.", { details });
  }
  const unknown = Object.keys(fields).filter((name) => !ROW_FIELDS.has(name) && name !== ROW_NUMBER);
  assertNoMistakenFields(unknown, "api");
  return checkedContact(fields, "user", config, now);
}

function rowNumberOf(fields: unknown, position: number): number {
  const { [ROW_NUMBER]: named } = (typeof fields === "object" && fields !== null ? fields : {}) as { row?: unknown };
  const isNumber = typeof named === "number" && Number.isInteger(named) && named >= 1 && named <= MOST_ROW_NUMBER;
  return isNumber ? named : position;
}

function startOf(text: string | null, now: number, maxDaysAhead: number): number {
  if (text === null) return now;
  try {
    return parseScheduledTime(text, now, maxDaysAhead);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    throw invalidField("start_at", error.message.replace("scheduled_time", "start_at"));
  }
}

function ownHours(value: unknown, agent: Agent): CallingHours | null {
  const own = checkedCallingHours(value);
  if (own && commonHours(own, agent.calling_hours)?.days.length === 0)
    throw invalidField(
      "calling_hours",
      "calling_hours do not overlap the agent's own calling hours, so no call could go out.",
    );
  return own;
}
