// Response latency of the executable, and talking calls per core: real SIP and RTP, with patients who play prepared
// audio in a separate process. Latency is measured at their end; our own share comes from the call records. Concurrent
// calls are raised until a target is missed or calls are held with `overloaded`.
// `./scripts/bench talk -- --from 2 --step 2 --most 12 --calls 16 --no-pin --threads` (--calls: least number of calls
// per level of concurrency; --threads: lists busy threads). The executable gets one core and the patients another.
import { Database } from "bun:sqlite";
import { randomUUID } from "node:crypto";
import { readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { DAYS } from "../../src/payloads/slot.ts";
import type { TurnTimes } from "../../src/payloads/turn-times.ts";
import { daysAhead } from "../../test/calendar/ahead.ts";
import { ask } from "../../test/support/api-client.ts";
import type { Running } from "../../test/support/binary.ts";
import { FINAL, finished, place, readCall } from "../../test/support/calls.ts";
import { audioPorts } from "../../test/support/free-ports.ts";
import { sipHospital } from "../../test/support/sip-hospital.ts";
import { randomFrom } from "../../test/support/sounds.ts";
import { until } from "../../test/support/until.ts";
import { broken, figuresOf, findingsOf, show, type Ended, type Outcome } from "./talk-figures.ts";
import { scriptOf, type Measured, type Reply } from "./talk-patient.ts";
import { startPatients, type Patients } from "./talk-processes.ts";
import { makeWords, SCRIPTS, type Script } from "./talk-scripts.ts";
import { canPin, cpuBetween, cpuUse } from "../process-cpu.ts";
import { Missing, type Bench, type Finding, type How } from "./bench.ts";
import { percent } from "./figures.ts";

interface Asked {
  from: number;
  step: number;
  most: number;
  calls: number;
  isPinned: boolean;
  showsThreads: boolean;
  /** The scripts of the patients: the first of SCRIPTS. */
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

/** The executable has the first core to itself, as far as other programs permit. */
const pinnedTo = (core: string, { isPinned }: Asked) => (isPinned ? ["taskset", "--cpu-list", core] : []);
const [OUR_CORE, THEIR_CORE] = ["0", "1"] as const;

/** Eight seconds at speech level without a pause; noise, because it cannot be mistaken for an echo. */
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
   * A call is also held briefly while its audio is prepared: only a call held in two consecutive samples waits for
   * capacity.
   */
  let looksHeld = 0;
  let wasHeld = false;
  let measured: Measured | null = null;
  // Polls rarely, because each poll costs the executable a request. A call that fails before the answer has no patient.
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

/** CPU use of the machine in the meantime, over all cores. */
function machine() {
  const [line = ""] = readFileSync("/proc/stat", "utf8").split("\n", 1);
  const [, user = 0, nice = 0, system = 0, idle = 0, waiting = 0, hard = 0, soft = 0, steal = 0] = line
    .split(/\s+/)
    .map(Number);
  const busy = user + nice + system + hard + soft;
  return { busy, steal, all: busy + steal + idle + waiting };
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
    // Spreads the starts, because people do not answer at the same moment.
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

/** The largest concurrency that met every target, or the first if none did. */
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

/** The patients' voices need the optional weights, and ONNX Runtime does not run everywhere. */
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
