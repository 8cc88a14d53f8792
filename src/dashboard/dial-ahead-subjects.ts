// The people whom a request of the dashboard would call: named by calls, appointments, a waiting-list entry or numbers.
import { Type, type Static } from "@sinclair/typebox";
import { CallingHoursSchema, checkedCallingHours } from "../agents/calling-hours.ts";
import { appointmentOf } from "../calendar/appointment-store.ts";
import { callsAmong } from "../calls/call/named-calls.ts";
import { placeOf } from "../calls/call/new-call.ts";
import type { Callee } from "../calls/dial-ahead.ts";
import { campaignOf } from "../campaigns/campaign-store.ts";
import type { Actor } from "../core/actor.ts";
import { invalidField } from "../core/errors.ts";
import { parseIsoTime } from "../core/iso-time.ts";
import { nullable } from "../core/schema.ts";
import type { Executor } from "../db/tables.ts";
import type { ReminderService } from "../reminders/reminder-service.ts";
import type { AwaitedPlaces } from "../waiting-list/awaited.ts";

const MOST = 250;
const id = Type.String({ maxLength: 64 });

export const DialAheadBody = Type.Object({
  /** Ended calls that are repeated, or held calls that are released. */
  call_ids: Type.Optional(Type.Array(id, { maxItems: MOST })),
  /** With `agent_id`, or called by the agents of the reminder rules. */
  appointment_ids: Type.Optional(Type.Array(id, { maxItems: MOST })),
  waiting_id: Type.Optional(id),
  /** The first people of its list. */
  campaign_id: Type.Optional(id),
  /** With `agent_id`. */
  callees: Type.Optional(
    Type.Array(
      Type.Object({
        user_number: Type.String({ maxLength: 20 }),
        user_time_zone: Type.Optional(nullable(Type.String({ maxLength: 64 }))),
        user_region: Type.Optional(nullable(Type.String({ maxLength: 8 }))),
      }),
      { maxItems: MOST },
    ),
  ),
  agent_id: Type.Optional(id),
  calling_hours: Type.Optional(nullable(CallingHoursSchema)),
  scheduled_time: Type.Optional(Type.String({ maxLength: 40 })),
});
export type DialAheadInput = Static<typeof DialAheadBody>;

export interface DialAheadSubjectsDeps {
  reminders: Pick<ReminderService, "callersOf">;
  awaitedPlaces: Pick<AwaitedPlaces, "calleeOf">;
}

export const timeOf = ({ scheduled_time }: DialAheadInput): number | undefined =>
  scheduled_time === undefined ? undefined : parseIsoTime("scheduled_time", scheduled_time);

export async function calleesOf(
  { reminders, awaitedPlaces }: DialAheadSubjectsDeps,
  reader: Executor,
  organisationId: string,
  input: DialAheadInput,
  actor: Actor,
): Promise<Callee[]> {
  const { call_ids = [], appointment_ids = [], callees = [], agent_id, waiting_id, campaign_id } = input;
  const ownHours = checkedCallingHours(input.calling_hours);
  const calls = await callsAmong(reader, organisationId, call_ids, actor.reach);
  const people: Callee[] = calls
    .filter(({ direction }) => direction === "outbound")
    .map((call) => ({
      agentId: call.agent_id,
      number: call.contact_number,
      place: placeOf(call),
      source: "dashboard",
      ownHours: call.calling_hours,
    }));
  const callers = await reminders.callersOf(organisationId, appointment_ids, agent_id ?? null);
  for (const appointmentId of appointment_ids) {
    const appointment = await appointmentOf(reader, organisationId, appointmentId);
    const agentId = callers.get(appointmentId);
    if (!appointment || appointment.contact_number === null || agentId === undefined) continue;
    people.push({ agentId, number: appointment.contact_number, place: placeOf(appointment), source: "reminder" });
  }
  if (campaign_id !== undefined) people.push(...(await calleesOfCampaign(reader, organisationId, campaign_id)));
  if (waiting_id !== undefined) people.push(...(await awaitedPlaces.calleeOf(organisationId, waiting_id)));
  if (callees.length > 0 && agent_id === undefined) throw invalidField("agent_id", "Name the agent that calls.");
  for (const { user_number: number, user_time_zone, user_region } of callees) {
    const place = { timeZone: user_time_zone ?? null, region: user_region ?? null };
    people.push({ agentId: agent_id ?? "", number, place, source: "dashboard", ownHours });
  }
  return people;
}

/** People of a list who are asked about; their hours are rarely different from those of the others. */
const MOST_OF_CAMPAIGN = 100;

async function calleesOfCampaign(reader: Executor, organisationId: string, id: string): Promise<Callee[]> {
  const campaign = await campaignOf(reader, organisationId, id);
  if (!campaign) return [];
  const rows = await reader
    .selectFrom("campaign_rows")
    .select(["contact_number", "contact_time_zone", "contact_region"])
    .where("campaign_id", "=", id)
    .orderBy("row_number")
    .limit(MOST_OF_CAMPAIGN)
    .execute();
  return rows.flatMap(({ contact_number: number, ...given }) =>
    number === null
      ? []
      : [
          {
            agentId: campaign.agent_id,
            number,
            place: placeOf(given),
            source: "campaign" as const,
            ownHours: campaign.calling_hours,
          },
        ],
  );
}
