// Encrypted calls on the compiled binary: a telephone over TLS hears the reminder and confirms it. Captured packets are
// noise, the recording has the words, and the call's page says that it was encrypted. A call that cannot be encrypted
// reports it.
import { beforeAll, expect } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { putPhonesAway, startPhone, testWithPhone as test, type PhoneOptions } from "../support/baresip.ts";
import { leaveNothingBehind, type Running } from "../support/binary.ts";
import { command, finished, place } from "../support/calls.ts";
import { heardShare, WELL_HEARD } from "../support/correlate.ts";
import { dashboardOf, type DashboardVisit } from "../support/dashboard-visit.ts";
import { freeSipPort } from "../support/free-ports.ts";
import { createPrivateCa } from "../support/private-ca.ts";
import { newPatient, recordingOf, sipHospital, type SipHospital, type SipLine } from "../support/sip-hospital.ts";
import { saidOver, speechLike } from "../support/sounds.ts";
import { until } from "../support/until.ts";
import { readPcap } from "../telephony/read-pcap.ts";

leaveNothingBehind();
putPhonesAway();

const WORDS = speechLike(1, 1);
const GREETING = saidOver(WORDS);
const RECORDED = {
  greeting: GREETING,
  menu: speechLike(1, 2),
  confirmed: speechLike(0.6, 3),
  goodbye: speechLike(0.4, 4),
};
const PATIENTS_WORDS = speechLike(1, 7);
/** Longer than the opening of a call, after which it is recorded. */
const PATIENT_SAYS = saidOver(PATIENTS_WORDS, 12);
const ca = createPrivateCa();

interface Patient {
  port: number;
  line: SipLine;
}

let hospital: SipHospital;
let server: Running;
let owner: DashboardVisit;
let strict: Patient;
let lenient: Patient;

async function patient(srtp: string): Promise<Patient> {
  const port = freeSipPort();
  // baresip speaks TLS on the port after its own.
  return { port, line: await hospital.addLine({ port: port + 1, recorded: RECORDED, tls: { caPem: ca.caPem, srtp } }) };
}

beforeAll(async () => {
  if (Bun.which("baresip") === null) return;
  hospital = await sipHospital();
  strict = await patient("required");
  lenient = await patient("preferred");
  server = await hospital.start();
  owner = await dashboardOf(server);
}, 180_000);

async function callTo({ port, line }: Patient, encryption?: PhoneOptions["encryption"]) {
  const number = newPatient();
  const certificate = ca.issue(["127.0.0.1"]);
  const phone = await startPhone({
    number,
    port,
    says: PATIENT_SAYS,
    certificate,
    ...(encryption && { encryption }),
  });
  const callId = await place(server, { agent_id: line.agentId, user_number: number });
  return { phone, callId };
}

const pageOf = async (callId: string) =>
  JSON.parse((await owner.ask("GET", `calls/${callId}/line`)).text) as {
    media: { encryption: unknown } | null;
    messages: { text: string }[];
  };

/** The bytes as stored on disk. */
function onlyCapture(): Buffer {
  const folder = join(hospital.dataDir, "captures");
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((file) => file.endsWith(".pcap"));
  expect(files).toHaveLength(1);
  return readFileSync(join(folder, files[0]!));
}

test("required, with a telephone that encrypts", async () => {
  await command(server, "trunks", "capture", strict.line.trunkName, "5");
  const { phone, callId } = await callTo(strict, "srtp-mand");
  await phone.told("CALL_ESTABLISHED");
  await until(() => heardShare(phone.heard(), WORDS) > WELL_HEARD, { everyMs: 250 });
  await phone.press("1");
  const call = await finished(server, callId);
  await phone.told("CALL_CLOSED");

  expect(call).toMatchObject({ status: "completed", extracted_details: { keys: "1" } });
  const { agent, caller } = await recordingOf(server, call);
  expect(heardShare(phone.heard(), WORDS)).toBeGreaterThan(WELL_HEARD);
  expect(heardShare(agent, WORDS)).toBeGreaterThan(WELL_HEARD);
  expect(heardShare(caller, PATIENTS_WORDS)).toBeGreaterThan(WELL_HEARD);
  const page = await pageOf(callId);
  expect(page.media?.encryption).toEqual({ suite: "AES_CM_128_HMAC_SHA1_80", is_whole: true });
  expect(JSON.stringify(page)).toContain("inline:(removed)");
  expect(JSON.stringify(page)).not.toMatch(/inline:[A-Za-z0-9+/]{40}/);

  const packets = readPcap(onlyCapture());
  const audio = packets.filter(({ payload }) => payload.length === 182 && payload[0] === 0x80);
  expect(audio.length).toBeGreaterThan(100);
  // Unencrypted silence is one value 160 times.
  expect(Math.min(...audio.map(({ payload }) => new Set(payload.subarray(12, 172)).size))).toBeGreaterThan(60);
  expect(packets.some(({ payload }) => payload.length === 172)).toBe(false);
  await phone.stop();
}, 180_000);

test("required, with a telephone without encryption: the call fails with instructions", async () => {
  const { phone, callId } = await callTo(strict);
  const call = await finished(server, callId);
  expect(call).toMatchObject({ status: "failed", error: { code: "carrier_error" } });
  expect(JSON.stringify(call.error)).toContain("srtp");
  await phone.stop();
}, 180_000);

test("preferred, with a telephone without encryption: the call is unencrypted, and its page says so", async () => {
  const { phone, callId } = await callTo(lenient);
  await phone.told("CALL_ESTABLISHED");
  await until(() => heardShare(phone.heard(), WORDS) > WELL_HEARD, { everyMs: 250 });
  await phone.press("1");
  await finished(server, callId);
  expect(heardShare(phone.heard(), WORDS)).toBeGreaterThan(WELL_HEARD);
  expect((await pageOf(callId)).media).toMatchObject({ encryption: null });
  await phone.stop();
}, 180_000);
