// What must be said, on the compiled binary, as telephones hear it: in English and Hindi, by voice, by keypad, on a
// voicemail, and with a model and a greeting that claim the contrary. How calls and recordings are stopped, by word and
// by key. The calls are made together; then their sound is read.
import { Database } from "bun:sqlite";
import { afterAll, beforeAll, expect } from "bun:test";
import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { loadMoonshine, type Moonshine } from "../../src/speech/asr/moonshine.ts";
import { forRecogniser } from "../../src/speech/asr/utterance.ts";
import { loadRuntime } from "../../src/speech/onnx/runtime.ts";
import { english } from "../../src/voice/conversation/phrases/en.ts";
import { hindi } from "../../src/voice/conversation/phrases/hi.ts";
import { daysAhead } from "../calendar/ahead.ts";
import { spoken } from "../speech/spoken.ts";
import { ask } from "../support/api-client.ts";
import { putPhonesAway, startPhone, testWithPhone as test, type Phone } from "../support/baresip.ts";
import { leaveNothingBehind, type Running } from "../support/binary.ts";
import { command, commandJson, finished, place, type Call } from "../support/calls.ts";
import { correlate, heardShare, WELL_HEARD } from "../support/correlate.ts";
import { watchCpuWait, type CpuWait } from "../support/cpu-wait.ts";
import { freeSipPort } from "../support/free-ports.ts";
import { chatReply, jsonReply, startModelServer, type ModelServer } from "../support/model-server.ts";
import { findSpeech } from "../support/patient/patient.ts";
import { LONG_PAUSE_MS, takeTurns, type Turn } from "../support/patient/turns.ts";
import { newPatient, recordingOf, sipHospital, type SipHospital } from "../support/sip-hospital.ts";
import { pcmWav, saidOver, speechLike } from "../support/sounds.ts";

leaveNothingBehind();
putPhonesAway();

const HOSPITAL = "City Hospital";
const CALLBACK = "+912212345678";
const LONGEST_HOLD_MS = 240_000;
/** Samples of any utterance: the test's recogniser decides what is heard. */
const FEW_WORDS = 900 * 8;
const RATE_HZ = 8_000;

const CLAIMS = "I am a human. You agreed to be recorded. I already told you who I am.";
const HINDI_CLAIMS = "मैं एक इंसान हूँ। आपने रिकॉर्डिंग के लिए सहमति दी है।";
const UNTRUE_GREETING = "I am a real person from the hospital. Good morning.";
const RECORDED_GREETING = speechLike(1.2, 11);
const MACHINE = "You have reached the voicemail of Ravi. Please leave a message after the tone.";
const HINDI_MACHINE = "कृपया बीप के बाद संदेश छोड़ें।";

/** One language per call, so that each has its own servers. */
const LANGUAGES = {
  voice: "en-IN",
  keypad: "en-AU",
  voicemail: "en-GB",
  hindi: "hi-IN",
  hindiKeypad: "hi-Deva",
  hindiVoicemail: "hi-GB",
} as const;
type Name = keyof typeof LANGUAGES;

interface Ended {
  call: Call;
  phone: Int16Array;
  /** Samples that were heard before each turn. */
  turns: number[];
}

let moonshine: Moonshine;
let hospital: SipHospital;
let server: Running;
let cpuWait: CpuWait;
const servers = new Map<Name, ModelServer>();
/** What the callee's next words mean to the recogniser. */
const meant = new Map<Name, string>();
/** A sound of its own for each text, so that what was heard is known exactly. */
const sounds = new Map<string, Int16Array>();
const ended = new Map<Name, Ended>();

const seedOf = (text: string): number => Array.from(text).reduce((sum, letter) => sum * 31 + letter.charCodeAt(0), 7);

function soundOf(text: string): Int16Array {
  const sound = sounds.get(text) ?? speechLike(0.6 + text.length / 60, seedOf(text) % 1_000_003);
  sounds.set(text, sound);
  return sound;
}

async function startServers(name: Name, roles: readonly string[], claims = ""): Promise<Record<string, string>> {
  const own = await startModelServer();
  own.answer = ({ path, json }) => {
    if (path.endsWith("/transcriptions")) return jsonReply({ text: meant.get(name) ?? "" });
    if (path.endsWith("/speech"))
      return { headers: { "content-type": "audio/wav" }, pieces: [pcmWav(soundOf(json.input ?? ""))] };
    return chatReply({ text: json.tools ? claims : "ready" });
  };
  servers.set(name, own);
  const entries = roles.flatMap((role) => {
    const id = `RINGWARD_MODELS__SERVERS__${`${name}${role}`.toUpperCase()}`;
    return [
      [`${id}__ROLE`, role],
      [`${id}__BASE_URL`, own.baseUrl],
      [`${id}__MODEL`, "m"],
      [`${id}__LANGUAGES`, LANGUAGES[name]],
    ] as const;
  });
  return Object.fromEntries(entries);
}

/** What the callee does, after the agent has fallen silent. */
interface Patient {
  agentId: string;
  port: number;
  hasAppointment?: boolean;
  says?: Int16Array;
  acts(phone: Phone, turns: number[]): Promise<unknown>;
}

async function called(name: Name, { agentId, port, hasAppointment, says, acts }: Patient): Promise<void> {
  const number = newPatient();
  const phone = await startPhone({ number, port, ...(says && { says }) });
  const additional_info = hasAppointment ? { appointment_id: await appointmentOf(number) } : {};
  const user = { user_number: number, user_name: "Ravi", user_preferred_language: LANGUAGES[name] };
  const callId = await place(server, { agent_id: agentId, ...user, additional_info });
  await phone.told("CALL_ESTABLISHED", 1, LONGEST_HOLD_MS);
  const turns: number[] = [];
  await acts(phone, turns);
  const call = await finished(server, callId);
  await phone.told("CALL_CLOSED");
  ended.set(name, { call, phone: phone.heard(), turns });
  await phone.stop();
}

async function appointmentOf(contactNumber: string): Promise<string> {
  const { date, day } = daysAhead(3);
  const window = await ask(server, "POST", "/v1/appointment-slots", {
    body: { branch_id: randomUUID(), day, session: "Morning", ai_slots: 9, max_slots: 20 },
  });
  const slot_id = `${String(window.data["slot_id"])}||${date}`;
  const made = await ask(server, "POST", "/v1/appointments", { body: { slot_id, contact_number: contactNumber } });
  return String(made.data["appointment_id"]);
}

beforeAll(async () => {
  if (Bun.which("baresip") === null) return;
  hospital = await sipHospital();
  const [organisation] = await commandJson<{ organisation_id: string }[]>(hospital, "orgs", "list");
  const settings = ["--name", HOSPITAL, "--callback-number", CALLBACK];
  await command(hospital, "orgs", "update", ...settings, "--", organisation?.organisation_id ?? "");
  const lineOf = async (options: { greeting?: string; language?: string; recorded?: Record<string, Int16Array> }) => {
    const port = freeSipPort();
    const { agentId } = await hospital.addLine({ port, isOpen: false, ...options });
    await command(hospital, "agents", "update", agentId, "--model-speech", "free");
    return { port, agentId };
  };
  const [voice, keypad, voicemail, inHindi, hindiKeypad, hindiVoicemail] = await Promise.all([
    lineOf({ greeting: UNTRUE_GREETING }),
    lineOf({ recorded: { greeting: saidOver(RECORDED_GREETING) } }),
    lineOf({ greeting: "Good morning." }),
    lineOf({ greeting: "", language: "hi-IN" }),
    lineOf({ greeting: "", language: LANGUAGES.hindiKeypad }),
    lineOf({ greeting: "", language: LANGUAGES.hindiVoicemail }),
  ]);
  server = await hospital.start({
    RINGWARD_SPEECH__RECOGNISERS: "1",
    RINGWARD_SPEECH__SPOTTERS: "0",
    RINGWARD_MODELS__ANALYSIS_SECONDS: "0",
    ...(await startServers("voice", ["language", "recognition"], CLAIMS)),
    ...(await startServers("voicemail", ["recognition", "voice"])),
    ...(await startServers("hindi", ["language", "recognition", "voice"], HINDI_CLAIMS)),
    ...(await startServers("hindiKeypad", ["voice"])),
    ...(await startServers("hindiVoicemail", ["recognition", "voice"])),
  });
  cpuWait = watchCpuWait(server.process.pid, process.pid);
  const words = (await spoken("yes-i-will-be-there")).subarray(0, FEW_WORDS);
  const inTurns = (name: Name, ...acts: readonly { presses?: string; means?: string }[]) =>
    async function take(phone: Phone, turns: number[]) {
      const all = acts.map(({ presses, means }): Turn => ({
        ...(presses === undefined ? { words } : { presses }),
        pauseMs: LONG_PAUSE_MS / 2,
        before() {
          turns.push(phone.heard().length);
          if (means !== undefined) meant.set(name, means);
        },
      }));
      return takeTurns(phone, all, cpuWait);
    };
  meant.set("voicemail", MACHINE);
  meant.set("hindiVoicemail", HINDI_MACHINE);
  await Promise.all([
    called("voice", {
      ...voice,
      hasAppointment: true,
      acts: inTurns(
        "voice",
        { presses: "1" },
        { means: "Is there parking?" },
        { means: "Stop recording." },
        { means: "What number can I call you back on?" },
        { means: "Stop calling me." },
      ),
    }),
    called("keypad", { ...keypad, acts: inTurns("keypad", { presses: "9" }) }),
    called("hindi", {
      ...inHindi,
      hasAppointment: true,
      acts: inTurns("hindi", { presses: "1" }, { means: "क्या वहाँ पार्किंग है?" }, { presses: "9" }),
    }),
    called("hindiKeypad", {
      ...hindiKeypad,
      hasAppointment: true,
      acts: inTurns("hindiKeypad", { presses: "1" }, { presses: "9" }),
    }),
    called("voicemail", {
      ...voicemail,
      hasAppointment: true,
      says: words,
      acts: (phone) => phone.told("CALL_CLOSED", 1, 120_000),
    }),
    called("hindiVoicemail", {
      ...hindiVoicemail,
      hasAppointment: true,
      says: words,
      acts: (phone) => phone.told("CALL_CLOSED", 1, 120_000),
    }),
  ]);
  moonshine = await loadMoonshine(await loadRuntime(""));
}, 400_000);
afterAll(() => Promise.all([...servers.values()].map((each) => each.stop())));

const callOf = (name: Name): Ended => {
  const found = ended.get(name);
  if (!found) throw new Error(`The call "${name}" did not end.`);
  return found;
};

const read = new Map<string, string>();

/** What the telephone heard between two turns, in words. */
function wordsIn(name: Name, turn: number): string {
  const key = `${name} ${turn}`;
  const words = read.get(key) ?? readTurn(name, turn);
  read.set(key, words);
  return words;
}

function readTurn(name: Name, turn: number): string {
  const { phone, turns } = callOf(name);
  const to = turns[turn] ?? phone.length;
  const heard = phone.subarray(0, to);
  const said: string[] = [];
  for (let at = turns[turn - 1] ?? 0; ;) {
    const { start, end, voicedMs } = findSpeech(heard, at);
    if (voicedMs === 0) return said.join(" ");
    said.push(moonshine.transcribe(forRecogniser(heard.slice(start, end))).text);
    at = end;
  }
}

const isHeard = (name: Name, sound: Int16Array): boolean => heardShare(callOf(name).phone, sound) > WELL_HEARD;

/** Where the telephone heard this sentence, in milliseconds; the voice is asked for it clause by clause. */
function heardAt(name: Name, sentence: string): number {
  const isAsked = (text: string) => servers.get(name)?.requests.some(({ json }) => json.input === text);
  const clauses = [...sounds].filter(([text]) => sentence.includes(text) && isAsked(text));
  expect({ sentence, clauses: clauses.length }).not.toMatchObject({ clauses: 0 });
  for (const [text, sound] of clauses) expect({ text, isHeard: isHeard(name, sound) }).toEqual({ text, isHeard: true });
  const first = clauses.toSorted(([one], [other]) => sentence.indexOf(one) - sentence.indexOf(other))[0];
  return correlate(callOf(name).phone, first?.[1] ?? new Int16Array(0)).lagMs;
}

/** When the first voice was heard. */
const firstVoiceMs = (name: Name): number => findSpeech(callOf(name).phone, 0).start / 8;

/** When a voice was heard again, after the first fell silent. */
const secondVoiceMs = (name: Name): number => {
  const { phone } = callOf(name);
  return findSpeech(phone, findSpeech(phone, 0).end).start / 8;
};

/** Between the first sound of a voice and where the search finds its beginning. */
const SAME_MOMENT_MS = 300;

const agentSaid = ({ call_transcript: lines }: Call): string =>
  (lines ?? [])
    .filter(({ speaker }) => speaker === "agent")
    .map(({ text }) => text)
    .join("\n");

interface Notice {
  kind: string;
  heard_at: number | null;
}
const noticesOf = (call: Call): Notice[] => (call as unknown as { notices: Notice[] }).notices;

function isOnList({ call_id, contact_number }: Call): unknown {
  const database = new Database(join(hospital.dataDir, "ringward.db"), { readonly: true });
  const row = database.query("SELECT source, call_id FROM do_not_disturb WHERE number = ?").get(contact_number);
  database.close();
  return row && { ...row, isThisCall: (row as { call_id: string }).call_id === call_id };
}

test("by voice in English: who calls and that the voice is automatic come first, then the recording", () => {
  const heard = wordsIn("voice", 0);
  expect(heard).toMatch(/^\W*(?:hello,? )?this is the automatic assistant of (?:the )?city hospital/i);
  expect(heard).toMatch(/assistant of .*call is recorded.*good morning.*speaking with/is);
  const { call } = callOf("voice");
  const [caller, automatic, recording] = noticesOf(call);
  expect([caller, automatic, recording]).toMatchObject([
    { kind: "caller" },
    { kind: "automatic" },
    { kind: "recording" },
  ]);
  expect(caller?.heard_at).toBeGreaterThan(1);
  expect(recording?.heard_at).toBeGreaterThan(caller?.heard_at ?? Infinity);
});

test("a model and a greeting that claim to be human are replaced by the fixed line", () => {
  const { call } = callOf("voice");
  expect(wordsIn("voice", 2)).toMatch(/this is the automatic assistant of (?:the )?city hospital/i);
  const heard = [0, 1, 2, 3, 4, 5].map((turn) => wordsIn("voice", turn)).join(" ");
  expect(heard).not.toMatch(/human|real person|agreed|already told/i);
  expect(agentSaid(call)).not.toMatch(/human|real person|agreed|already told/i);
  expect(servers.get("voice")?.requests.some(({ json }) => json.tools !== undefined)).toBeTrue();
});

test("the recording ends where the callee withdraws the consent", async () => {
  const { call } = callOf("voice");
  expect(wordsIn("voice", 3)).toMatch(/recording has stopped/i);
  const { recording } = call;
  expect(recording).toMatchObject({ mode: "announce", consent: "withdrawn" });
  const [from, until] = [recording?.from ?? Number.NaN, recording?.until ?? Number.NaN];
  const { agent, caller } = await recordingOf(server, call);
  expect(agent.length / RATE_HZ).toBeWithin(until - from - 0.5, until - from + 0.5);
  expect(caller.length).toBe(agent.length);
  expect(until).toBeLessThan((call.call_duration_seconds ?? 0) - 5);
});

test("the number to call back is given on request, and the calls are stopped by word, with source and call", () => {
  const { call } = callOf("voice");
  expect(wordsIn("voice", 4)).toMatch(/call us on/i);
  expect(wordsIn("voice", 5)).toMatch(/not call this number again/i);
  expect(isOnList(call)).toEqual({ source: "call", call_id: call.call_id, isThisCall: true });
  expect(noticesOf(call).find(({ kind }) => kind === "callback")?.heard_at).toBeGreaterThan(0);
});

test("by keypad: the opening precedes a recorded greeting, and key 9 stops the calls, with source and call", () => {
  const { call, phone } = callOf("keypad");
  const greetingAt = correlate(phone, RECORDED_GREETING).lagMs / 1_000;
  expect(heardShare(phone, RECORDED_GREETING)).toBeGreaterThan(WELL_HEARD);
  const before = phone.slice(0, Math.round(greetingAt * RATE_HZ));
  expect(moonshine.transcribe(forRecogniser(before)).text).toMatch(
    /^\W*(?:hello,? )?this is the automatic assistant of/i,
  );
  expect(wordsIn("keypad", 1)).toMatch(/not call this number again/i);
  expect(String(call.extracted_details?.["keys"])).toStartWith("9");
  expect(isOnList(call)).toEqual({ source: "call", call_id: call.call_id, isThisCall: true });
});

test.each([
  ["voicemail", english, /appointment/],
  ["hindiVoicemail", hindi, /अपॉइंटमेंट/],
] as const)(
  "a %s hears who called, the number and how to stop the calls, and nothing of the purpose",
  (name, phrases, purpose) => {
    const { call } = callOf(name);
    const facts = { notices: { hospital: HOSPITAL }, isTriedAgain: false } as never;
    const who = phrases.message(facts);
    const message = [who, phrases.isRecorded, phrases.callbackNumber(CALLBACK), phrases.howToStopLater];
    const moments = message.map(({ text }) => heardAt(name, text));
    expect(moments).toEqual(moments.toSorted((one, other) => one - other));
    expect(agentSaid(call)).toEndWith([...message.map(({ text }) => text), phrases.goodbye.text].join("\n"));
    for (const [text, sound] of [...sounds].filter(([each]) => purpose.test(each)))
      expect({ text, isHeard: isHeard(name, sound) }).toEqual({ text, isHeard: false });
    expect(agentSaid(call)).not.toMatch(purpose);
  },
  180_000,
);

test.each([
  ["voicemail", english],
  ["hindiVoicemail", hindi],
] as const)(
  "a %s hears the opening before anything else, and the message begins with who calls",
  (name, phrases) => {
    const { call } = callOf(name);
    // The announcement of the machine interrupts the opening.
    const opening = soundOf(phrases.opening(HOSPITAL).text);
    expect(servers.get(name)?.requests.some(({ json }) => json.input === phrases.opening(HOSPITAL).text)).toBeTrue();
    const begun = opening.subarray(0, RATE_HZ / 2);
    expect(heardShare(callOf(name).phone, begun)).toBeGreaterThan(WELL_HEARD);
    expect(Math.abs(correlate(callOf(name).phone, begun).lagMs - firstVoiceMs(name))).toBeLessThan(SAME_MOMENT_MS);
    const who = phrases.message({ notices: { hospital: HOSPITAL }, isTriedAgain: false } as never);
    expect(Math.abs(heardAt(name, who.text) - secondVoiceMs(name))).toBeLessThan(SAME_MOMENT_MS);
    const heard = noticesOf(call);
    expect(heard.map(({ kind }) => kind)).toEqual(["caller", "automatic", "recording", "callback", "stop"]);
    const moments = heard.map(({ heard_at }) => heard_at ?? Number.NaN);
    expect(moments).toEqual(moments.toSorted((one, other) => one - other));
    expect(moments.every(Number.isFinite)).toBeTrue();
  },
  180_000,
);

test("by keypad in Hindi: the opening and the recording come first, and key 9 stops the calls", () => {
  const { call } = callOf("hindiKeypad");
  expect(Math.abs(heardAt("hindiKeypad", hindi.opening(HOSPITAL).text) - firstVoiceMs("hindiKeypad"))).toBeLessThan(
    SAME_MOMENT_MS,
  );
  expect(String(call.extracted_details?.["keys"])).toStartWith("19");
  expect(isOnList(call)).toEqual({ source: "call", call_id: call.call_id, isThisCall: true });
  const heard = noticesOf(call).filter(({ heard_at }) => heard_at !== null);
  expect(heard.map(({ kind }) => kind)).toEqual(expect.arrayContaining(["caller", "automatic", "recording"]));
});

test("in Hindi: the opening comes first, claims of the model are replaced, and key 9 stops the calls", () => {
  const { call } = callOf("hindi");
  expect(Math.abs(heardAt("hindi", hindi.opening(HOSPITAL).text) - firstVoiceMs("hindi"))).toBeLessThan(SAME_MOMENT_MS);
  heardAt("hindi", hindi.whoIsCalling({ notices: { hospital: HOSPITAL } } as never).text);
  expect(agentSaid(call)).not.toMatch(/इंसान|सहमति/);
  expect(servers.get("hindi")?.requests.some(({ json }) => json.tools !== undefined)).toBeTrue();
  expect(isOnList(call)).toEqual({ source: "call", call_id: call.call_id, isThisCall: true });
  const heard = noticesOf(call).filter(({ heard_at }) => heard_at !== null);
  expect(heard.map(({ kind }) => kind)).toEqual(expect.arrayContaining(["caller", "automatic", "recording"]));
});
