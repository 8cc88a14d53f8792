// The clinic that calls the trial's patients: the compiled binary, a trunk to each patient's telephone, windows on
// every day.
import { DAYS } from "../../../src/payloads/slot.ts";
import { daysAhead } from "../../calendar/ahead.ts";
import { ask } from "../api-client.ts";
import { startPhone, type Phone } from "../baresip.ts";
import { runBinary, type Running } from "../binary.ts";
import { finished, place, readCall, type Call } from "../calls.ts";
import { freeSipPort } from "../free-ports.ts";
import { relayThread } from "../relay-thread.ts";
import { startReceiver, type Receiver } from "../receiver.ts";
import { newPatient, sipHospital, type SipHospital } from "../sip-hospital.ts";
import { until } from "../until.ts";
import { watchCpuWait, type CpuWait } from "../cpu-wait.ts";
import { startExchange } from "./exchange.ts";
import { calendarNamed, DAILY_BRANCH, type OpenTimes } from "./open-times.ts";
import { talk, type Exchange, type PatientOptions, type Talk } from "./patient.ts";
import type { Expected, Trial } from "./trial.ts";
import { longestWait, type Silence } from "./turns.ts";

export interface Clinic {
  server: Running;
  hospital: SipHospital;
  /** Of the executable. */
  cpuWait: CpuWait;
  /** By name, as they are needed. */
  calendars: Map<string, Promise<OpenTimes>>;
  receiver: Receiver;
  /** Patient lines without a call. */
  freeLines: Record<LineKind, PatientLine[]>;
}

/**
 * `in`: patients call. `desk`: an exchange is between trunk and telephones, so that the desk can be called beside the
 * patient.
 */
type LineKind = "out" | "in" | "desk";

/** A trunk and an agent for one patient at a time. */
interface PatientLine {
  /** Where the trunk expects the patient's telephone. */
  port: number;
  operatorPort: number;
  agentId: string;
  /** Of the hospital. */
  number: string;
}

export async function openClinic(env: Record<string, string> = {}): Promise<Clinic> {
  const hospital = await sipHospital();
  const receiver = startReceiver();
  const endpoint = ["endpoints", "create", "--url", receiver.url, "--events", "call.completed"];
  const made = await runBinary([...endpoint, "--data", hospital.dataDir], { env: receiver.env });
  if (made.code !== 0) throw new Error(made.stderr);
  // A caller is answered on lines that are there from the start.
  const lineIn = await newLine(hospital, "in");
  const server = await hospital.start({ ...receiver.env, ...env });
  const cpuWait = watchCpuWait(server.process.pid);
  return { server, hospital, cpuWait, calendars: new Map(), receiver, freeLines: { out: [], in: [lineIn], desk: [] } };
}

export interface TrialEnd {
  call: Call;
  exchanges: readonly Exchange[];
  /** Nothing where all is as it should be. */
  faults: readonly string[];
  /** The calendar holds what they did not agree to. The worst fault of all. */
  isWrongBooking: boolean;
  /** The longest that the patient waited for the agent's voice. */
  silence: Silence;
}

export async function runTrial(
  clinic: Clinic,
  trial: Trial,
  patient: Pick<PatientOptions, "room" | "speak" | "recognise">,
): Promise<TrialEnd> {
  const number = newPatient();
  const isCalledIn = trial.about === "call_in";
  const kind: LineKind = isCalledIn ? "in" : trial.desk ? "desk" : "out";
  const lines = clinic.freeLines[kind];
  const line = isCalledIn ? await freeLineIn(clinic) : (lines.pop() ?? (await newLine(clinic.hospital, kind)));
  const { lossShare, seed } = patient.room;
  // Where the patient is called, and where their telephone is: with a network between them that loses packets.
  const calledPort = kind === "desk" ? freeSipPort() : line.port;
  const phonePort = lossShare > 0 ? freeSipPort() : calledPort;
  const relay = lossShare > 0 ? await relayThread({ phonePort, sipPort: calledPort, lossShare, seed }) : null;
  const ports = { hospitalPort: clinic.hospital.sipPort, phonePort: calledPort, deskPort: line.operatorPort };
  const exchange = kind === "desk" ? await startExchange({ port: line.port, ...ports }) : null;
  const operator = await startOperator(trial, line);
  const phone = await startPhone({ number, port: phonePort });
  const desk = operator && standsAtDesk(trial, operator, phone);
  try {
    const times = await calendarNamed(clinic, trial.times ?? "daily");
    const before = trial.about === "appointment" ? await book(clinic, times, number) : null;
    const [talked, callId] = await Promise.all([
      talk({ phone, ...trial, ...patient }),
      isCalledIn ? callIn(clinic, phone, number, line) : callOut(clinic, line, number, times, before),
    ]);
    const found = await lookAfterwards(clinic, await finished(clinic.server, callId), before);
    const silence = waitIn(talked, clinic.cpuWait);
    return { call: found.call, exchanges: talked.exchanges, silence, ...judge(trial.expected, found) };
  } finally {
    desk?.close();
    await phone.stop();
    await operator?.stop();
    relay?.close();
    exchange?.close();
    lines.push(line);
  }
}

/** No desk answers where no transfer is expected. */
async function startOperator({ desk, expected }: Trial, line: PatientLine): Promise<Phone | null> {
  if (!desk && !expected.answers.includes("transferred")) return null;
  const answers = desk === "busy" || desk === "rings" ? "manual" : "auto";
  return startPhone({ number: "operator", port: line.operatorPort, answers });
}

/** A patient who was put through hangs up once the desk has heard this much. */
const TALKS_TO_DESK_SAMPLES = 3 * 8_000;

/** What the desk does with a call, and the patient once they talk to it. */
function standsAtDesk({ desk }: Trial, operator: Phone, phone: Phone): { close(): void } {
  let isOpen = desk === "busy" || desk === "answers";
  const hasTold = (type: string) => operator.events.some((event) => event.type === type);
  const stand = async () => {
    const waited = { withinMs: 600_000, everyMs: 100, what: () => "the desk was not called" };
    const isTaken = () => hasTold("CALL_ESTABLISHED") && operator.heard().length >= TALKS_TO_DESK_SAMPLES;
    await until(() => !isOpen || (desk === "busy" ? hasTold("CALL_INCOMING") : isTaken()), waited);
    if (!isOpen) return;
    await (desk === "busy" ? operator : phone).hangUp();
  };
  void stand();
  return { close: () => void (isOpen = false) };
}

async function callOut(
  { server }: Clinic,
  line: PatientLine,
  number: string,
  { branchId }: OpenTimes,
  before: Record<string, unknown> | null,
): Promise<string> {
  const about = { branch_id: branchId, ...(before && { appointment_id: before["appointment_id"] }) };
  const info = { agent_id: line.agentId, user_number: number, user_name: "Asha", additional_info: about };
  return place(server, info);
}

async function callIn({ server, hospital }: Clinic, phone: Phone, caller: string, line: PatientLine): Promise<string> {
  await phone.dial(`sip:${line.number}@127.0.0.1:${hospital.sipPort}`);
  let call: Call | undefined;
  const isThere = async () => {
    const { data } = await ask(server, "GET", `/v1/calls?contact_number=${encodeURIComponent(caller)}`);
    return (call = (data as unknown as Call[])[0]) !== undefined;
  };
  await until(isThere, { withinMs: 60_000, everyMs: 200, what: () => "the call did not arrive" });
  if (!call) throw new Error("The call did not arrive.");
  return call.call_id;
}

function waitIn({ acts, answeredAtMs, heard }: Talk, cpuWait: CpuWait): Silence {
  const at = (sample: number) => answeredAtMs + sample / SAMPLES_PER_MS;
  return longestWait(heard, acts, ({ from, to }) => cpuWait.between(at(from), at(to)));
}

const SAMPLES_PER_MS = 8;

async function newLine(hospital: SipHospital, kind: LineKind): Promise<PatientLine> {
  const [port, operatorPort] = [freeSipPort(), freeSipPort()];
  const transferTo = `sip:operator@127.0.0.1:${kind === "desk" ? port : operatorPort}`;
  const inbound = { type: "inbound", branchId: DAILY_BRANCH } as const;
  const { agentId, number } = await hospital.addLine({ port, transferTo, ...(kind === "in" && inbound) });
  return { port, operatorPort, agentId, number };
}

/** There is one: a second caller waits until the first has hung up. */
async function freeLineIn({ freeLines }: Clinic): Promise<PatientLine> {
  await until(() => freeLines.in.length > 0, { withinMs: 300_000, everyMs: 200, what: () => "the line is in use" });
  const line = freeLines.in.pop();
  if (!line) throw new Error("The line is in use.");
  return line;
}

async function book({ server }: Clinic, { slotIds }: OpenTimes, number: string): Promise<Record<string, unknown>> {
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
  await until(() => told().length > 0, { withinMs: 60_000, what: () => "no webhook reported the call's end" });
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
  const isTimeRight =
    !isCalendarRight ||
    expected.startTime === undefined ||
    check(appointment?.["start_time"] === expected.startTime, `it is at ${String(appointment?.["start_time"])}`);
  const name = appointment?.["contact_name"] ?? null;
  const isNameRight =
    !isCalendarRight ||
    expected.contactName === undefined ||
    check(name === expected.contactName, `it is for ${JSON.stringify(name)}`);
  const handover = call.extracted_details?.["emergency_outcome"];
  if (expected.handover !== undefined) check(handover === expected.handover, `it was handed over: ${String(handover)}`);
  const followsUpAt = found.followUp?.scheduled_at ?? null;
  const isFollowUpRight = (followsUpAt === null ? undefined : Date.parse(followsUpAt)) === expected.followsUpAt;
  check(isFollowUpRight && (found.followUp?.status ?? "scheduled") === "scheduled", `the next call is ${followsUpAt}`);
  check(found.isOnDndList === (expected.optsOut ?? false), "the do-not-disturb list");
  const isOfferRight = checkTranscript(expected, call, isCalendarRight, check);
  checkEvent(found, check);
  const isChanged = !["unchanged", "none", "change_requested"].includes(calendar);
  return {
    faults,
    isWrongBooking:
      isChanged && !(isCalendarRight && isDateRight && isTimeRight && isOfferRight && (isNameRight || name === null)),
  };
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
  check(
    isAnswered === !isUnanswered,
    isAnswered ? "the transcript has words that were not spoken" : "the patient's words are missing",
  );
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
