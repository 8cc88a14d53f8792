// Hindi calls on the compiled binary with live synthesis by the built-in voice: a real telephone hears the greeting
// with the contact's name. ./scripts/voice-hindi measures intelligibility. When the hospital's own voice server fails,
// the built-in voice carries the call to its end.
import { afterAll, beforeAll, expect } from "bun:test";
import { randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { activeLevelDb } from "../../src/audio/speech-level.ts";
import { hindi } from "../../src/voice/conversation/phrases/hi.ts";
import { daysAhead } from "../calendar/ahead.ts";
import { spoken } from "../speech/spoken.ts";
import { ask } from "../support/api-client.ts";
import { putPhonesAway, startPhone, testWithPhoneBeside as test } from "../support/baresip.ts";
import { leaveNothingBehind, type Running } from "../support/binary.ts";
import { finished, place } from "../support/calls.ts";
import { watchCpuWait, type CpuWait } from "../support/cpu-wait.ts";
import { freeSipPort } from "../support/free-ports.ts";
import { errorReply, jsonReply, startModelServer } from "../support/model-server.ts";
import { takeTurns } from "../support/patient/turns.ts";
import { newPatient, recordingOf, sipHospital, type SipHospital, type SipLine } from "../support/sip-hospital.ts";
import { speechLike } from "../support/sounds.ts";

leaveNothingBehind();
putPhonesAway();

const RECORDED = {
  menu: speechLike(1, 2),
  confirmed: speechLike(0.6, 3),
  change_requested: speechLike(0.6, 4),
  transfer: speechLike(0.4, 5),
  goodbye: speechLike(0.4, 6),
};
const GREETING = "नमस्ते रमेश जी।";
const FIXED_GREETING = "नमस्ते।";
/** Loading the voice takes a second of a core, and the machine may be busy. */
const LONGEST_HOLD_MS = 120_000;

const servers = await startModelServer();
servers.answer = ({ path }) =>
  path.endsWith("/transcriptions") ? jsonReply({ text: "हाँ, मैं आऊँगा।" }) : errorReply(500);
afterAll(() => servers.stop());

let hospital: SipHospital;
let server: Running;
let cpuWait: CpuWait;
const [port, talkingPort] = [freeSipPort(), freeSipPort()];
let line: SipLine;
let talkingLine: SipLine;
beforeAll(async () => {
  if (Bun.which("baresip") === null) return;
  hospital = await sipHospital();
  [line, talkingLine] = await Promise.all([
    hospital.addLine({ port, language: "hi", greeting: "नमस्ते {{contact_name}} जी।", recorded: RECORDED }),
    hospital.addLine({ port: talkingPort, language: "hi-IN", greeting: FIXED_GREETING }),
  ]);
  const settingsOf = (name: string, role: string) => ({
    [`RINGWARD_MODELS__SERVERS__${name}__ROLE`]: role,
    [`RINGWARD_MODELS__SERVERS__${name}__BASE_URL`]: servers.baseUrl,
    [`RINGWARD_MODELS__SERVERS__${name}__MODEL`]: "m",
    [`RINGWARD_MODELS__SERVERS__${name}__LANGUAGES`]: "hi-IN",
  });
  server = await hospital.start({
    RINGWARD_SPEECH__RECOGNISERS: "1",
    RINGWARD_SPEECH__SPOTTERS: "0",
    ...settingsOf("EARS", "recognition"),
    ...settingsOf("VOICE", "voice"),
  });
  cpuWait = watchCpuWait(server.process.pid);
}, 180_000);

test("a Hindi agent's greeting is heard, and no contact data is stored on disk", async () => {
  const number = newPatient();
  const phone = await startPhone({ number, port });
  const callId = await place(server, { agent_id: line.agentId, user_number: number, user_name: "रमेश" });
  await phone.told("CALL_ESTABLISHED", 1, LONGEST_HOLD_MS);
  await takeTurns(phone, [], cpuWait);
  const call = await finished(server, callId);
  expect(call).toMatchObject({ status: "completed" });

  const [opening, recording, greeted] = call.call_transcript!.map(({ text }) => text);
  expect(opening).toContain("ऑटोमैटिक सहायक");
  expect(recording).toStartWith("यह कॉल रिकॉर्ड की जा रही है।");
  expect(greeted).toBe(GREETING);
  const { agent } = await recordingOf(server, call);
  // The greeting comes before the menu: at least a second of speech, as loud as every voice.
  const greeting = agent.subarray(0, 1.3 * 8_000);
  expect(activeLevelDb(greeting)).toBeGreaterThan(-24);
  expect(activeLevelDb(greeting)).toBeLessThan(-16);
  expect(loudSeconds(greeting)).toBeGreaterThan(0.6);

  expect(existsSync(join(hospital.dataDir, "sounds"))).toBeFalse();
}, 300_000);

test("the hospital's Hindi voice fails from the first word on: no silence follows, and the appointment is right", async () => {
  const number = newPatient();
  const phone = await startPhone({ number, port: talkingPort });
  const { date, day } = daysAhead(3);
  const window = await ask(server, "POST", "/v1/appointment-slots", {
    body: { branch_id: randomUUID(), day, session: "Morning", ai_slots: 9, max_slots: 20 },
  });
  const slot_id = `${String(window.data["slot_id"])}||${date}`;
  const made = await ask(server, "POST", "/v1/appointments", { body: { slot_id, contact_number: number } });
  const { appointment_id } = made.data;
  const info = { agent_id: talkingLine.agentId, user_number: number, user_name: undefined };
  const callId = await place(server, { ...info, additional_info: { appointment_id } });
  await phone.told("CALL_ESTABLISHED", 1, LONGEST_HOLD_MS);
  const turns = [{ presses: "1" }, { words: await spoken("yes-i-will-be-there") }];
  const silence = await takeTurns(phone, turns, cpuWait);
  const call = await finished(server, callId);

  const said = (call.call_transcript ?? []).map(({ speaker, text }) => `${speaker}: ${text}`).join("\n");
  expect({ said, ...silence }).toMatchObject({ isTooLong: false });
  expect({ said, details: call.extracted_details }).toMatchObject({ details: { answer: "confirmed" } });
  const appointment = await ask(server, "GET", `/v1/appointments/${String(appointment_id)}`);
  expect(appointment.data).toMatchObject({ status: "confirmed" });
  expect(said).toContain(`agent: ${FIXED_GREETING}`);
  expect(said).toContain(`agent: ${hindi.confirmed.text}`);
  expect(said).toContain(`agent: ${hindi.goodbye.text}`);
  expect(servers.requests.map(({ path }) => path)).toContain("/v1/audio/speech");
  expect({ said, details: call.extracted_details }).toMatchObject({ details: { keys: "1", voice_turns: 1 } });
}, 300_000);

/** Seconds of audio that is not a pause, in frames of 10 ms. */
function loudSeconds(samples: Int16Array): number {
  let windows = 0;
  for (let from = 0; from < samples.length; from += 80) {
    const window = samples.subarray(from, from + 80);
    const power = window.reduce((sum, sample) => sum + sample ** 2, 0) / window.length;
    if (Math.sqrt(power) > 300) windows++;
  }
  return windows / 100;
}
