// What callees say about the recording, on the compiled binary and over SIP, in English and Hindi. A spoken no
// leaves no byte of audio. A yes that is withdrawn by key or by word ends the recording there: what is said
// afterwards is neither in the recording nor in the capture.
import { afterAll, beforeAll, describe, expect } from "bun:test";
import { randomUUID } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { decodeG711 } from "../../src/audio/g711.ts";
import { english } from "../../src/voice/conversation/phrases/en.ts";
import { hindi } from "../../src/voice/conversation/phrases/hi.ts";
import { daysAhead } from "../calendar/ahead.ts";
import { spoken } from "../speech/spoken.ts";
import { ask } from "../support/api-client.ts";
import { putPhonesAway, startPhone, testWithPhone as test } from "../support/baresip.ts";
import { leaveNothingBehind, type Running } from "../support/binary.ts";
import { command, finished, place, type Call } from "../support/calls.ts";
import { heardShare, WELL_HEARD } from "../support/correlate.ts";
import { watchCpuWait, type CpuWait } from "../support/cpu-wait.ts";
import { freeSipPort } from "../support/free-ports.ts";
import { jsonReply, startModelServer, type ModelServer } from "../support/model-server.ts";
import { LONG_PAUSE_MS, takeTurns, type Turn } from "../support/patient/turns.ts";
import { newPatient, recordingOf, sipHospital, type SipHospital, type SipLine } from "../support/sip-hospital.ts";
import { pcmWav, speechLike } from "../support/sounds.ts";
import { readPcap } from "../telephony/read-pcap.ts";

leaveNothingBehind();
putPhonesAway();

const RATE_HZ = 8_000;
const LONGEST_HOLD_MS = 240_000;
/** Payload type of µ-law. */
const PCMU = 0;

/** One language per call, so that each has its own servers. */
const CALLS = {
  no: { language: "en-IN", phrases: english },
  hindiNo: { language: "hi-IN", phrases: hindi },
  key: { language: "en-AU", phrases: english },
  word: { language: "en-GB", phrases: english },
  hindiWord: { language: "hi-Deva", phrases: hindi },
} as const;
type Name = keyof typeof CALLS;

const CALLBACK = { english: "What number can I call you back on?", hindi: "मैं किस नंबर पर वापस कॉल करूँ?" };
const STOP = { english: "Stop recording.", hindi: "रिकॉर्डिंग बंद कीजिए।" };

interface Talked {
  call: Call;
  phone: Int16Array;
  capture: string;
  /** Recordings in the data folder at each turn, and after the call. */
  recordings: number[];
}

let hospital: SipHospital;
let server: Running;
let cpuWait: CpuWait;
/** What a sound is, is known exactly; what it means is what the recogniser is told. */
let sounds: Record<"answer" | "before" | "stop" | "after", Int16Array>;
const lines = new Map<Name, SipLine & { port: number }>();
const servers = new Map<Name, ModelServer>();
const meant = new Map<Name, string>();
const talks = new Map<Name, Talked>();

const talkOf = (name: Name): Talked => {
  const found = talks.get(name);
  if (!found) throw new Error(`The call "${name}" did not end.`);
  return found;
};

/** The voice: a sound for each text. */
const voiceOf = (text: string) => speechLike(0.6 + text.length / 60, text.length * 7_919 + (text.codePointAt(0) ?? 0));

async function startServers(name: Name): Promise<Record<string, string>> {
  const own = await startModelServer();
  own.answer = ({ path, json }) =>
    path.endsWith("/transcriptions")
      ? jsonReply({ text: meant.get(name) ?? "" })
      : { headers: { "content-type": "audio/wav" }, pieces: [pcmWav(voiceOf(json.input ?? ""))] };
  servers.set(name, own);
  const { language } = CALLS[name];
  const settings = ["recognition", "voice"].flatMap((role) => {
    const id = `RINGWARD_MODELS__SERVERS__${`${name}${role}`.toUpperCase()}`;
    return [
      [`${id}__ROLE`, role],
      [`${id}__BASE_URL`, own.baseUrl],
      [`${id}__MODEL`, "m"],
      [`${id}__LANGUAGES`, language],
    ] as const;
  });
  return Object.fromEntries(settings);
}

const filesLeft = (ending: string): string[] =>
  readdirSync(hospital.dataDir, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith(ending))
    .map(({ parentPath, name }) => join(parentPath, name));

async function appointmentOf(contactNumber: string): Promise<string> {
  const { date, day } = daysAhead(3);
  const window = await ask(server, "POST", "/v1/appointment-slots", {
    body: { branch_id: randomUUID(), day, session: "Morning", ai_slots: 9, max_slots: 20 },
  });
  const slot_id = `${String(window.data["slot_id"])}||${date}`;
  const made = await ask(server, "POST", "/v1/appointments", { body: { slot_id, contact_number: contactNumber } });
  return String(made.data["appointment_id"]);
}

interface Said {
  presses?: string;
  sound?: keyof typeof sounds;
  means?: string;
}

/** A captured call; after these turns the callee presses 1 until it is over. */
async function talk(name: Name, ...turns: readonly Said[]): Promise<void> {
  const { port, agentId, trunkName } = lines.get(name)!;
  await command(server, "trunks", "capture", trunkName, "5");
  const number = newPatient();
  const phone = await startPhone({ number, port });
  const user = { user_number: number, user_name: "Ravi", user_preferred_language: CALLS[name].language };
  const additional_info = { appointment_id: await appointmentOf(number) };
  const callId = await place(server, { agent_id: agentId, ...user, additional_info });
  await phone.told("CALL_ESTABLISHED", 1, LONGEST_HOLD_MS);
  const recordings: number[] = [];
  await takeTurns(
    phone,
    turns.map(({ presses, sound, means }): Turn => ({
      ...(presses === undefined ? {} : { presses }),
      ...(sound === undefined ? {} : { words: sounds[sound] }),
      pauseMs: LONG_PAUSE_MS,
      before() {
        recordings.push(filesLeft(".wav").length);
        if (means !== undefined) meant.set(name, means);
      },
    })),
    cpuWait,
  );
  const call = await finished(server, callId);
  await phone.told("CALL_CLOSED");
  recordings.push(filesLeft(".wav").length);
  const [capture = ""] = filesLeft(".pcap").filter((file) => readFileSync(file, "latin1").includes(number));
  talks.set(name, { call, phone: phone.heard(), capture, recordings });
  await phone.stop();
}

beforeAll(async () => {
  if (Bun.which("baresip") === null) return;
  const [words, before, after] = await Promise.all([
    spoken("yes-i-will-be-there"),
    spoken("the-second-one-please"),
    spoken("i-want-to-speak-to-a-person"),
  ]);
  sounds = { answer: words, before, stop: words, after };
  hospital = await sipHospital();
  const env: Record<string, string> = {};
  for (const name of Object.keys(CALLS) as Name[]) {
    const port = freeSipPort();
    const line = await hospital.addLine({ port, isOpen: false, greeting: "", language: CALLS[name].language });
    await command(hospital, "agents", "update", line.agentId, "--recording", "ask");
    lines.set(name, { port, ...line });
    Object.assign(env, await startServers(name));
  }
  server = await hospital.start({
    RINGWARD_SPEECH__RECOGNISERS: "1",
    RINGWARD_SPEECH__SPOTTERS: "0",
    RINGWARD_MODELS__ANALYSIS_SECONDS: "0",
    ...env,
  });
  cpuWait = watchCpuWait(server.process.pid, process.pid);
  await Promise.all([
    talk("no", { sound: "answer", means: "No." }, { presses: "1" }, { sound: "after", means: CALLBACK.english }),
    talk("hindiNo", { sound: "answer", means: "नहीं।" }, { presses: "1" }, { sound: "after", means: CALLBACK.hindi }),
  ]);
  await Promise.all([
    talk(
      "key",
      { presses: "1" },
      { presses: "1" },
      { sound: "before", means: CALLBACK.english },
      { presses: "7" },
      { sound: "after", means: CALLBACK.english },
    ),
    talk(
      "word",
      { sound: "answer", means: "Yes." },
      { presses: "1" },
      { sound: "before", means: CALLBACK.english },
      { sound: "stop", means: STOP.english },
      { sound: "after", means: CALLBACK.english },
    ),
    talk(
      "hindiWord",
      { sound: "answer", means: "हाँ।" },
      { presses: "1" },
      { sound: "before", means: CALLBACK.hindi },
      { sound: "stop", means: STOP.hindi },
      { sound: "after", means: CALLBACK.hindi },
    ),
  ]);
}, 500_000);
afterAll(() => Promise.all([...servers.values()].map((each) => each.stop())));

/** The audio of each sender in a capture. */
function voicesIn(capture: string): Int16Array[] {
  const isAudio = (payload: Buffer) => payload[0]! >> 6 === 2 && (payload[1]! & 0x7f) === PCMU;
  const packets = readPcap(readFileSync(capture)).filter(({ payload }) => isAudio(payload));
  const bySender = Map.groupBy(packets, ({ from }) => from);
  return [...bySender.values()].map((own) =>
    decodeG711(Buffer.concat(own.map(({ payload }) => payload.subarray(12))), "PCMU"),
  );
}

/** A second from the middle of a sound, which is enough to know it by. */
const markOf = (sound: Int16Array) => sound.subarray(sound.length / 2 - RATE_HZ / 2, sound.length / 2 + RATE_HZ / 2);

const linesOf = ({ call_transcript: said }: Call, speaker: string) =>
  (said ?? []).filter((line) => line.speaker === speaker).map(({ text }) => text);

describe("a spoken no", () => {
  test.each(["no", "hindiNo"] as const)("leaves no byte of audio, during the call and after it: %s", (name) => {
    const { call, recordings, capture } = talkOf(name);
    expect(call).toMatchObject({
      status: "completed",
      call_recording: null,
      recording: { mode: "ask", consent: "refused", from: null, until: null },
    });
    const { phrases } = CALLS[name];
    expect(linesOf(call, "agent")).toContain(phrases.notRecorded.text);
    expect(linesOf(call, "agent")).toContain(phrases.callbackNumber(lines.get(name)!.number).text);
    expect(recordings.every((count) => count === 0)).toBeTrue();
    expect(readPcap(readFileSync(capture)).filter(({ payload }) => payload[0]! >> 6 === 2)).toEqual([]);
    expect(readFileSync(capture, "latin1")).toContain("INVITE sip:");
  });
});

describe("a yes that is withdrawn", () => {
  test.each(["key", "word", "hindiWord"] as const)(
    "ends the recording and the capture of the audio there: by %s",
    async (name) => {
      const { call, phone, capture } = talkOf(name);
      const { phrases } = CALLS[name];
      const { recording } = call;
      const said = (call.call_transcript ?? []).map(({ speaker, text }) => `${speaker}: ${text}`).join("\n");
      expect({ said, recording }).toMatchObject({ recording: { mode: "ask", consent: "withdrawn" } });
      // The agent answered what was said before and after.
      const answer = phrases.callbackNumber(lines.get(name)!.number).text;
      const times = linesOf(call, "agent").filter((text) => text === answer).length;
      expect({ said, times }).toMatchObject({ times: 2 });
      expect(linesOf(call, "agent")).toContain(phrases.recordingStopped.text);

      const [from, until] = [recording?.from ?? Number.NaN, recording?.until ?? Number.NaN];
      const { agent, caller } = await recordingOf(server, call);
      expect(agent.length / RATE_HZ).toBeWithin(until - from - 0.5, until - from + 0.5);
      expect(caller.length).toBe(agent.length);
      expect(until).toBeLessThan((call.call_duration_seconds ?? 0) - 5);
      const [before, after] = [markOf(sounds.before), markOf(sounds.after)];
      expect(heardShare(caller, before)).toBeGreaterThan(WELL_HEARD);
      expect(heardShare(caller, after)).toBe(0);

      const voices = voicesIn(capture);
      const shareOf = (sound: Int16Array) => Math.max(...voices.map((voice) => heardShare(voice, sound)));
      expect(voices).toHaveLength(2);
      expect(shareOf(before)).toBeGreaterThan(WELL_HEARD);
      expect(shareOf(after)).toBe(0);
      for (const voice of voices) expect(voice.length / RATE_HZ).toBeLessThan(until - from + 1);
      // The voice is asked sentence by sentence, or for the whole.
      const asked = servers.get(name)?.requests.map(({ json }) => json.input ?? "") ?? [];
      const stopped = asked.find((text) => text !== "" && phrases.recordingStopped.text.endsWith(text)) ?? "";
      const confirmed = markOf(voiceOf(stopped));
      expect(heardShare(phone, confirmed)).toBeGreaterThan(WELL_HEARD);
      expect(Math.max(heardShare(agent, confirmed), shareOf(confirmed))).toBe(0);
    },
    120_000,
  );
});
