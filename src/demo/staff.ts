// Actions of the demo's staff and people, all through the normal services.
import type { Credits } from "../accounts/credits.ts";
import { organisationById } from "../accounts/organisation-store.ts";
import type { AppointmentService } from "../calendar/appointment-service.ts";
import { listAppointments } from "../calendar/appointment-store.ts";
import type { TrackingService } from "../calendar/tracking-service.ts";
import type { ContactNotes } from "../calls/people/contact-notes.ts";
import type { CallService } from "../calls/service.ts";
import type { CampaignService } from "../campaigns/service.ts";
import { listCampaigns } from "../campaigns/campaign-store.ts";
import type { ReminderRules } from "../reminders/rule-service.ts";
import type { WaitingListService } from "../waiting-list/service.ts";
import { listEntries } from "../waiting-list/store.ts";
import { SYSTEM_ACTOR, type Actor } from "../core/actor.ts";
import { DAY_MS, HOUR_MS, toIso, type Clock } from "../core/clock.ts";
import { isInventedNumber } from "../core/invented-number.ts";
import { addDays, wallTime } from "../core/zones.ts";
import type { Database } from "../db/database.ts";
import type { Worklist } from "../worklist/worklist.ts";
import { callsNamed } from "../worklist/subject-store.ts";
import { openItems } from "../worklist/worklist-store.ts";
import { friendlyPersonAt, personAt, type InventedPerson } from "./people.ts";

/** The parts of a demo hospital. */
export interface DemoHospital {
  organisationId: string;
  ownerId: string;
  agentId: string;
  branchId: string;
  serviceId: string;
  timeZone: string;
}

export interface StaffServices {
  calls: CallService;
  campaigns: CampaignService;
  appointments: AppointmentService;
  tracking: TrackingService;
  waitingList: WaitingListService;
  reminderRules: ReminderRules;
  worklist: Worklist;
  contactNotes: ContactNotes;
  credits: Credits;
}

const INVENTED_NOTE = "Simulated: invented for the demo.";
const MOST_AT_ONCE = 50;
/** Enough days to find a free slot even if the next days are full. */
const DAYS_LOOKED_AT = 7;
const FEW_CREDITS = 300;
const MORE_CREDITS = 1_000;
const CAMPAIGN_EVERY_MS = 6 * HOUR_MS;

export class DemoStaff {
  constructor(
    private readonly hospital: DemoHospital,
    private readonly services: StaffServices,
    private readonly db: Database,
    private readonly clock: Clock,
  ) {}

  get #actor(): Actor {
    return { kind: "person", id: this.hospital.ownerId };
  }

  get timeZone(): string {
    return this.hospital.timeZone;
  }

  get today(): string {
    return wallTime(this.clock.now(), this.hospital.timeZone).date;
  }

  async call(person: InventedPerson): Promise<void> {
    const { organisationId, agentId } = this.hospital;
    await this.services.calls.create(
      organisationId,
      { agent_id: agentId, ...contactOf(person) },
      "dashboard",
      this.#actor,
    );
  }

  /** Books at the desk, on the first free day from then on. */
  async book(person: InventedPerson, daysAhead: number): Promise<void> {
    const { organisationId, branchId } = this.hospital;
    const from = addDays(this.today, daysAhead);
    const to = addDays(from, DAYS_LOOKED_AT);
    const places = await this.services.tracking.availability(organisationId, { branch_id: branchId, from, to });
    const place = places.find(({ available_slots }) => (available_slots ?? 0) > 0);
    if (!place) return;
    await this.services.appointments.create(
      organisationId,
      { slot_id: place.slot_id, contact_name: person.name, contact_number: person.number, notes: INVENTED_NOTE },
      "dashboard",
      this.#actor,
    );
  }

  /** Marks appointments until this date as completed, except one in nine as a no-show. */
  async settleUntil(date: string): Promise<void> {
    const { organisationId } = this.hospital;
    const to = date;
    for (const [i, { id }] of (await this.#expected(undefined, to)).entries()) {
      const status = (i + to.length + Number(to.slice(-2))) % 9 === 0 ? "no_show" : "completed";
      await this.services.appointments.update(organisationId, id, { status }, this.#actor);
    }
  }

  /** Cancels the last appointment on or after this date. */
  async cancelOne(from: string): Promise<void> {
    const expected = await this.#expected(from, undefined);
    const [last] = expected.filter(({ source }) => source === "dashboard");
    if (!last) return;
    await this.services.appointments.update(
      this.hospital.organisationId,
      last.id,
      { status: "cancelled" },
      this.#actor,
    );
  }

  async waits(place: number, sessions: string[]): Promise<void> {
    const { organisationId, branchId, serviceId } = this.hospital;
    const { name, number } = friendlyPersonAt(place);
    await this.services.waitingList.add(
      organisationId,
      {
        branch_id: branchId,
        appointment_type_id: serviceId,
        contact_number: number,
        contact_name: name,
        sessions: sessions as ("Morning" | "Afternoon" | "Evening")[],
        notes: INVENTED_NOTE,
      },
      "dashboard",
      this.#actor,
    );
  }

  async remindTheDayBefore(at: string): Promise<void> {
    const { organisationId, agentId, branchId } = this.hospital;
    await this.services.reminderRules.create(
      organisationId,
      { agent_id: agentId, branch_id: branchId, timing: "day_before", days_before: 1, at, tries: 2, retry_minutes: 30 },
      this.#actor,
    );
  }

  /** Starts now, or at `startAt`. */
  async startCampaign(
    subject: string,
    places: { from: number; count: number },
    callsPerMinute: number,
    startAt = this.clock.now(),
  ): Promise<void> {
    const { organisationId, agentId } = this.hospital;
    const rows = Array.from({ length: places.count }, (_, i) => contactOf(personAt(places.from + i)));
    await this.services.campaigns.create(
      organisationId,
      {
        name: `${subject} (simulated)`,
        agent_id: agentId,
        calls_per_minute: callsPerMinute,
        ...(startAt > this.clock.now() && { start_at: toIso(startAt) }),
        retry: { no_answer: { attempts: 2, minutes: 60 }, busy: { attempts: 2, minutes: 30 } },
        rows,
      },
      this.#actor,
    );
  }

  async note(person: InventedPerson, text: string): Promise<void> {
    const { organisationId, ownerId } = this.hospital;
    await this.services.contactNotes.add(organisationId, person.number, text, ownerId, this.#actor);
  }

  /** Completes worklist entries about fictitious people from before this moment. */
  async tickOff(before: number): Promise<void> {
    const { organisationId } = this.hospital;
    const open = await openItems(this.db.reader, { organisationId, limit: MOST_AT_ONCE });
    const old = open.filter(({ created_at }) => created_at < before);
    const calls = await callsNamed(
      this.db.reader,
      old.map(({ subject_id }) => subject_id),
    );
    const invented = new Set(
      calls.filter(({ contact_number }) => isInventedNumber(contact_number)).map(({ id }) => id),
    );
    for (const { id, subject_id } of old)
      if (invented.has(subject_id)) await this.services.worklist.done(organisationId, id, this.#actor);
  }

  lookAtWorklist(): Promise<void> {
    return this.services.worklist.look();
  }

  /** Whether the latest campaign is over and old enough for another. */
  async isTimeForCampaign(): Promise<boolean> {
    const [newest] = await listCampaigns(this.db.reader, { organisationId: this.hospital.organisationId, limit: 1 });
    return !newest || (newest.finished_at !== null && newest.created_at < this.clock.now() - CAMPAIGN_EVERY_MS);
  }

  async isAnybodyWaiting(): Promise<boolean> {
    const { organisationId } = this.hospital;
    return (await listEntries(this.db.reader, { organisationId, states: ["waiting", "offered"], limit: 1 })).length > 0;
  }

  async refillCredits(): Promise<void> {
    const { organisationId } = this.hospital;
    const organisation = await organisationById(this.db.reader, organisationId);
    if (!organisation || organisation.unlimited_credits || organisation.credit_balance >= FEW_CREDITS) return;
    await this.services.credits.grant(organisationId, MORE_CREDITS, SYSTEM_ACTOR);
  }

  /** Limit for entries of yesterday and before. */
  get aDayAgo(): number {
    return this.clock.now() - DAY_MS;
  }

  /** Only fictitious people: bookings of visitors stay unchanged. */
  async #expected(from: string | undefined, to: string | undefined) {
    const question = { organisationId: this.hospital.organisationId, status: "confirmed" as const, from, to };
    const rows = await listAppointments(this.db.reader, { ...question, limit: MOST_AT_ONCE });
    return rows.filter(({ contact_number }) => contact_number !== null && isInventedNumber(contact_number));
  }
}

const contactOf = ({ name, number, doctor, visit }: InventedPerson) => ({
  user_number: number,
  user_name: name,
  additional_info: { doctor, visit },
});
