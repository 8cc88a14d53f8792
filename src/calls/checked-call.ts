// Checks what a caller asks for, in the order the contract gives: body, then phone number, then references.
import { agentById, numbersOfAgent } from "../agents/store.ts";
import type { Config } from "../config/schema.ts";
import { SECOND_MS } from "../core/clock.ts";
import { invalidField } from "../core/errors.ts";
import { assertDiallable } from "../core/phone.ts";
import type { AgentRow, CallSource, Executor } from "../db/tables.ts";
import { contactOf } from "./contact-fields.ts";
import type { CreateCallInput } from "./model.ts";
import type { NewCall } from "./new-call.ts";
import { parseScheduledTime } from "./scheduled-time.ts";

const MOST_PAIRS = 25;
const LONGEST_KEY = 64;
/** Deeper than anybody nests by hand, far less than what would overflow a stack. */
const DEEPEST_INFO = 64;
const MOST_INFO_BYTES = 16 * 1024;

export async function checkedCall(
  executor: Executor,
  organisationId: string,
  input: CreateCallInput,
  source: CallSource,
  config: Config,
  now: number,
): Promise<NewCall> {
  const contact = contactOf(input, source === "hook" ? "contact" : "user");
  if (contact.number === undefined) throw invalidField(contact.numberField, `${contact.numberField} is required.`);
  const additionalInfo = checkedInfo(input.additional_info ?? null);
  const time = input.scheduled_time ?? null;
  const scheduledAt =
    time === null
      ? now + config.calls.default_delay_seconds * SECOND_MS
      : parseScheduledTime(time, now, config.calls.max_days_ahead);
  assertDiallable(contact.number, contact.numberField);
  const agent = await callableAgent(executor, organisationId, input.agent_id);
  return {
    organisationId,
    agent,
    source,
    contactNumber: contact.number,
    contactName: contact.name,
    contactEmail: contact.email,
    preferredLanguage: contact.preferredLanguage,
    additionalInfo,
    scheduledAt,
  };
}

async function callableAgent(executor: Executor, organisationId: string, id: string): Promise<AgentRow> {
  const agent = await agentById(executor, organisationId, id);
  if (!agent) throw invalidField("agent_id", "agent_id names no agent of this organisation.");
  if (agent.type !== "outbound")
    throw invalidField("agent_id", "agent_id names an inbound agent; an outbound agent is needed.");
  const numbers = await numbersOfAgent(executor, agent.id);
  if (numbers.length === 0)
    throw invalidField("agent_id", "agent_id names an agent without a phone number. Assign one first.");
  return agent;
}

function checkedInfo(info: Record<string, unknown> | null): Record<string, unknown> | null {
  if (info === null) return null;
  const keys = Object.keys(info);
  if (keys.length > MOST_PAIRS)
    throw invalidField("additional_info", `additional_info may hold at most ${MOST_PAIRS} pairs.`);
  if (keys.some((key) => key === "" || Array.from(key).length > LONGEST_KEY)) {
    throw invalidField("additional_info", `Keys of additional_info must have 1 to ${LONGEST_KEY} characters.`);
  }
  assertStorable(info, 0);
  if (Buffer.byteLength(JSON.stringify(info)) > MOST_INFO_BYTES) {
    throw invalidField("additional_info", `additional_info must not exceed ${MOST_INFO_BYTES / 1024} KiB.`);
  }
  return info;
}

/** 1e400 becomes Infinity in JSON.parse, and Infinity becomes null when it is stored: refused rather than changed. */
function assertStorable(value: unknown, depth: number): void {
  if (depth > DEEPEST_INFO) {
    throw invalidField("additional_info", `additional_info must not be nested deeper than ${DEEPEST_INFO} levels.`);
  }
  if (typeof value === "number" && !Number.isFinite(value)) {
    throw invalidField("additional_info", "additional_info holds a number that is too large to be kept.");
  }
  if (typeof value !== "object" || value === null) return;
  for (const item of Object.values(value)) assertStorable(item, depth + 1);
}
