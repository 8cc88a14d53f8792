// Offers open slots to the waiting list: calls the next suitable person and reserves the slot for them. Openings are
// rows, and each is handled in one transaction, so a crash loses none and two people are never called about one slot.
import type { Audit } from "../accounts/audit.ts";
import { agentById, numbersOfAgent } from "../agents/store.ts";
import { capacityOf, type Capacity } from "../calendar/capacity.ts";
import { datesOn, dayOf, localNow, MOST_DAYS } from "../calendar/days.ts";
import { beginsIn } from "../calendar/moments.ts";
import { holdPlace } from "../calendar/hold.ts";
import { zoneOfWindow } from "../calendar/tracking-service.ts";
import { deleteHoldsOfCall, heldSlots, nextHoldEnd, windowDate, windowOf } from "../calendar/window-store.ts";
import { newCallRow, placeOf } from "../calls/call/new-call.ts";
import { insertCall } from "../calls/call/store.ts";
import { SYSTEM_ACTOR, type Actor } from "../core/actor.ts";
import { HOUR_MS, type Clock } from "../core/clock.ts";
import type { Ids } from "../core/ids.ts";
import { addDays, instantOf } from "../core/zones.ts";
import type { Agent } from "../agents/records.ts";
import type { BookingWindow } from "../calendar/records.ts";
import type { Call } from "../calls/call/records.ts";
import type { Executor, Tx } from "../db/tables.ts";
import { identifiersIn } from "../payloads/identifiers.ts";
import { closeOpening, endOffer, insertOffer, isOnOffer, lookAgain, noteOpening, openingOn } from "./offer-store.ts";
import type { WaitingEntry, WaitingOffer, WaitingOpening } from "./records.ts";
import { askableUntil, callableAt, hoursFor, type WaitingSettings } from "./rules.ts";
import { entriesForPlace, entryById, lastDayAwaited, updateEntry } from "./store.ts";

/** Several slots may open at once; each takes a few milliseconds, and the next look continues. */
const MOST_OFFERS_PER_LOOK = 10;
/** Suitable people examined per slot; it is unlikely that more are unreachable at once. */
const MOST_LOOKED_AT = 200;
/** Interval while the slot is reserved or on offer. A reservation or call that ends sooner triggers a look itself. */
const LOOK_AGAIN_MS = HOUR_MS;

export interface OfferDeps {
  clock: Clock;
  ids: Ids;
  audit: Audit;
  settings: WaitingSettings;
}

/** A window on a date, in its branch's time zone. */
export interface Place {
  window: BookingWindow;
  date: string;
  zone: string;
}

/** Suitable people in order of their turn, without those asked in this look. */
interface Turn {
  people: WaitingEntry[] | null;
  isShareFull: boolean;
}

type Look = "offered" | "over" | { lookAgainAt: number };

export class WaitingOffers {
  constructor(private readonly deps: OfferDeps) {}

  /** Offers an open slot while there is a person to ask; does nothing before its due time. */
  async look(tx: Tx, { window_id, date }: Pick<WaitingOpening, "window_id" | "date">): Promise<void> {
    const now = this.deps.clock.now();
    const opening = await openingOn(tx, window_id, date);
    if (!opening || opening.next_at > now) return;
    const window = await windowOf(tx, opening.organisation_id, window_id);
    if (!window) return closeOpening(tx, window_id, date);
    if (date === "") return this.#eachDate(tx, window, now);
    const place = { window, date, zone: await zoneOfWindow(tx, window) };
    const turn: Turn = { people: null, isShareFull: false };
    for (let offers = 0; offers < MOST_OFFERS_PER_LOOK; offers++) {
      const found = await this.#offerNext(tx, place, turn, opening.opened_at, now);
      if (found === "over") return closeOpening(tx, window_id, date);
      if (found !== "offered") return lookAgain(tx, window_id, date, found.lookAgainAt);
    }
  }

  /** The whole window has more capacity: records an opening for each date with waiting people. */
  async #eachDate(tx: Tx, window: BookingWindow, now: number): Promise<void> {
    const { organisation_id, branch_id } = window;
    const last = await lastDayAwaited(tx, organisation_id, branch_id);
    const { date: today, zone } = localNow(this.deps.clock, await zoneOfWindow(tx, window));
    const begins = beginsIn(zone);
    const farthest = addDays(today, MOST_DAYS - 1);
    const to = last === null || last > farthest ? farthest : last;
    const dates = last === null || to < today ? [] : datesOn(window.day, { from: today, to });
    for (const date of dates.filter((each) => begins(each, window.start_time))) {
      const { status, available } = await capacityOn(tx, window, date, now);
      if (status === "OPEN" && available > 0)
        await noteOpening(tx, { window_id: window.id, date, organisation_id }, now);
    }
    await closeOpening(tx, window.id, "");
  }

  async #offerNext(tx: Tx, place: Place, turn: Turn, openedAt: number, now: number): Promise<Look> {
    const { window, date, zone } = place;
    const { settings } = this.deps;
    const until = askableUntil(window, date, zone, settings);
    const capacity = await capacityOn(tx, window, date, now);
    if (capacity.status === "CLOSED" || dayOf(date) !== window.day || until <= now) return "over";
    if (!beginsIn(zone)(date, window.start_time)) return "over";
    if (capacity.available <= 0) {
      const heldUntil = await nextHoldEnd(tx, window.id, date, now);
      return heldUntil === null ? "over" : { lookAgainAt: Math.min(heldUntil, now + LOOK_AGAIN_MS) };
    }
    const isShareFull = capacity.aiAvailable <= 0;
    // Ten thousand may wait, so they are read once per look, and again if the agent's share became full.
    if (turn.people === null || turn.isShareFull !== isShareFull)
      Object.assign(turn, { people: await this.#suitable(tx, place, openedAt, isShareFull), isShareFull });
    for (const entry of turn.people ?? []) {
      const agent = await callerOf(tx, entry);
      if (!agent) continue;
      const at = callableAt(hoursFor(agent, settings), entry, now);
      if (at === null || at >= until) continue;
      // It is their turn: the slot waits until their calling hours open.
      if (at > now) return { lookAgainAt: at };
      await this.offer(tx, { entry, agent, place, openedAt }, SYSTEM_ACTOR);
      // A person is called about one slot at a time.
      turn.people = turn.people?.filter(({ contact_number }) => contact_number !== entry.contact_number) ?? null;
      return "offered";
    }
    return (await isOnOffer(tx, window.id, date)) ? { lookAgainAt: now + LOOK_AGAIN_MS } : "over";
  }

  #suitable(tx: Tx, { window, date, zone }: Place, openedAt: number, isAgentsShareFull: boolean) {
    return entriesForPlace(tx, {
      organisationId: window.organisation_id,
      branchId: window.branch_id,
      serviceId: window.appointment_type_id,
      session: window.session,
      windowId: window.id,
      date,
      openedAt,
      dayBegan: instantOf(localNow(this.deps.clock, zone).date, 0, zone),
      callsPerDay: this.deps.settings.calls_per_day,
      isAgentsShareFull,
      limit: MOST_LOOKED_AT,
    });
  }

  /** Creates the call, the reservation and the offer in one transaction. The caller has checked the capacity. */
  async offer(
    tx: Tx,
    { entry, agent, place, openedAt }: { entry: WaitingEntry; agent: Agent; place: Place; openedAt: number },
    actor: Actor,
  ): Promise<string> {
    const { clock, ids, audit, settings } = this.deps;
    const { window, date } = place;
    const now = clock.now();
    const hours = hoursFor(agent, settings);
    // If the call has to wait for a line, it is still dialled within these hours.
    const call: Call = {
      ...newCallRow(ids, callAbout(entry, agent, place, now), now),
      calling_hours: hours,
    };
    await insertCall(tx, call);
    await audit.record(tx, {
      organisationId: entry.organisation_id,
      actor,
      action: "waiting.offered",
      subjectId: entry.id,
      detail: { call_id: call.id, date },
    });
    await holdPlace(tx, { ids }, { windowId: window.id, date, callId: call.id }, now);
    await insertOffer(tx, {
      id: ids.next("wof"),
      organisation_id: entry.organisation_id,
      entry_id: entry.id,
      window_id: window.id,
      date,
      call_id: call.id,
      state: "calling",
      offered_at: Math.max(now, openedAt),
      ended_at: null,
    });
    await updateEntry(tx, entry.id, { state: "offered", updated_at: now });
    return call.id;
  }

  /** The call has ended. A person who has not answered keeps their turn, and the next one is called. */
  async finished(tx: Tx, call: Pick<Call, "id" | "source">, offer: WaitingOffer | undefined): Promise<void> {
    if (call.source !== "waiting_list") return;
    if (offer) await this.end(tx, offer, "unanswered");
    else await deleteHoldsOfCall(tx, call.id);
  }

  /** The person declined. If they answer again, the last answer counts. */
  async declined(tx: Tx, offer: WaitingOffer, stays: boolean): Promise<void> {
    const state = stays ? "declined" : "left";
    await this.end(tx, offer, state);
    if (offer.state === "calling") return;
    const now = this.deps.clock.now();
    await endOffer(tx, offer.id, state, now);
    const entry = await entryById(tx, offer.entry_id);
    if (!stays && entry?.state === "waiting") await updateEntry(tx, entry.id, { state: "left", updated_at: now });
    if (stays && entry?.state === "left") await updateEntry(tx, entry.id, { state: "waiting", updated_at: now });
  }

  /** The call was cancelled before it was dialled: it does not count, and the same person is called later. */
  async undialled(tx: Tx, offer: WaitingOffer, later: number): Promise<void> {
    await this.end(tx, offer, "undialled", later);
    await endOffer(tx, offer.id, "undialled", this.deps.clock.now());
  }

  /** Releases the slot, once. `later`: when to look for the next person; at once without it. */
  async end(
    tx: Tx,
    offer: WaitingOffer,
    state: Exclude<WaitingOffer["state"], "calling" | "booked">,
    later?: number,
  ): Promise<void> {
    const now = this.deps.clock.now();
    await deleteHoldsOfCall(tx, offer.call_id);
    if (offer.state === "calling") {
      await endOffer(tx, offer.id, state, now);
      const entry = await entryById(tx, offer.entry_id);
      if (entry?.state === "offered") {
        await updateEntry(tx, entry.id, { state: state === "left" ? "left" : "waiting", updated_at: now });
      }
    }
    await lookAgain(tx, offer.window_id, offer.date, later ?? now);
  }
}

export async function capacityOn(
  executor: Executor,
  window: BookingWindow,
  date: string,
  now: number,
): Promise<Capacity> {
  const held = await heldSlots(executor, window.id, date, now);
  return capacityOf(window, await windowDate(executor, window.id, date), held);
}

/** The agent for the call; undefined if it cannot call. */
export async function callerOf(
  executor: Executor,
  { organisation_id, agent_id }: Pick<WaitingEntry, "organisation_id" | "agent_id">,
): Promise<Agent | undefined> {
  const agent = agent_id === null ? undefined : await agentById(executor, organisation_id, agent_id);
  if (agent?.type !== "outbound") return undefined;
  return (await numbersOfAgent(executor, agent.id)).length > 0 ? agent : undefined;
}

const callAbout = (entry: WaitingEntry, agent: Agent, { window, date }: Place, now: number) => ({
  organisationId: entry.organisation_id,
  agent,
  source: "waiting_list" as const,
  contactNumber: entry.contact_number,
  contactName: entry.contact_name,
  contactEmail: entry.contact_email,
  preferredLanguage: null,
  identifiers: identifiersIn(entry.contact_identifiers),
  place: placeOf(entry),
  additionalInfo: {
    waiting_list_id: entry.id,
    branch_id: entry.branch_id,
    ...(entry.appointment_type_id === null ? {} : { appointment_type_id: entry.appointment_type_id }),
    place_date: date,
    place_time: window.start_time,
  },
  scheduledAt: now,
});
