// The clinic that calls the trial's patients: the compiled binary, a trunk to each patient's telephone, windows on every day.
import { randomUUID } from "node:crypto";
import { DAYS } from "../../../src/calendar/days.ts";
import { daysAhead } from "../../calendar/ahead.ts";
import { ask } from "../api-client.ts";
import { startPhone } from "../baresip.ts";
import { runBinary, type Running } from "../binary.ts";
import { finished, place, readCall, type Call } from "../calls.ts";
import { freeSipPort } from "../free-ports.ts";
import { relayThread } from "../relay-thread.ts";
import { startReceiver, type Receiver } from "../receiver.ts";
import { newPatient, sipHospital, type SipHospital } from "../sip-hospital.ts";
import { until } from "../until.ts";
import type { Expected, Trial } from "./cases.ts";
import { talk, type Exchange, type PatientOptions } from "./patient.ts";

export interface Clinic {
  server: Running;
  hospital: SipHospital;
  branchId: string;
  slotIds: readonly string[];
  receiver: Receiver;
  /** Lines to patients that nobody is called on just now. */
  freeLines: PatientLine[];
}

/** A trunk and an agent for one patient at a time. */
interface PatientLine {
  /** Where the trunk expects the patient's telephone. */
  port: number;
  operatorPort: number;
  agentId: string;
}

export async function openClinic(env: Record<string, string> = {}): Promise<Clinic> {
  const hospital = await sipHospital();
  const receiver = startReceiver();
  const endpoint = ["endpoints", "create", "--url", receiver.url, "--events", "call.completed"];
  const made = await runBinary([...endpoint, "--data", hospital.dataDir], { env: receiver.env });
  if (made.code !== 0) throw new Error(made.stderr);
  const server = await hospital.start({ ...receiver.env, ...env });
  const branchId = randomUUID();
  const slotIds: string[] = [];
  for (const day of DAYS) {
    const body = { branch_id: branchId, day, session: "Morning", ai_slots: 40, max_slots: 80 };
    const made = await ask(server, "POST", "/v1/appointment-slots", { body });
    if (made.status !== 201) throw new Error(made.text);
    slotIds.push(String(made.data["slot_id"]));
  }
  return { server, hospital, branchId, slotIds, receiver, freeLines: [] };
}

export interface TrialEnd {
  call: Call;
  exchanges: readonly Exchange[];
  /** Nothing where all is as it should be. */
  faults: readonly string[];
  /** The calendar holds what they did not agree to. The worst fault of all. */
  isWrongBooking: boolean;
}

export async function runTrial(
  clinic: Clinic,
  trial: Trial,
  patient: Pick<PatientOptions, "room" | "speak" | "recognise">,
): Promise<TrialEnd> {
  const { server } = clinic;
  const number = newPatient();
  const line = clinic.freeLines.pop() ?? (await newLine(clinic));
  const { lossShare, seed } = patient.room;
  const phonePort = lossShare > 0 ? freeSipPort() : line.port;
  const relay = lossShare > 0 ? await relayThread({ phonePort, sipPort: line.port, lossShare, seed }) : null;
  // Nobody is there where nobody should be wanted.
  const isOperatorWanted = trial.expected.answers.includes("transferred");
  const operator = isOperatorWanted ? await startPhone({ number: "operator", port: line.operatorPort }) : null;
  const phone = await startPhone({ number, port: phonePort });
  try {
    const before = trial.about === "appointment" ? await book(clinic, number) : null;
    const about = { branch_id: clinic.branchId, ...(before && { appointment_id: before["appointment_id"] }) };
    const info = { agent_id: line.agentId, user_number: number, user_name: "Asha", additional_info: about };
    const [exchanges, callId] = await Promise.all([talk({ phone, ...trial, ...patient }), place(server, info)]);
    const found = await lookAfterwards(clinic, await finished(server, callId), before);
    return { call: found.call, exchanges, ...judge(trial.expected, found) };
  } finally {
    await phone.stop();
    await operator?.stop();
    relay?.close();
    clinic.freeLines.push(line);
  }
}

async function newLine({ hospital }: Clinic): Promise<PatientLine> {
  const [port, operatorPort] = [freeSipPort(), freeSipPort()];
  const transferTo = `sip:operator@127.0.0.1:${operatorPort}`;
  const { agentId } = await hospital.addLine({ port, transferTo });
  return { port, operatorPort, agentId };
}

async function book({ server, slotIds }: Clinic, number: string): Promise<Record<string, unknown>> {
  const { date, day } = daysAhead(3);
  const slot_id = `${slotIds[DAYS.indexOf(day)] ?? ""}||${date}`;
  const made = await ask(server, "POST", "/v1/appointments", { body: { slot_id, contact_number: number } });
  if (made.status !== 201) throw new Error(made.text);
  return made.data;
}

/** All that a call leaves behind. */
interface Afterwards {
  call: Call;
  calendar: Expected["calendar"];
  appointment: Record<string, unknown> | null;
  followUp: Call | null;
  isOnDndList: boolean;
  /** What the receiver was told of it, each time. */
  events: readonly Record<string, unknown>[];
}

async function lookAfterwards(
  { server, hospital, receiver }: Clinic,
  ended: Call,
  before: Record<string, unknown> | null,
): Promise<Afterwards> {
  const told = () => receiver.received.filter(({ json }) => json.data["call_id"] === ended.call_id);
  await until(() => told().length > 0, { withinMs: 60_000, what: () => "nobody was told of the call's end" });
  // Where a model is asked about it, the analysis is there by then.
  const call = await readCall(server, ended.call_id);
  const appointment = before
    ? (await ask(server, "GET", `/v1/appointments/${String(before["appointment_id"])}`)).data
    : await appointmentOf(server, call);
  const listed = await runBinary(["dnd", "list", "--data", hospital.dataDir]);
  return {
    call,
    calendar: calendarOf(before, appointment),
    appointment,
    followUp: call.scheduled_call_id === null ? null : await readCall(server, call.scheduled_call_id),
    isOnDndList: listed.stdout.includes(call.contact_number),
    events: told().map(({ json }) => ({ ...json.data, event_type: json.event_type })),
  };
}

function judge(expected: Expected, found: Afterwards): Pick<TrialEnd, "faults" | "isWrongBooking"> {
  const { call, calendar, appointment } = found;
  const faults: string[] = [];
  const check = (isRight: boolean, fault: string) => isRight || (faults.push(fault), false);
  const answer = call.extracted_details?.["answer"];
  check(call.status === "completed", `the call is ${call.status}`);
  check(expected.answers.includes(String(answer)), `it came to ${String(answer)}`);
  const { disposition } = call.call_analytics ?? {};
  check(disposition === expected.disposition, `its disposition is ${String(disposition)}`);

  const isCalendarRight = check(
    [expected.calendar, expected.orCalendar].includes(calendar),
    `the calendar shows ${calendar}`,
  );
  const isDateRight =
    !isCalendarRight ||
    expected.date === undefined ||
    check(appointment?.["date"] === expected.date, `it is on ${String(appointment?.["date"])}`);
  const followsUpAt = found.followUp?.scheduled_at ?? null;
  const isFollowUpRight = (followsUpAt === null ? undefined : Date.parse(followsUpAt)) === expected.followsUpAt;
  check(isFollowUpRight && (found.followUp?.status ?? "scheduled") === "scheduled", `the next call is ${followsUpAt}`);
  check(found.isOnDndList === (expected.optsOut ?? false), "the do-not-disturb list");
  const isOfferRight = checkTranscript(expected, call, isCalendarRight, check);
  checkEvent(found, check);
  const isChanged = !["unchanged", "none", "change_requested"].includes(calendar);
  return { faults, isWrongBooking: isChanged && !(isCalendarRight && isDateRight && isOfferRight) };
}

type Check = (isRight: boolean, fault: string) => boolean;

/** Whether the time that was agreed to is the one that was on offer. */
function checkTranscript(expected: Expected, call: Call, isBooked: boolean, check: Check): boolean {
  const { says, hears, neverSays, isUnanswered = false, offer } = expected;
  const transcript = call.call_transcript ?? [];
  const agents = transcript.flatMap(({ speaker, text }) => (speaker === "agent" ? [text] : []));
  check(
    agents.some((text) => says.test(text)),
    `the agent never said ${String(says)}`,
  );
  const users = transcript.flatMap(({ speaker, text }) => (speaker === "user" ? [text] : []));
  if (hears) check(hears.test(users.join(" ")), `${String(hears)} is not in the transcript`);
  if (neverSays) check(!agents.some((text) => neverSays.test(text)), "the agent told what it may not");
  const isAnswered = call.extracted_details?.["keys"] !== "" || transcript.some(({ speaker }) => speaker === "user");
  check(isAnswered === !isUnanswered, isAnswered ? "words that nobody said" : "the patient's words are missing");
  const times = transcript.map(({ timestamp }) => timestamp);
  check(
    times.every((time, i) => time >= (times[i - 1] ?? 0)),
    "the transcript is out of order",
  );
  if (offer === undefined || !isBooked) return true;
  const offered = agents.flatMap((text) => text.split(`The ${offer} is `)[1] ?? []).findLast(isDayTold);
  const agreed = /appointment is (?:now )?on (.+?)\.(?: |$)/.exec(
    agents.findLast((text) => says.test(text)) ?? "",
  )?.[1];
  return check(
    agreed !== undefined && offered !== undefined && isSame(offered, agreed),
    `${String(agreed)} was booked, and the ${offer} was ${String(offered)}`,
  );
}

/** "Monday, the sixteenth of …" was cut off too early to be an offer: the patient goes by the one before. */
const isDayTold = (offered: string): boolean => toldOf(offered).includes(" of ");

/** What was cut off is the same as far as it goes. */
function isSame(offered: string, agreed: string): boolean {
  const told = toldOf(offered);
  return offered.startsWith(agreed) || (told !== offered && agreed.startsWith(told));
}

const toldOf = (offered: string): string => offered.split(" …")[0] ?? "";

/** One event, and in it what the call's own record says. */
function checkEvent({ call, events }: Afterwards, check: Check): void {
  check(events.length === 1, `${events.length} events`);
  const [event = {}] = events;
  check(event["event_type"] === "call.completed", `the event is ${String(event["event_type"])}`);
  const same = ["status", "scheduled_call_id", "call_analytics", "extracted_details"] as const;
  for (const key of same) check(Bun.deepEquals(event[key], call[key]), `${key} is another in the event`);
  const transcript = event["call_transcript"];
  if (Array.isArray(transcript)) {
    check(Bun.deepEquals(transcript, call.call_transcript), "the transcript is another in the event");
  } else check(typeof transcript === "string", "the event has no transcript");
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
