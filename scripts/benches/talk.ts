// How quickly the executable talks, and how many talking calls a core carries: real SIP and RTP, and patients who say
// words that were made before, in a process of their own. What they wait for is measured at their end of the wire; our
// own share comes from the calls' records. Calls at once are raised until a target breaks or calls are held with
// `overloaded`.
// `./scripts/bench talk -- --from 2 --step 2 --most 12 --calls 16 --no-pin --threads` (--calls: at least so many for
// each number of calls at once; --threads: which threads were busy). The executable gets one core and the patients
// another.
import { Database } from "bun:sqlite";
import { randomUUID } from "node:crypto";
import { readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { encodeG711 } from "../../src/audio/g711.ts";
import { DAYS } from "../../src/calendar/days.ts";
import type { TurnTimes } from "../../src/payloads/turn-times.ts";
import { loadRuntime } from "../../src/speech/onnx/runtime.ts";
import { daysAhead } from "../../test/calendar/ahead.ts";
import { ask } from "../../test/support/api-client.ts";
import type { Running } from "../../test/support/binary.ts";
import { FINAL, finished, place, readCall } from "../../test/support/calls.ts";
import { audioPorts } from "../../test/support/free-ports.ts";
import { patientVoice } from "../../test/support/patient/voices.ts";
import { sipHospital } from "../../test/support/sip-hospital.ts";
import { randomFrom } from "../../test/support/sounds.ts";
import { until } from "../../test/support/until.ts";
import { ON_TIME_MS, type Punctuality } from "./talk-beat.ts";
import { FRAME_BYTES, scriptOf, trimmed, type Measured, type Reply } from "./talk-patient.ts";
import { startPatients, type Patients } from "./talk-processes.ts";
import { canPin, cpuBetween, cpuUse } from "../process-cpu.ts";
import { Missing, type Bench, type Finding, type How } from "./bench.ts";
import { percent, quantile } from "./figures.ts";

interface Asked {
  from: number;
  step: number;
  most: number;
  calls: number;
  isPinned: boolean;
  showsThreads: boolean;
  /** What the patients may say: the first so many of SCRIPTS. */
  scripts: Script[];
}

function askedFor({ quick, args = [] }: How): Asked {
  const text = (long: string, short: string) => ({ type: "string", default: quick ? short : long }) as const;
  const { values } = parseArgs({
    args,
    options: {
      from: text("2", "1"),
      step: text("2", "1"),
      most: text("12", "1"),
      calls: text("16", "1"),
      "no-pin": { type: "boolean", default: quick },
      threads: { type: "boolean", default: false },
    },
  });
  return {
    from: Number(values.from),
    step: Number(values.step),
    most: Number(values.most),
    calls: Number(values.calls),
    isPinned: canPin && !values["no-pin"],
    showsThreads: values.threads,
    scripts: quick ? SCRIPTS.slice(0, 1) : SCRIPTS,
  };
}

/** The executable has the first core to itself, as far as other programs let it. */
const pinnedTo = (core: string, { isPinned }: Asked) => (isPinned ? ["taskset", "--cpu-list", core] : []);
const [OUR_CORE, THEIR_CORE] = ["0", "1"] as const;

const TARGET = { firstVoiceP95: 100, ownP95: 60, answerP50: 900, answerP95: 1_500, stopP95: 300, onTime: 0.99 };

interface Script {
  says: string[];
  /**
   * Said into the agent's greeting, before all else. Its agent has a greeting without a pause, so that the end of it is
   * ours.
   */
  interruptsWith?: string;
  /** What the call should come to. */
  answer: string;
}

const CONFIRMS: Script = { says: ["Yes, this is Asha.", "Yes, I will be there."], answer: "confirmed" };
const INTERRUPTIONS = [
  "Sorry, who is this?",
  "Wait, wait.",
  "Excuse me.",
  "Hold on a second.",
  "Hello, who is calling?",
];

const SCRIPTS: Script[] = [
  CONFIRMS,
  {
    says: [
      "Yes, this is Asha.",
      "No, can I have another day?",
      "Yes, please.",
      "The second one, please.",
      "Yes, please.",
    ],
    answer: "rescheduled",
  },
  ...INTERRUPTIONS.map((interruptsWith) => ({ ...CONFIRMS, interruptsWith })),
];
const VOICES = ["emma", "michael"];
/** Into the greeting. */
const INTERRUPT_AFTER_MS = 1_500;

async function makeWords(asked: readonly Script[]): Promise<Reply[][]> {
  const runtime = await loadRuntime("");
  const scripts: Reply[][] = [];
  for (const [i, { says, interruptsWith }] of asked.entries()) {
    const speak = await patientVoice(VOICES[i % VOICES.length] ?? "", runtime);
    const reply = async (text: string, interruptsAfterMs: number | null): Promise<Reply> => ({
      words: trimmed(framesOf(encodeG711(await speak(text), "PCMA"))),
      interruptsAfterMs,
    });
    const replies = interruptsWith === undefined ? [] : [await reply(interruptsWith, INTERRUPT_AFTER_MS)];
    for (const text of says) replies.push(await reply(text, null));
    scripts.push(replies);
  }
  return scripts;
}

const framesOf = (bytes: Uint8Array): Uint8Array[] =>
  Array.from({ length: Math.floor(bytes.length / FRAME_BYTES) }, (_, frame) =>
    bytes.slice(frame * FRAME_BYTES, (frame + 1) * FRAME_BYTES),
  );

/** Eight seconds as loud as speech, without a pause; noise, because nobody's voice is taken for its echo. */
function unbroken(): Int16Array {
  const random = randomFrom(1);
  return Int16Array.from({ length: 64_000 }, () => 6_000 * (random() - 0.5));
}

interface Clinic {
  asked: Asked;
  server: Running;
  agents: { speaking: string; recorded: string };
  patients: Patients;
  branchId: string;
  slotId: string;
}

async function openSlots(server: Running): Promise<Pick<Clinic, "branchId" | "slotId">> {
  const branchId = randomUUID();
  const { date, day } = daysAhead(3);
  let slotId = "";
  for (const each of DAYS) {
    const body = { branch_id: branchId, day: each, session: "Morning", ai_slots: 400, max_slots: 800 };
    const made = await ask(server, "POST", "/v1/appointment-slots", { body });
    if (made.status !== 201) throw new Error(made.text);
    if (each === day) slotId = `${String(made.data["slot_id"])}||${date}`;
  }
  return { branchId, slotId };
}

interface Ended {
  measured: Measured;
  turns: TurnTimes[];
  /** It came to what the patient wanted. */
  isRight: boolean;
  wasHeld: boolean;
}

const NOTHING: Measured = { firstVoiceMs: null, answersMs: [], stopsMs: [], cutShort: 0, notStopped: 0 };

let called = 0;

async function callOne({ asked, server, agents, patients, branchId, slotId }: Clinic): Promise<Ended> {
  const number = `+91980001${String(++called).padStart(4, "0")}`;
  const script = asked.scripts[scriptOf(number, asked.scripts.length)];
  const booked = await ask(server, "POST", "/v1/appointments", { body: { slot_id: slotId, contact_number: number } });
  if (booked.status !== 201) throw new Error(booked.text);
  const about = { branch_id: branchId, appointment_id: booked.data["appointment_id"] };
  const ended = patients.ended(number);
  const id = await place(server, {
    agent_id: script?.interruptsWith === undefined ? agents.speaking : agents.recorded,
    user_number: number,
    user_name: "Asha",
    additional_info: about,
  });
  /**
   * A call whose words are still being made is held for a moment, too: only who is held at two looks in a row waits for
   * room.
   */
  let looksHeld = 0;
  let wasHeld = false;
  let measured: Measured | null = null;
  // Seldom, because every look costs the executable a request. A call that fails before the answer has no patient.
  for (let isOver = false; !isOver;) {
    measured = await Promise.race([ended, Bun.sleep(2_000).then(() => null)]);
    const { status, hold_reason } = await readCall(server, id);
    looksHeld = hold_reason === "overloaded" ? looksHeld + 1 : 0;
    wasHeld ||= looksHeld > 1;
    isOver = measured !== null || FINAL.includes(status);
  }
  const call = await finished(server, id);
  const isRight = call.extracted_details?.["answer"] === script?.answer;
  return { measured: measured ?? NOTHING, turns: turnsOf(server, id), isRight, wasHeld };
}

function turnsOf({ dataDir }: Running, callId: string): TurnTimes[] {
  const file = readdirSync(dataDir).find((name) => name.endsWith(".db")) ?? "";
  const db = new Database(join(dataDir, file), { readonly: true });
  const row = db
    .query<{ turn_times: string | null }, [string]>("SELECT turn_times FROM call_results WHERE call_id = ?")
    .get(callId);
  db.close();
  return JSON.parse(row?.turn_times ?? "[]") as TurnTimes[];
}

/** What the machine did meanwhile: of all its cores. */
function machine() {
  const [line = ""] = readFileSync("/proc/stat", "utf8").split("\n", 1);
  const [, user = 0, nice = 0, system = 0, idle = 0, waiting = 0, hard = 0, soft = 0, steal = 0] = line
    .split(/\s+/)
    .map(Number);
  const busy = user + nice + system + hard + soft;
  return { busy, steal, all: busy + steal + idle + waiting };
}

interface Outcome {
  calls: number;
  ended: Ended[];
  beat: Punctuality;
  bare: Punctuality;
  /** Of one core. */
  share: number;
  otherShare: number;
  stealShare: number;
}

async function runLevel(clinic: Clinic, atOnce: number): Promise<Outcome> {
  const { asked, server, patients } = clinic;
  let left = Math.max(asked.calls, asked.calls > 1 ? 2 * atOnce : 1);
  const ended: Ended[] = [];
  patients.measure();
  const cpuBefore = cpuUse(server.process.pid);
  const machineBefore = machine();
  const startedMs = performance.now();
  const line = async (_: unknown, index: number): Promise<void> => {
    // People do not answer all in one moment.
    await Bun.sleep((index * 6_000) / atOnce);
    while (left-- > 0) ended.push(await callOne(clinic));
  };
  await Promise.all(Array.from({ length: atOnce }, line));
  const seconds = (performance.now() - startedMs) / 1_000;
  const threads = cpuBetween(cpuBefore, cpuUse(server.process.pid));
  const share = threads.reduce((sum, thread) => sum + thread.seconds, 0) / seconds;
  const after = machine();
  const { calls: beat, bare } = await patients.report();
  const all = after.all - machineBefore.all;
  const cores = navigator.hardwareConcurrency;
  if (asked.showsThreads) {
    const busiest = threads.slice(0, 8).map((thread) => `${thread.thread}: ${percent(thread.seconds / seconds)}`);
    console.error(`  threads ${busiest.join("  ")}`);
  }
  return {
    calls: atOnce,
    ended,
    beat,
    bare,
    share,
    otherShare: (cores * (after.busy - machineBefore.busy)) / all - share,
    stealShare: (cores * (after.steal - machineBefore.steal)) / all,
  };
}

const between = (from: number | null, to: number | null) => (from === null || to === null ? null : to - from);
const known = (figures: readonly (number | null)[]) => figures.filter((figure) => figure !== null);

/**
 * Everything between the end of the turn and our sound that is no network's work: the decision, the calendar, the line.
 */
function ownMs({ speech_end, commit, llm_first, tts_start, tts_first, rtp_first }: TurnTimes): number | null {
  const deciding = between(commit, tts_start ?? llm_first);
  const sending = between(tts_first, rtp_first);
  return speech_end === null || deciding === null || sending === null ? null : deciding + sending;
}

function figuresOf({ ended, beat, bare }: Outcome) {
  const measured = ended.map((each) => each.measured);
  const turns = ended.flatMap((each) => each.turns);
  const answered = turns.filter(({ speech_end }) => speech_end !== null);
  return {
    firstVoice: known(measured.map(({ firstVoiceMs }) => firstVoiceMs)),
    answers: measured.flatMap(({ answersMs }) => answersMs),
    stops: measured.flatMap(({ stopsMs }) => stopsMs),
    own: known(answered.map(ownMs)),
    recognising: known(answered.map(({ stt_start, stt_final }) => between(stt_start, stt_final))),
    waiting: known(answered.map(({ speech_end, commit }) => between(speech_end, commit))),
    voice: known(answered.map(({ llm_first, tts_start, tts_first }) => between(tts_start ?? llm_first, tts_first))),
    recorded: known(answered.map(({ speech_end, rtp_first }) => between(speech_end, rtp_first))),
    notStopped: measured.reduce((sum, each) => sum + each.notStopped, 0),
    cutShort: measured.reduce((sum, each) => sum + each.cutShort, 0),
    onTime: beat.onTime / beat.packets,
    bareOnTime: bare.onTime / bare.packets,
  };
}

type Figures = ReturnType<typeof figuresOf>;

const both = (figures: readonly number[]) =>
  `${quantile(figures, 0.5).toFixed(0)} / ${quantile(figures, 0.95).toFixed(0)}`;

/** What each target says of these figures; the words of those that broke. */
function broken({ firstVoice, own, answers, stops, notStopped, onTime }: Figures): string[] {
  const rules: [boolean, string][] = [
    [quantile(firstVoice, 0.95) <= TARGET.firstVoiceP95, `first voice p95 over ${TARGET.firstVoiceP95} ms`],
    [quantile(own, 0.95) <= TARGET.ownP95, `own share p95 over ${TARGET.ownP95} ms`],
    [quantile(answers, 0.5) <= TARGET.answerP50, `answer p50 over ${TARGET.answerP50} ms`],
    [quantile(answers, 0.95) <= TARGET.answerP95, `answer p95 over ${TARGET.answerP95} ms`],
    [
      stops.length === 0 || (quantile(stops, 0.95) <= TARGET.stopP95 && notStopped === 0),
      `silence p95 over ${TARGET.stopP95} ms`,
    ],
    [onTime >= TARGET.onTime, `fewer than ${TARGET.onTime * 100} % of packets within ${ON_TIME_MS} ms`],
  ];
  return rules.filter(([holds]) => !holds).map(([, words]) => words);
}

function show(outcome: Outcome, figures: Figures): void {
  const { calls, ended, share } = outcome;
  const right = ended.filter(({ isRight }) => isRight).length;
  const held = ended.filter(({ wasHeld }) => wasHeld).length;
  console.error(`\n${calls} calls at once, ${ended.length} in all; ${right} came to what the patient wanted`);
  const rows: [string, string, string][] = [
    ["answer to first voice, p50 / p95", `${both(figures.firstVoice)} ms`, `p95 ≤ ${TARGET.firstVoiceP95}`],
    ["our own share of a turn, p50 / p95", `${both(figures.own)} ms`, `p95 ≤ ${TARGET.ownP95}`],
    [
      "end of speech to first sound, p50 / p95",
      `${both(figures.answers)} ms`,
      `p50 ≤ ${TARGET.answerP50}, p95 ≤ ${TARGET.answerP95}`,
    ],
    ["  of it by our record", `${both(figures.recorded)} ms`, ""],
    ["  to the end of the turn", `${both(figures.waiting)} ms`, ""],
    ["  recognising, beside that", `${both(figures.recognising)} ms`, ""],
    ["  voice", `${both(figures.voice)} ms`, ""],
    ["interruption to silence, p50 / p95", `${both(figures.stops)} ms`, `p95 ≤ ${TARGET.stopP95}`],
    [`packets within ${ON_TIME_MS} ms`, percent(figures.onTime), `≥ ${TARGET.onTime * 100} %`],
    ["  a bare timer beside them", percent(figures.bareOnTime), ""],
    ["the executable, of a core", percent(share), ""],
    ["  for each call", `${((share / calls) * 100).toFixed(1)} %`, ""],
  ];
  for (const [what, figure, target] of rows) console.error(`  ${what.padEnd(42)}${figure.padStart(16)}   ${target}`);
  const others = `other programs ${percent(outcome.otherShare)} of a core, steal ${percent(outcome.stealShare)}`;
  const load = readFileSync("/proc/loadavg", "utf8").split(" ", 1)[0] ?? "";
  console.error(
    `  meanwhile: ${others}, load ${load}; ${figures.answers.length} answers, ${figures.stops.length} silences`,
  );
  if (figures.cutShort + figures.notStopped + held > 0) {
    console.error(`  cut short ${figures.cutShort}, not stopped ${figures.notStopped}, held as overloaded ${held}`);
  }
}

async function gauge({ url }: Running, name: string): Promise<number> {
  const text = await (await fetch(`${url}/metrics`)).text();
  return Number(new RegExp(`^${name} (\\S+)$`, "m").exec(text)?.[1] ?? Number.NaN);
}

async function open(asked: Asked, patients: Patients): Promise<Clinic & { dataDir: string }> {
  const hospital = await sipHospital();
  const rtpPorts = audioPorts(400);
  const line = { port: patients.port, lines: 100, callsPerSecond: 50 };
  const { agentId: speaking } = await hospital.addLine(line);
  const { agentId: recorded } = await hospital.addLine({ ...line, isOpen: false, recorded: { greeting: unbroken() } });
  const env = {
    RINGWARD_LOG__LEVEL: "warn",
    RINGWARD_SPEECH__RECOGNISERS: "auto",
    RINGWARD_TELEPHONY__SIP__RTP_PORT_FROM: String(rtpPorts.from),
    RINGWARD_TELEPHONY__SIP__RTP_PORT_TO: String(rtpPorts.to),
  };
  const server = await hospital.start(env, { wrapper: pinnedTo(OUR_CORE, asked) });
  const readyMs = performance.now();
  await until(async () => (await gauge(server, "ringward_speech_listening")) === 1, { everyMs: 50 });
  console.error(`listening ${(performance.now() - readyMs + server.startedMs).toFixed(0)} ms after the start`);
  const slots = await openSlots(server);
  return { asked, server, agents: { speaking, recorded }, patients, ...slots, dataDir: hospital.dataDir };
}

function findingsOf(outcome: Outcome, figures: Figures): Finding[] {
  const at = `${outcome.calls} talking at once`;
  const bare = `${percent(figures.bareOnTime)} of a bare timer's packets on time`;
  const timed = (measure: string, times: readonly number[], goal: string, holds: boolean): Finding => ({
    measure: `${at}: ${measure}, p50 / p95`,
    here: times.length === 0 ? "none" : `${both(times)} ms`,
    against: bare,
    ratio: null,
    goal,
    holds: times.length === 0 ? null : holds,
  });
  const p95 = (times: readonly number[]) => quantile(times, 0.95);
  const { firstVoice, own, answers, stops } = figures;
  const isQuickToAnswer = quantile(answers, 0.5) <= TARGET.answerP50 && p95(answers) <= TARGET.answerP95;
  return [
    timed(
      "answer to first voice",
      firstVoice,
      `p95 ≤ ${TARGET.firstVoiceP95} ms`,
      p95(firstVoice) <= TARGET.firstVoiceP95,
    ),
    timed("our own share of a turn", own, `p95 ≤ ${TARGET.ownP95} ms`, p95(own) <= TARGET.ownP95),
    timed(
      "end of speech to first sound",
      answers,
      `p50 ≤ ${TARGET.answerP50}, p95 ≤ ${TARGET.answerP95} ms`,
      isQuickToAnswer,
    ),
    timed(
      "interruption to silence",
      stops,
      `p95 ≤ ${TARGET.stopP95} ms`,
      p95(stops) <= TARGET.stopP95 && figures.notStopped === 0,
    ),
    {
      measure: `${at}: packets within ${ON_TIME_MS} ms, ${percent(outcome.share / outcome.calls)} of a core each`,
      here: percent(figures.onTime),
      against: bare,
      ratio: figures.onTime / figures.bareOnTime,
      goal: `≥ ${TARGET.onTime * 100} %`,
      holds: figures.onTime >= TARGET.onTime,
    },
  ];
}

/** The largest number of calls at once that kept every target, or the first where none did. */
async function climb(clinic: Clinic): Promise<Finding[]> {
  const { asked } = clinic;
  let findings: Finding[] = [];
  let most = 0;
  for (let atOnce = asked.from; atOnce <= asked.most; atOnce += asked.step) {
    const outcome = await runLevel(clinic, atOnce);
    const figures = figuresOf(outcome);
    show(outcome, figures);
    const faults = broken(figures);
    if (outcome.ended.some(({ wasHeld }) => wasHeld)) faults.push("calls were held as overloaded");
    console.error(`  ${faults.length === 0 ? "every target holds" : faults.join("; ")}`);
    if (faults.length === 0 || most === 0) findings = findingsOf(outcome, figures);
    if (faults.length > 0) break;
    most = atOnce;
  }
  const own = await gauge(clinic.server, "ringward_speech_most_talking_calls");
  return [
    ...findings,
    {
      measure: `talking calls ${asked.isPinned ? "on one core" : "at once"} with every target kept, of ${asked.from} to ${asked.most}`,
      here: String(most),
      against: `${own} by what it measures of itself`,
      ratio: most / own,
      goal: null,
      holds: null,
    },
  ];
}

async function run(how: How): Promise<Finding[]> {
  const asked = askedFor(how);
  console.error(
    asked.isPinned ? "  The executable has one core, the patients have another." : "  All share all cores.",
  );
  const patients = await startPatients(await wordsOrMissing(asked), pinnedTo(THEIR_CORE, asked));
  const clinic = await open(asked, patients).catch((error: unknown) => {
    patients.stop();
    throw error;
  });
  try {
    return await climb(clinic);
  } finally {
    patients.stop();
    const output = clinic.server.output().trim();
    await clinic.server.stop();
    if (output) console.error(output);
    rmSync(clinic.dataDir, { recursive: true, force: true });
  }
}

/** The patients' voices are those of the optional weights, and ONNX Runtime does not run everywhere. */
async function wordsOrMissing({ scripts }: Asked): Promise<Reply[][]> {
  try {
    return await makeWords(scripts);
  } catch (error) {
    throw new Missing(`the patients cannot speak here: ${error instanceof Error ? error.message : String(error)}`);
  }
}

export const talk: Bench = {
  name: "talk",
  about: "how quickly the executable answers people who talk, and how many of them a core carries",
  run,
};
