// Test fixture: a hospital with a branch, and the calendar's routes.
import type { DatedSlot } from "../../src/calendar/model.ts";
import type { Appointment } from "../../src/calendar/records.ts";
import type { Appointment as AppointmentView } from "../../src/payloads/appointment.ts";
import type { Slot } from "../../src/payloads/slot.ts";
import { createHospital, type Hospital, type HospitalOptions } from "../support/hospital.ts";
import { settle } from "../support/manual-clock.ts";
import type { Answer, RequestOptions } from "../support/test-app.ts";

export const BRANCH = "0190a1b2-0000-7000-8000-00000000000b";
export const SERVICE = "0190a1b2-0000-7000-8000-00000000005e";
export const OTHER_SERVICE = "0190a1b2-0000-7000-8000-00000000005f";
export const UNKNOWN_UUID = "0190a1b2-0000-7000-8000-0000000fffff";

/** The test clock starts on Sunday, 15 November 2026, 11:30 in India, where the test hospital is. */
export const TODAY = "2026-11-15";
export const MONDAY = "2026-11-16";
export const NEXT_MONDAY = "2026-11-23";

export type TrackingRecord = DatedSlot & { overridden: boolean };

export interface Clinic extends Hospital {
  /** A window on Mondays with 10 slots, 4 of them the agent's. */
  createWindow(changes?: Record<string, unknown>, options?: RequestOptions): Promise<Slot>;
  postWindow(changes?: Record<string, unknown>, options?: RequestOptions): Promise<Answer>;
  patchWindow(slotId: string, body: unknown, options?: RequestOptions): Promise<Answer>;
  availability(query?: string, options?: RequestOptions): Promise<DatedSlot[]>;
  tracking(query?: string, options?: RequestOptions): Promise<TrackingRecord[]>;
  override(slotId: string, body: unknown, options?: RequestOptions): Promise<Answer>;
  regenerate(body?: Record<string, unknown>, options?: RequestOptions): Promise<Answer>;
  postAppointment(slotId: string, changes?: Record<string, unknown>, options?: RequestOptions): Promise<Answer>;
  book(slotId: string, changes?: Record<string, unknown>): Promise<AppointmentView>;
  patchAppointment(id: string, body: unknown, options?: RequestOptions): Promise<Answer>;
  change(id: string, body: unknown): Promise<AppointmentView>;
  /** Type and data of every event since the last call. */
  newEvents(): Promise<{ type: string; data: Record<string, unknown> }[]>;
  appointmentRows(): Promise<Appointment[]>;
}

export async function createClinic(options: HospitalOptions = {}): Promise<Clinic> {
  const hospital = await createHospital(options);
  const { db, request } = hospital;
  await hospital.subscribe();
  const seen = new Set<string>();

  const wanted = async <T>(answer: Promise<Answer>, status: number): Promise<T> => {
    const { status: got, text, json } = await answer;
    if (got !== status) throw new Error(`Answered ${got} instead of ${status}: ${text}`);
    return json.data as T;
  };

  const clinic: Clinic = {
    ...hospital,
    postWindow: (changes = {}, more = {}) =>
      request("POST", "/v1/appointment-slots", {
        body: { branch_id: BRANCH, day: "monday", session: "Morning", ai_slots: 4, max_slots: 10, ...changes },
        ...more,
      }),
    createWindow: (changes, more) => wanted<Slot>(clinic.postWindow(changes, more), 201),
    patchWindow: (slotId, body, more = {}) => request("PATCH", `/v1/appointment-slots/${slotId}`, { body, ...more }),
    availability: (query = "", more = {}) =>
      wanted<DatedSlot[]>(request("GET", `/v1/appointment-slots/availability${query}`, more), 200),
    tracking: (query = "", more = {}) =>
      wanted<TrackingRecord[]>(request("GET", `/v1/appointment-slots/schedule-tracking${query}`, more), 200),
    override: (slotId, body, more = {}) =>
      request("PATCH", `/v1/appointment-slots/schedule-tracking/${slotId}`, { body, ...more }),
    regenerate: (body = {}, more = {}) =>
      request("POST", "/v1/appointment-slots/schedule-tracking/regenerate", {
        body: { branch_id: BRANCH, ...body },
        ...more,
      }),
    postAppointment: (slotId, changes = {}, more = {}) =>
      request("POST", "/v1/appointments", { body: { slot_id: slotId, ...changes }, ...more }),
    book: (slotId, changes) => wanted<AppointmentView>(clinic.postAppointment(slotId, changes), 201),
    patchAppointment: (id, body, more = {}) => request("PATCH", `/v1/appointments/${id}`, { body, ...more }),
    change: (id, body) => wanted<AppointmentView>(clinic.patchAppointment(id, body), 200),
    async newEvents() {
      await settle();
      const rows = await db.reader.selectFrom("events").selectAll().orderBy("id").execute();
      const fresh = rows.filter(({ id }) => !seen.has(id));
      for (const { id } of fresh) seen.add(id);
      return fresh.map(({ type, data }) => ({ type, data: JSON.parse(data) as Record<string, unknown> }));
    },
    appointmentRows: () => db.reader.selectFrom("appointments").selectAll().orderBy("id").execute(),
  };
  return clinic;
}

/** For rejections: status, code and the invalid fields. */
export function refusal({ status, json }: Answer): [number, string, ...string[]] {
  return [status, json.error.code, ...(json.error.details ?? []).map(({ field }) => field)];
}

export const on = (window: Pick<Slot, "calendar_id">, date: string) => `${window.calendar_id}||${date}`;
