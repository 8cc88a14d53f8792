// Recording modes on the compiled binary, over SIP with a telephone that listens and presses keys: what may not be
// recorded leaves no byte in the data folder.
import { beforeAll, describe, expect } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { MEMORY_FILE } from "../../src/db/lineage/folder-memory.ts";
import { putPhonesAway, startPhone, testWithPhone as test } from "../support/baresip.ts";
import { leaveNothingBehind, type Running } from "../support/binary.ts";
import { command, finished, place } from "../support/calls.ts";
import { heardShare, WELL_HEARD } from "../support/correlate.ts";
import { freeSipPort } from "../support/free-ports.ts";
import { PAUSE_MS, silentAfterSpeechMs } from "../support/patient/turns.ts";
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
/** Said over and over, so that they are heard after the announcement too. */
const TALKATIVE = saidOver(PATIENTS_WORDS, 12);

let hospital: SipHospital;
let server: Running;
const lines = new Map<string, SipLine & { port: number }>();

beforeAll(async () => {
  if (Bun.which("baresip") === null) return;
  hospital = await sipHospital();
  for (const mode of ["announce", "ask", "off"]) {
    const port = freeSipPort();
    const line = await hospital.addLine({ port, recorded: RECORDED });
    await command(hospital, "agents", "update", line.agentId, "--recording", mode);
    lines.set(mode, { port, ...line });
  }
  server = await hospital.start();
}, 180_000);

/** Every file of the data folder that is not the database or its key; folders appear with their first file. */
const filesLeft = (): string[] =>
  readdirSync(hospital.dataDir, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !/^(ringward\.db|secret\.key)/.test(entry.name))
    .map(({ parentPath, name }) => join(parentPath, name));

/** Captured packets of RTP and RTCP, by the version in their first byte. */
const audioIn = (capture: string) => readPcap(readFileSync(capture)).filter(({ payload }) => payload[0]! >> 6 === 2);

/** The memory of the data folder is written again every few seconds. */
const isOfCalls = (file: string) => !file.endsWith(`${MEMORY_FILE}.new`);

/**
 * A captured call on the line of this mode, in which the patient answers the question about the recording with a key,
 * hears the greeting and confirms.
 */
async function talk(mode: string, answerKey?: string) {
  const { port, agentId, trunkName } = lines.get(mode)!;
  await command(server, "trunks", "capture", trunkName, "5");
  const before = new Set(filesLeft());
  const added = (ending: string) => filesLeft().filter((file) => !before.has(file) && file.endsWith(ending));
  const number = newPatient();
  const phone = await startPhone({ number, port, says: TALKATIVE });
  const callId = await place(server, { agent_id: agentId, user_number: number });
  await phone.told("CALL_ESTABLISHED");
  if (answerKey !== undefined) {
    await until(() => silentAfterSpeechMs(phone.heard(), 0) >= PAUSE_MS, { everyMs: 100 });
    await phone.press(answerKey);
  }
  await until(() => heardShare(phone.heard(), WORDS) > WELL_HEARD, { everyMs: 300 });
  const duringCall = added(".wav");
  await until(() => heardShare(phone.heard(), RECORDED.menu) > WELL_HEARD, { everyMs: 300 });
  await phone.press("1");
  const call = await finished(server, callId);
  await phone.told("CALL_CLOSED");
  await phone.stop();
  return { call, duringCall, recordings: added(".wav"), captures: added(".pcap"), others: added("").filter(isOfCalls) };
}

describe("a call", () => {
  test.each([
    ["off", undefined, null, "1"],
    ["ask", "2", "refused", "21"],
  ] as const)(
    "with mode %s and answer %p leaves no byte of audio, during the call and after it; its capture has the signalling",
    async (mode, answerKey, consent, keys) => {
      const { call, duringCall, recordings, captures, others } = await talk(mode, answerKey);
      expect(call).toMatchObject({
        status: "completed",
        call_recording: null,
        recording: { mode, consent, from: null, until: null },
        extracted_details: { keys },
      });
      expect([duringCall, recordings]).toEqual([[], []]);
      expect([captures.length, others]).toEqual([1, captures]);
      expect(audioIn(captures[0]!)).toEqual([]);
      expect(readFileSync(captures[0]!, "latin1")).toContain("INVITE sip:");
    },
    180_000,
  );

  test("that was agreed to is recorded from the yes on", async () => {
    const { call, recordings, captures } = await talk("ask", "1");
    const { agent } = await recordingOf(server, call);
    expect(heardShare(agent, WORDS)).toBeGreaterThan(WELL_HEARD);
    expect(call).toMatchObject({ recording: { mode: "ask", consent: "given", until: null } });
    expect(agent.length / 8_000).toBeLessThan(call.call_duration_seconds! - 2);
    expect(recordings).toHaveLength(1);
    expect(audioIn(captures[0]!).length).toBeGreaterThan(100);
  }, 180_000);

  test("that is announced has both voices in its recording and its capture", async () => {
    const { call, recordings, captures } = await talk("announce");
    const { agent, caller } = await recordingOf(server, call);
    expect(heardShare(agent, WORDS)).toBeGreaterThan(WELL_HEARD);
    expect(heardShare(caller, PATIENTS_WORDS)).toBeGreaterThan(WELL_HEARD);
    const { recording, notices } = call as unknown as { recording: { from: number }; notices: { heard_at: number }[] };
    expect(recording).toMatchObject({ mode: "announce", consent: null, until: null });
    expect(notices[2]).toEqual({ kind: "recording", heard_at: recording.from } as never);
    // The recording holds the call from the end of the notice, and not the notice.
    expect(agent.length / 8_000).toBeWithin(
      call.call_duration_seconds! - recording.from - 0.5,
      call.call_duration_seconds!,
    );
    expect(agent.length / 8_000).toBeLessThan(call.call_duration_seconds! - 2);
    expect(recordings).toHaveLength(1);
    expect(audioIn(captures[0]!).length).toBeGreaterThan(100);
  }, 180_000);

  test("that is killed before the announcement ended leaves no audio", async () => {
    const { port, agentId } = lines.get("announce")!;
    const before = new Set(filesLeft());
    const number = newPatient();
    const phone = await startPhone({ number, port, says: TALKATIVE });
    const callId = await place(server, { agent_id: agentId, user_number: number });
    await phone.told("CALL_ESTABLISHED");
    await server.kill();
    server = await hospital.start();
    expect(await finished(server, callId)).toMatchObject({
      status: "failed",
      error: { code: "interrupted" },
      call_recording: null,
    });
    expect(filesLeft().filter((file) => !before.has(file) && file.endsWith(".wav"))).toEqual([]);
    await phone.stop();
  }, 180_000);
});
