// A voice reminder over SIP on the compiled binary: a real telephone hears it and answers by key, and the calendar is
// updated.
import { beforeAll, describe, expect } from "bun:test";
import { randomUUID } from "node:crypto";
import { daysAhead } from "../calendar/ahead.ts";
import { ask } from "../support/api-client.ts";
import { putPhonesAway, startPhone, testWithPhone as test, type Phone } from "../support/baresip.ts";
import { leaveNothingBehind, runBinary, type Running } from "../support/binary.ts";
import { FINAL, finished, place, readCall, type Call } from "../support/calls.ts";
import { heardShare, WELL_HEARD } from "../support/correlate.ts";
import { freeSipPort } from "../support/free-ports.ts";
import { closeReceivers, startReceiver, type Receiver } from "../support/receiver.ts";
import { newPatient, recordingOf, sipHospital, type SipHospital, type SipLine } from "../support/sip-hospital.ts";
import { saidOver, speechLike } from "../support/sounds.ts";
import { until } from "../support/until.ts";

leaveNothingBehind();
putPhonesAway();
closeReceivers();

const WORDS = speechLike(1, 1);
const GREETING = saidOver(WORDS);
const RECORDED = {
  greeting: GREETING,
  menu: speechLike(1, 2),
  confirmed: speechLike(0.6, 3),
  change_requested: speechLike(0.6, 4),
  transfer: speechLike(0.4, 5),
  goodbye: speechLike(0.4, 6),
};
const PATIENTS_WORDS = speechLike(1, 7);
/** Longer than the opening of a call, after which it is recorded. */
const PATIENT_SAYS = saidOver(PATIENTS_WORDS, 12);
const BRANCH = randomUUID();
const SOON = daysAhead(3);

/** A patient with a telephone, and the line to it. */
interface Patient {
  number: string;
  port: number;
  line: SipLine;
}

let hospital: SipHospital;
let server: Running;
let receiver: Receiver;
let operatorPort: number;
let confirming: Patient;
let changing: Patient;
let moving: Patient;
let leaving: Patient;

async function patient(options: { transferTo?: string; isOpen?: boolean } = {}): Promise<Patient> {
  const port = freeSipPort();
  return { number: newPatient(), port, line: await hospital.addLine({ port, recorded: RECORDED, ...options }) };
}

beforeAll(async () => {
  if (Bun.which("baresip") === null) return;
  hospital = await sipHospital();
  operatorPort = freeSipPort();
  confirming = await patient({ isOpen: false });
  changing = await patient();
  moving = await patient();
  leaving = await patient({ transferTo: `sip:operator@127.0.0.1:${operatorPort}` });
  receiver = startReceiver();
  const endpoint = ["endpoints", "create", "--url", receiver.url, "--data", hospital.dataDir];
  expect((await runBinary(endpoint, { env: receiver.env })).code).toBe(0);
  server = await hospital.start(receiver.env);
}, 180_000);

async function appointmentOf(contactNumber: string): Promise<string> {
  const window = await ask(server, "POST", "/v1/appointment-slots", {
    body: { branch_id: BRANCH, day: SOON.day, session: "Morning", ai_slots: 4, max_slots: 10 },
  });
  if (window.status !== 201) throw new Error(window.text);
  const made = await ask(server, "POST", "/v1/appointments", {
    body: { slot_id: `${String(window.data["slot_id"])}||${SOON.date}`, contact_number: contactNumber },
  });
  if (made.status !== 201) throw new Error(made.text);
  return String(made.data["appointment_id"]);
}

/** By port: a retried test finds its port free. */
const phones = new Map<number, Phone>();

const appointment = async (id: string) => (await ask(server, "GET", `/v1/appointments/${id}`)).data;

/** Calls the patient about an appointment, and waits until the telephone has answered. */
async function remind({
  number,
  port,
  line,
}: Patient): Promise<{ phone: Phone; callId: string; appointmentId: string }> {
  await phones.get(port)?.stop();
  const phone = await startPhone({ number, port, says: PATIENT_SAYS });
  phones.set(port, phone);
  const appointmentId = await appointmentOf(number);
  const about = { appointment_id: appointmentId };
  const callee = { user_number: number, user_name: "Ravi" };
  const callId = await place(server, { agent_id: line.agentId, ...callee, additional_info: about });
  await phone.told("CALL_ESTABLISHED");
  return { phone, callId, appointmentId };
}

/** The menu follows the appointment: from here on a key is an answer. */
const asked = (phone: Phone) => until(() => heardShare(phone.heard(), RECORDED.menu) > 0, { everyMs: 250 });

/** Keys count after their options were spoken; before that, and after the choice, they are ignored. */
async function pressUntilOver(phone: Phone, callId: string, key: string): Promise<void> {
  const isOver = async () => {
    await phone.press(key).catch(() => {});
    return FINAL.includes((await readCall(server, callId)).status);
  };
  await until(isOver, { everyMs: 1_000, withinMs: 60_000 });
}

const eventsOf = (callId: string) =>
  receiver.received.filter(({ json }) => json.data["call_id"] === callId).map(({ json }) => json.event_type);

describe("a reminder", () => {
  test("1, and 1 again: identity, then confirmation in the calendar, heard on both sides, recorded and delivered to the receiver", async () => {
    const { phone, callId, appointmentId } = await remind(confirming);
    await pressUntilOver(phone, callId, "1");
    const call = await finished(server, callId);
    await phone.told("CALL_CLOSED");

    expect(call).toMatchObject({
      status: "completed",
      error: null,
      call_direction: "outbound",
      call_to: confirming.number,
      extracted_details: {
        answer: "confirmed",
        keypad_answer: "confirmed",
        answered_by: "keypad",
        spoke_with_contact: true,
      },
    });
    const said = (call.call_transcript ?? []).filter(({ speaker }) => speaker === "agent").map(({ text }) => text);
    const [who, what] = [/^If I am speaking with .*, press 1\./, /^Your appointment is on /].map((line) =>
      said.findIndex((text) => line.test(text)),
    );
    expect(who).toBeGreaterThan(0);
    expect(what).toBeGreaterThan(who ?? 0);
    expect(await appointment(appointmentId)).toMatchObject({
      status: "confirmed",
      contact_confirmed_at: expect.any(String),
      change_requested_at: null,
    });
    await expectHeard(phone, call);
    const types = ["call.initiated", "call.completed"];
    await until(() => eventsOf(callId).length >= types.length, { withinMs: 60_000 });
    expect(eventsOf(callId)).toEqual(types);
  }, 180_000);

  test("2, then 0: no offered slot suits, and the hospital is told that another time is wanted", async () => {
    const { phone, callId, appointmentId } = await remind(changing);
    await asked(phone);
    await phone.press("2");
    await pressUntilOver(phone, callId, "0");
    expect(await readCall(server, callId)).toMatchObject({
      status: "completed",
      extracted_details: { answer: "change_requested" },
    });
    expect(await appointment(appointmentId)).toMatchObject({
      status: "confirmed",
      date: SOON.date,
      contact_confirmed_at: null,
      change_requested_at: expect.any(String),
    });
  }, 180_000);

  test("1 before the options: ignored. 2, then 1: the first slot on offer, and the appointment is moved there", async () => {
    const { phone, callId, appointmentId } = await remind(moving);
    // The greeting and the appointment take some seconds.
    await phone.press("1");
    const before = await appointment(appointmentId);
    await asked(phone);
    expect(await appointment(appointmentId)).toMatchObject({ contact_confirmed_at: null });
    await phone.press("2");
    await pressUntilOver(phone, callId, "1");
    const after = await appointment(appointmentId);
    expect(await readCall(server, callId)).toMatchObject({
      status: "completed",
      extracted_details: { answer: "rescheduled", appointment_date: after["date"] },
      call_analytics: { disposition: "appointment_booked" },
    });
    expect(after["slot_id"]).not.toBe(before["slot_id"]);
    expect(after["contact_confirmed_at"]).toEqual(expect.any(String));
  }, 180_000);
});

describe("3: a transfer to a person,", () => {
  test("who is busy: the menu is repeated", async () => {
    const operator = await startPhone({ number: "operator", port: operatorPort, answers: "manual" });
    const { phone, callId } = await remind(leaving);
    await phone.press("3");
    await operator.told("CALL_INCOMING");
    await operator.hangUp();
    // The patient is still on the line, and hears the menu again.
    await asked(phone);
    expect((await readCall(server, callId)).status).toBe("in_progress");
    await phone.hangUp();
    const call = await finished(server, callId);
    expect(call).toMatchObject({ status: "completed", extracted_details: { answer: "transfer_refused" } });
    await Promise.all([phone.stop(), operator.stop()]);
  }, 180_000);

  test("who answers: the call is connected", async () => {
    const operator = await startPhone({ number: "operator", port: operatorPort });
    const { phone, callId } = await remind(leaving);
    await phone.press("3");
    await operator.told("CALL_ESTABLISHED");
    const call = await finished(server, callId);
    expect(call).toMatchObject({
      status: "completed",
      call_analytics: { disposition: "transferred" },
      extracted_details: { answer: "transferred" },
    });
    await Promise.all([phone.stop(), operator.stop()]);
  }, 180_000);
});

async function expectHeard(phone: Phone, call: Call): Promise<void> {
  const { agent, caller } = await recordingOf(server, call);
  const shares = {
    ourWordsAtTheTelephone: heardShare(phone.heard(), WORDS),
    ourWordsInTheRecording: heardShare(agent, WORDS),
    theirWordsInTheRecording: heardShare(caller, PATIENTS_WORDS),
  };
  for (const [what, share] of Object.entries(shares)) expect([what, share > WELL_HEARD]).toEqual([what, true]);
}
