// Validates the request for a call, in the contract's order: body, phone number, references.
import { agentById, numbersOfAgent, type KnownAgent } from "../agents/store.ts";
import type { Config } from "../config/schema.ts";
import { SECOND_MS } from "../core/clock.ts";
import { invalidField, missingField } from "../core/errors.ts";
import { assertMayBeCalled } from "../core/phone.ts";
import type { CallSource } from "./call/records.ts";
import type { Executor } from "../db/tables.ts";
import { checkedInfo } from "./additional-info.ts";
import { assertWordsFit } from "./call/agent-words.ts";
import { contactOf } from "./contact-fields.ts";
import type { CreateCallInput } from "./model.ts";
import type { NewCall } from "./call/new-call.ts";
import { parseScheduledTime } from "./queue/scheduled-time.ts";
import { assertCalleeLines } from "./call/simulated-callee.ts";

export async function checkedCall(
  executor: Executor,
  organisationId: string,
  input: CreateCallInput,
  source: CallSource,
  config: Config,
  now: number,
): Promise<NewCall> {
  const contact = checkedContact(input, source === "hook" ? "contact" : "user", config, now);
  const agent = await callableAgent(executor, organisationId, input.agent_id);
  assertWordsFit(agent, contact);
  return {
    ...contact,
    organisationId,
    agent,
    source,
    scheduledAt: contact.scheduledAt ?? now + config.calls.default_delay_seconds * SECOND_MS,
  };
}

/** Contact, values and time of a call, independent of the agent. */
export type CheckedContact = Pick<
  NewCall,
  "contactNumber" | "contactName" | "contactEmail" | "preferredLanguage" | "additionalInfo" | "place" | "identifiers"
> & {
  /** Null if the request names no time. */
  scheduledAt: number | null;
};

export function checkedContact(
  input: Omit<CreateCallInput, "agent_id">,
  names: "user" | "contact",
  config: Config,
  now: number,
): CheckedContact {
  const contact = contactOf(input, names);
  if (contact.number === undefined) throw invalidField(contact.numberField, missingField(contact.numberField));
  const additionalInfo = checkedInfo(input.additional_info ?? null);
  assertCalleeLines(additionalInfo, contact.number, config);
  const time = input.scheduled_time ?? null;
  const scheduledAt = time === null ? null : parseScheduledTime(time, now, config.calls.max_days_ahead);
  assertMayBeCalled(contact.number, contact.numberField, config.calls.allowed_ranges);
  return {
    contactNumber: contact.number,
    contactName: contact.name,
    contactEmail: contact.email,
    preferredLanguage: contact.preferredLanguage,
    place: { timeZone: contact.timeZone, region: contact.region },
    identifiers: contact.identifiers,
    additionalInfo,
    scheduledAt,
  };
}

export async function callableAgent(executor: Executor, organisationId: string, id: string): Promise<KnownAgent> {
  const agent = await agentById(executor, organisationId, id);
  if (!agent) throw invalidField("agent_id", "agent_id names no agent of this organisation.");
  if (agent.type !== "outbound")
    throw invalidField("agent_id", "agent_id names an inbound agent; an outbound agent is needed.");
  const numbers = await numbersOfAgent(executor, agent.id);
  if (numbers.length === 0)
    throw invalidField("agent_id", "agent_id names an agent without a phone number. Assign one first.");
  return agent;
}
