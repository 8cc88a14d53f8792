// Validates a waiting-list entry, in the contract's order: body, phone number, references.
import { agentById, agentsOf, numbersOfAgent } from "../agents/store.ts";
import { SESSIONS } from "../calendar/days.ts";
import type { TimeWish } from "../calendar/desk-port.ts";
import { isCalendarDate } from "../calendar/slot-id.ts";
import { invalidField } from "../core/errors.ts";
import { contactPlace } from "../core/given-place.ts";
import { assertMayBeCalled } from "../core/phone.ts";
import { addDays } from "../core/zones.ts";
import type { Agent } from "../agents/records.ts";
import type { Executor } from "../db/tables.ts";
import { checkedText } from "../payloads/identifiers.ts";
import type { PatchWaitingInput } from "./model.ts";
import type { WaitingEntry } from "./records.ts";

/** Longest waiting period for one appointment. */
const MOST_DAYS_AHEAD = 366;

type Wishes = Pick<WaitingEntry, "from_date" | "to_date" | "sessions">;

/** `today` is the branch's date; `before` is the entry before a change. */
export function checkedWishes(
  input: Pick<PatchWaitingInput, "from" | "to" | "sessions">,
  { today, daysAhead }: { today: string; daysAhead: number },
  before?: Wishes,
): Wishes {
  const from = checkedDate("from", input.from ?? before?.from_date ?? today);
  const to = checkedDate("to", input.to ?? before?.to_date ?? addDays(from < today ? today : from, daysAhead));
  if (to < from) throw invalidField("to", "to must not lie before from.");
  if (to < today) throw invalidField("to", "to must not lie in the past.");
  if (to > addDays(today, MOST_DAYS_AHEAD)) throw invalidField("to", "to must lie within the next year.");
  const sessions = input.sessions ? namedSessions(input.sessions) : (before?.sessions ?? []);
  return { from_date: from, to_date: to, sessions };
}

/** In the order of the day; all sessions are stored as none, which means any. */
function namedSessions(sessions: readonly string[]): Wishes["sessions"] {
  const named = SESSIONS.filter((session) => sessions.includes(session));
  return named.length === SESSIONS.length ? [] : named;
}

export function assertCallable(number: string, allowedRanges: readonly string[]): void {
  assertMayBeCalled(number, "contact_number", allowedRanges);
}

/** Throws if the named agent cannot call. */
export async function assertCalls(executor: Executor, organisationId: string, agentId: string): Promise<void> {
  const agent = await agentById(executor, organisationId, agentId);
  if (!agent) throw invalidField("agent_id", "agent_id names no agent of this organisation.");
  if (!(await canCall(executor, agent))) {
    throw invalidField(
      "agent_id",
      "agent_id names an agent that cannot call: it needs to be outbound and have a number.",
    );
  }
}

/** Default agent: one of the branch, or any that can call. Null if there is none. */
export async function agentForBranch(
  executor: Executor,
  organisationId: string,
  branchId: string,
  preferredId: string | null = null,
): Promise<string | null> {
  const callers: Agent[] = [];
  for (const agent of await agentsOf(executor, organisationId)) {
    if (await canCall(executor, agent)) callers.push(agent);
  }
  const found =
    callers.find(({ id }) => id === preferredId) ??
    callers.find(({ branch_id }) => branch_id === branchId) ??
    callers[0];
  return found?.id ?? null;
}

const canCall = async (executor: Executor, { id, type }: Agent): Promise<boolean> =>
  type === "outbound" && (await numbersOfAgent(executor, id)).length > 0;

/** Past dates say nothing about the days wanted. */
export function daysWished(wish: TimeWish | null, today: string): { from?: string; to?: string } {
  const to = wish?.dateEnd ?? wish?.date ?? null;
  return wish?.date && to !== null && to >= today ? { from: wish.date, to } : {};
}

/** The changed columns beside the wishes. */
export function givenColumns(input: PatchWaitingInput, before: WaitingEntry): Partial<WaitingEntry> {
  const { appointment_type_id, agent_id, contact_name, contact_number, contact_email, notes } = input;
  const { contact_identifiers: identifiers } = input;
  return {
    ...(appointment_type_id === undefined ? {} : { appointment_type_id: appointment_type_id?.toLowerCase() ?? null }),
    ...(agent_id === undefined ? {} : { agent_id }),
    ...(contact_name === undefined ? {} : { contact_name }),
    ...(contact_number === undefined ? {} : { contact_number }),
    ...(contact_email === undefined ? {} : { contact_email }),
    ...(identifiers === undefined ? {} : { contact_identifiers: checkedText(identifiers, "contact_identifiers") }),
    ...(notes === undefined ? {} : { notes }),
    ...contactPlace(input, before),
  };
}

function checkedDate(field: string, text: string): string {
  if (!isCalendarDate(text)) throw invalidField(field, `${field} must be a date as YYYY-MM-DD.`);
  return text;
}
