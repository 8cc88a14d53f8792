// The clinic that calls the trial's patients: the compiled binary, a trunk to each patient's telephone, windows on every day.
import { randomUUID } from "node:crypto";
import { DAYS } from "../../../src/calendar/days.ts";
import { daysAhead } from "../../calendar/ahead.ts";
import { ask } from "../api-client.ts";
import { startPhone, type Phone } from "../baresip.ts";
import { runBinary, type Running } from "../binary.ts";
import { finished, place, type Call } from "../calls.ts";
import { freeSipPort } from "../free-ports.ts";
import { newPatient, sipHospital, type SipHospital } from "../sip-hospital.ts";
import type { Expected, Trial } from "./cases.ts";
import { talk, type Exchange, type PatientOptions } from "./patient.ts";

export interface Clinic {
  server: Running;
  hospital: SipHospital;
  branchId: string;
  slotIds: readonly string[];
  operator: { port: number; phone: Phone };
}

export async function openClinic(env: Record<string, string> = {}): Promise<Clinic> {
  const hospital = await sipHospital();
  const operatorPort = freeSipPort();
  const phone = await startPhone({ number: "operator", port: operatorPort });
  const server = await hospital.start(env);
  const branchId = randomUUID();
  const slotIds: string[] = [];
  for (const day of DAYS) {
    const body = { branch_id: branchId, day, session: "Morning", ai_slots: 40, max_slots: 80 };
    const made = await ask(server, "POST", "/v1/appointment-slots", { body });
    if (made.status !== 201) throw new Error(made.text);
    slotIds.push(String(made.data["slot_id"]));
  }
  return { server, hospital, branchId, slotIds, operator: { port: operatorPort, phone } };
}

export interface TrialEnd {
  call: Call;
  exchanges: readonly Exchange[];
  /** Nothing where all is as it should be. */
  faults: readonly string[];
}

export async function runTrial(
  clinic: Clinic,
  trial: Trial,
  patient: Pick<PatientOptions, "room" | "speak" | "recognise">,
): Promise<TrialEnd> {
  const { server, hospital } = clinic;
  const number = newPatient();
  const port = freeSipPort();
  const line = await hospital.addLine({ port, transferTo: `sip:operator@127.0.0.1:${clinic.operator.port}` });
  const phone = await startPhone({ number, port });
  try {
    const before = trial.about === "appointment" ? await book(clinic, number) : null;
    const about = { branch_id: clinic.branchId, ...(before && { appointment_id: before["appointment_id"] }) };
    const info = { agent_id: line.agentId, user_number: number, user_name: "Asha", additional_info: about };
    const [exchanges, callId] = await Promise.all([talk({ phone, ...trial, ...patient }), place(server, info)]);
    const call = await finished(server, callId);
    return { call, exchanges, faults: await faultsOf(clinic, trial.expected, call, before) };
  } finally {
    await phone.stop();
  }
}

async function book({ server, slotIds }: Clinic, number: string): Promise<Record<string, unknown>> {
  const { date, day } = daysAhead(3);
  const slot_id = `${slotIds[DAYS.indexOf(day)] ?? ""}||${date}`;
  const made = await ask(server, "POST", "/v1/appointments", { body: { slot_id, contact_number: number } });
  if (made.status !== 201) throw new Error(made.text);
  return made.data;
}

async function faultsOf(
  { server, hospital }: Clinic,
  expected: Expected,
  call: Call,
  before: Record<string, unknown> | null,
): Promise<string[]> {
  const faults: string[] = [];
  const check = (isRight: boolean, fault: string) => void (isRight || faults.push(fault));
  const details = call.extracted_details ?? {};
  check(call.status === "completed", `the call is ${call.status}`);
  check(expected.answers.includes(String(details["answer"])), `it came to ${String(details["answer"])}`);
  check(
    call.call_analytics?.disposition === expected.disposition,
    `its disposition is ${String(call.call_analytics?.disposition)}`,
  );
  const saidByAgent = (call.call_transcript ?? []).filter(({ speaker }) => speaker === "agent");
  const { neverSays } = expected;
  if (neverSays) check(!saidByAgent.some(({ text }) => neverSays.test(text)), "the agent told what it may not");
  check((call.scheduled_call_id !== null) === (expected.followsUp ?? false), "the follow-up call");
  const listed = await runBinary(["dnd", "list", "--data", hospital.dataDir]);
  check(listed.stdout.includes(call.contact_number) === (expected.optsOut ?? false), "the do-not-disturb list");

  const after = before
    ? (await ask(server, "GET", `/v1/appointments/${String(before["appointment_id"])}`)).data
    : await appointmentOf(server, call);
  const shown = calendarOf(before, after);
  check(shown === expected.calendar, `the calendar shows ${shown}`);
  if (expected.date !== undefined) check(after?.["date"] === expected.date, `it is on ${String(after?.["date"])}`);
  return faults;
}

async function appointmentOf(server: Running, call: Call): Promise<Record<string, unknown> | null> {
  const { data } = await ask(
    server,
    "GET",
    `/v1/appointments?contact_number=${encodeURIComponent(call.contact_number)}`,
  );
  const list = data as unknown as Record<string, unknown>[] | undefined;
  return Array.isArray(list) ? (list[0] ?? null) : null;
}

function calendarOf(
  before: Record<string, unknown> | null,
  after: Record<string, unknown> | null,
): Expected["calendar"] {
  if (!before) return after ? "booked" : "none";
  if (after?.["status"] === "cancelled") return "cancelled";
  if (after?.["slot_id"] !== before["slot_id"]) return "moved";
  if (after?.["change_requested_at"] !== null) return "change_requested";
  return after["contact_confirmed_at"] === null ? "unchanged" : "confirmed";
}
