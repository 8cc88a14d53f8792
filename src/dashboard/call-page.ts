// Data of the call pages: a row of the list, and all data of one call in a single response.
import type { Actor } from "../core/actor.ts";
import type { AppointmentService } from "../calendar/appointment-service.ts";
import type { DoNotDisturbService } from "../calls/people/do-not-disturb.ts";
import type { CallView } from "../calls/model.ts";
import type { CallService } from "../calls/service.ts";
import type { WouldBeHeld } from "../calls/would-be-held.ts";
import { isCallWithin } from "../calls/call/named-calls.ts";
import { callOf, resultOf } from "../calls/call/store.ts";
import { callTimeline } from "../calls/life/timeline.ts";
import { toIso } from "../core/clock.ts";
import { withoutTrunkZero } from "../core/trunk-zero.ts";
import type { Database } from "../db/database.ts";
import type { DeliveryService } from "../events/delivery-service.ts";
import type { ContactIds } from "../calls/people/contact-ids.ts";
import { endpointsOf } from "../events/endpoint-store.ts";
import type { ShareService } from "../media/share-service.ts";
import type { HoldService } from "../rules/holds/hold-service.ts";
import type { TurnTimes } from "../payloads/turn-times.ts";

export interface CallPageDeps {
  db: Database;
  calls: CallService;
  appointments: AppointmentService;
  deliveries: DeliveryService;
  shares: ShareService;
  doNotDisturb: Pick<DoNotDisturbService, "has">;
  contactIds: ContactIds;
  holds: Pick<HoldService, "about">;
  wouldBeHeld: WouldBeHeld;
}

const MOST_DELIVERIES = 100;

/** A row without transcript and analysis: the list is fetched again at every change. */
export function callListRow(call: CallView) {
  return {
    call_id: call.call_id,
    status: call.status,
    call_direction: call.call_direction,
    contact_name: call.contact_name,
    contact_number: call.contact_number,
    agent_name: call.agent_name,
    created_at: call.created_at,
    scheduled_at: call.scheduled_at,
    call_triggered_at: call.call_triggered_at,
    call_duration_seconds: call.call_duration_seconds,
    hold_reason: call.hold_reason,
    next_attempt_at: call.next_attempt_at,
    disposition: call.call_analytics?.disposition ?? null,
    error: call.error,
    simulated: call.simulated,
  };
}
export type CallListRow = ReturnType<typeof callListRow>;

/**
 * Normalizes a search text: phone numbers are typed with spaces, brackets and a trunk prefix 0, but stored in E.164.
 * Names are unchanged.
 */
export function searchText(text: string): string {
  const isNumber = /^[\d\s+()./-]+$/.test(text) && /\d/.test(text);
  return isNumber ? withoutTrunkZero(text.replaceAll(/[\s()./-]/g, "").replace(/^0+(?=\d)/, "")) : text;
}

export function createCallPage({
  db,
  calls,
  appointments,
  deliveries,
  shares,
  doNotDisturb,
  holds,
  contactIds,
  wouldBeHeld,
}: CallPageDeps) {
  /** Null if there is none, or if it was erased. */
  async function linkedCall(organisationId: string, id: string | null, { reach }: Actor) {
    const call = id === null ? undefined : await callOf(db.reader, organisationId, id);
    if (call && reach && !(await isCallWithin(db.reader, call.id, reach))) return null;
    return call ? { call_id: call.id, status: call.state, scheduled_at: toIso(call.scheduled_at) } : null;
  }

  /** Only the host identifies the receiver; the rest of the URL may contain a secret. */
  async function deliveriesOf(organisationId: string, callId: string) {
    const hosts = new Map((await endpointsOf(db.reader, organisationId)).map(({ id, url }) => [id, new URL(url).host]));
    const rows = await deliveries.list({ organisationId, callId, limit: MOST_DELIVERIES });
    return rows.map((row) => ({ ...row, endpoint_host: hosts.get(row.endpoint_id) ?? "" }));
  }

  return async (organisationId: string, callId: string, actor: Actor) => {
    const call = await calls.get(organisationId, callId, actor);
    const token = call.status === "completed" ? await shares.tokenFor(organisationId, callId) : null;
    return {
      call,
      timeline: await callTimeline(db.reader, organisationId, callId),
      appointment: await appointments.ofCall(db.reader, callId, actor.reach),
      follows: await linkedCall(organisationId, call.follows_call_id, actor),
      followed_by: await linkedCall(organisationId, call.scheduled_call_id, actor),
      deliveries: await deliveriesOf(organisationId, callId),
      turns: turnsIn((await resultOf(db.reader, callId))?.turn_times ?? null),
      contact_id: contactIds.idOf(organisationId, call.contact_number),
      // A hold on the person may be about another branch.
      holds: await holds.about(organisationId, actor.reach ? [callId] : [callId, call.contact_number]),
      /** Hold reasons and refusal codes, where rules are not enforced. */
      would_be_held_by: await wouldBeHeld(organisationId, callId),
      is_do_not_disturb: await doNotDisturb.has(organisationId, call.contact_number),
      single_share: await shares.single.of(callId),
      share_url: token === null ? null : shares.detailsUrl(callId, token),
    };
  };
}

const turnsIn = (json: string | null): TurnTimes[] => (json === null ? [] : (JSON.parse(json) as TurnTimes[]));

export type CallPageData = Awaited<ReturnType<ReturnType<typeof createCallPage>>>;
