// Inbound calls over SIP: a telephone and SIPp call our number; unknown peers and wrong numbers are rejected.
import { beforeAll, expect } from "bun:test";
import { ask } from "../support/api-client.ts";
import { putPhonesAway, startPhone, testWithPhone as test, type Phone } from "../support/baresip.ts";
import { leaveNothingBehind, type Running } from "../support/binary.ts";
import { finished, type Call } from "../support/calls.ts";
import { correlate, heardShare, WELL_HEARD } from "../support/correlate.ts";
import { freeSipPort } from "../support/free-ports.ts";
import { newPatient, recordingOf, sipHospital, type SipHospital, type SipLine } from "../support/sip-hospital.ts";
import { saidOver, speechLike } from "../support/sounds.ts";
import { until } from "../support/until.ts";

leaveNothingBehind();
putPhonesAway();

const WORDS = speechLike(1, 1);
const GREETING = saidOver(WORDS);
const CALLERS_WORDS = speechLike(1, 7);
const RATE_HZ = 8_000;
/** Louder than noise. */
const AUDIBLE = 500;

let hospital: SipHospital;
let server: Running;
let line: SipLine;
let port: number;
let lastPhone: Phone | null = null;

beforeAll(async () => {
  if (Bun.which("baresip") === null) return;
  hospital = await sipHospital();
  port = freeSipPort();
  const recorded = { greeting: GREETING, menu: speechLike(1, 2), goodbye: speechLike(0.4, 3) };
  line = await hospital.addLine({ port, type: "inbound", recorded, lines: 1 });
  server = await hospital.start();
}, 180_000);

const uriOf = (number: string) => `sip:${number}@127.0.0.1:${hospital.sipPort}`;

async function callsOf(direction: string): Promise<Call[]> {
  const { data } = await ask(server, "GET", "/v1/calls?limit=100");
  return (data as unknown as Call[]).filter((call) => call.call_direction === direction);
}

test("the inbound agent answers, both sides hear each other, and an inbound call is stored", async () => {
  const caller = newPatient();
  await lastPhone?.stop();
  const phone = (lastPhone = await startPhone({ number: caller, port, says: saidOver(CALLERS_WORDS, 12) }));
  await phone.dial(uriOf(line.number));
  await phone.told("CALL_ESTABLISHED");
  await until(() => heardShare(phone.heard(), WORDS) > WELL_HEARD, { everyMs: 250 });
  const live = (await callsOf("inbound")).find(({ call_from }) => call_from === caller);
  expect(live).toMatchObject({ status: "in_progress" });
  await phone.hangUp();
  const call = await finished(server, live!.call_id);
  expect(call).toMatchObject({
    status: "completed",
    call_direction: "inbound",
    call_from: caller,
    call_to: null,
    contact_number: caller,
    agent_id: line.agentId,
    error: null,
    call_analytics: { disposition: "ended_by_customer" },
  });
  const recording = await recordingOf(server, call);
  expect(heardShare(recording.caller, CALLERS_WORDS)).toBeGreaterThan(WELL_HEARD);
  expect(heardShare(phone.heard(), WORDS)).toBeGreaterThan(WELL_HEARD);
  expectNotices(call, phone.heard());
  await phone.stop();
}, 180_000);

/** Who answers, that the voice is automatic, and the recording: told before the hospital's greeting. */
function expectNotices({ notices, call_transcript, recording }: Call, heard: Int16Array): void {
  expect(notices).toMatchObject([{ kind: "caller" }, { kind: "automatic" }, { kind: "recording" }]);
  const [caller, automatic, recorded] = notices!.map(({ heard_at }) => heard_at ?? 0);
  expect(caller).toBeGreaterThan(0);
  expect(automatic).toBe(caller);
  expect(recorded).toBeGreaterThan(automatic!);
  // Nothing was recorded before the caller was told.
  expect(recording).toMatchObject({ mode: "announce", from: recorded });
  expect(call_transcript!.slice(0, 2).map((line) => line.notices)).toEqual([notices!.slice(0, 2), notices!.slice(2)]);
  expect(call_transcript![0]!.text).toContain("automatic assistant");
  const { lagMs } = correlate(heard, WORDS);
  expect(lagMs).toBeGreaterThan(recorded! * 900);
  const before = heard.subarray(0, Math.round((lagMs * RATE_HZ) / 1_000));
  expect(before.filter((sample) => Math.abs(sample) > AUDIBLE).length).toBeGreaterThan(RATE_HZ / 2);
}

test("a second caller finds the only line busy; the first call continues", async () => {
  const first = await startPhone({ number: newPatient(), port });
  await first.dial(uriOf(line.number));
  await first.told("CALL_ESTABLISHED");
  const second = await startPhone({ number: newPatient() });
  await second.dial(uriOf(line.number));
  await second.told("CALL_CLOSED");
  expect(second.events.at(-1)!.param).toStartWith("486");
  expect(first.events.some(({ type }) => type === "CALL_CLOSED")).toBe(false);
  await first.hangUp();
  await until(async () => (await callsOf("inbound")).every(({ status }) => status === "completed"));
  await Promise.all([first.stop(), second.stop()]);
}, 180_000);

test("a number that is not ours is not found, and leaves no call but a log line without personal data", async () => {
  const before = (await callsOf("inbound")).length;
  const caller = newPatient();
  const phone = await startPhone({ number: caller, port });
  await phone.dial(uriOf("+912200000000"));
  await phone.told("CALL_CLOSED");
  expect(phone.events.at(-1)!.param).toStartWith("404");
  expect(await callsOf("inbound")).toHaveLength(before);
  expect(server.output()).toContain('"reason":"unknown_number"');
  expect(server.output()).not.toContain(caller.slice(1));
  await phone.stop();
}, 180_000);

test("an unknown peer gets no answer at all, and leaves no call", async () => {
  const before = (await callsOf("inbound")).length;
  const answers: string[] = [];
  const stranger = await Bun.udpSocket({
    hostname: "127.0.0.2",
    port: 0,
    socket: { data: (_, bytes) => void answers.push(bytes.toString()) },
  });
  const invite = [
    `INVITE ${uriOf(line.number)} SIP/2.0`,
    `Via: SIP/2.0/UDP 127.0.0.2:${stranger.port};branch=z9hG4bKstranger;rport`,
    `From: <sip:+919800000000@127.0.0.2>;tag=stranger`,
    `To: <${uriOf(line.number)}>`,
    "Call-ID: stranger@127.0.0.2",
    "CSeq: 1 INVITE",
    `Contact: <sip:stranger@127.0.0.2:${stranger.port}>`,
    "Max-Forwards: 70",
    "Content-Length: 0",
    "",
    "",
  ].join("\r\n");
  for (let i = 0; i < 5; i++) stranger.send(invite, hospital.sipPort, "127.0.0.1");
  // When a later caller has been answered, the unknown peer would have been too.
  const phone = await startPhone({ number: newPatient(), port });
  await phone.dial(uriOf("+912200000000"));
  await phone.told("CALL_CLOSED");
  await phone.stop();
  stranger.close();
  expect(answers).toEqual([]);
  expect(await callsOf("inbound")).toHaveLength(before);
}, 180_000);
