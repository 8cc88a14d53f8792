// Success rate of voice calls: patients with real softphones (baresip), several voices and rooms, against the compiled
// binary. Checks the calendar, follow-up, do-not-disturb list, transcript, analysis and event of every call.
// `scripts/talk-trials [--voices slt,emma,michael] [--rooms quiet,20,10,loss] [--rooms-in-turn 20,loss] [--only
// "NAME;NAME"] [--in-turn] [--calls 60] [--at-once 2] [--seed 1] [--model well|badly|absurdly|silent]`; needs baresip,
// and festival and espeak-ng for their voices. `--in-turn`: each case once per room, with rotating voices.
// `--rooms-in-turn`: and once in one of these rooms. `--calls`: total number of calls, with rotating cases, rooms and
// voices. `--model`: a scripted language server leads the calls, and the outcomes must be the same. Prints the goals at
// the end and fails if one is missed.
import { constants, getPriority, loadavg, setPriority } from "node:os";
import { parseArgs } from "node:util";
import { loadMoonshine } from "../src/speech/asr/moonshine.ts";
import { forRecogniser } from "../src/speech/asr/utterance.ts";
import { loadRuntime } from "../src/speech/onnx/runtime.ts";
import { trials } from "../test/support/patient/cases.ts";
import { openClinic, runTrial, type TrialEnd } from "../test/support/patient/clinic.ts";
import { startLanguageServer } from "../test/support/patient/models.ts";
import { roomNamed } from "../test/support/patient/room.ts";
import { PATIENT_VOICES, patientVoice } from "../test/support/patient/voices.ts";
import { cpuUse } from "./process-cpu.ts";
import { trialGoals, trialTable, type TrialResult } from "./talk-trials-table.ts";

const { values } = parseArgs({
  options: {
    voices: { type: "string", default: "slt,emma,michael" },
    rooms: { type: "string", default: "quiet,20,10,loss" },
    "rooms-in-turn": { type: "string" },
    only: { type: "string" },
    "in-turn": { type: "boolean", default: false },
    calls: { type: "string" },
    "at-once": { type: "string", default: "2" },
    seed: { type: "string", default: "1" },
    model: { type: "string" },
  },
});

const model = values.model === undefined ? null : await startLanguageServer(values.model);
const clinic = await openClinic({
  RINGWARD_SPEECH__RECOGNISERS: "auto",
  // Short, because the trials do not use a model's analysis.
  RINGWARD_MODELS__ANALYSIS_SECONDS: "2",
  ...model?.env,
});
// Patients synthesise and recognise speech on the same machine, so they run at low priority and leave the CPU to the
// executable.
setPriority(Math.min(constants.priority.PRIORITY_LOW, getPriority() + 5));
const runtime = await loadRuntime("");
const moonshine = await loadMoonshine(runtime);
const recognise = async (samples: Int16Array) => moonshine.transcribe(forRecogniser(samples)).text;

interface Job {
  voice: string;
  room: string;
  trial: ReturnType<typeof trials>[number];
  seed: number;
}
const voices = values.voices.split(",");
const rooms = values.rooms.split(",");
const only = values.only?.split(";");
const cases = trials().filter(({ name }) => only === undefined || only.includes(name));
if (cases.length === 0)
  throw new Error(
    `There is no case ${values.only ?? ""}: ${trials()
      .map(({ name }) => name)
      .join("; ")}.`,
  );
const jobs: Job[] = [];
const addJob = (trial: Job["trial"], room: string, voice: string) =>
  jobs.push({ voice, room, trial, seed: Number(values.seed) * 1_000 + jobs.length });

if (values.calls !== undefined) {
  for (let i = 0; i < Number(values.calls); i++) {
    const round = Math.floor(i / cases.length);
    const trial = cases[i % cases.length];
    if (trial) addJob(trial, rooms[round % rooms.length] ?? "quiet", voices[(i + round) % voices.length] ?? "emma");
  }
} else {
  for (const [roomAt, room] of rooms.entries()) {
    for (const [at, trial] of cases.entries()) {
      const inTurn = voices[(at + roomAt) % voices.length] ?? "";
      for (const voice of values["in-turn"] ? [inTurn] : voices) addJob(trial, room, voice);
    }
  }
  const more = values["rooms-in-turn"]?.split(",") ?? [];
  for (const [at, trial] of more.length > 0 ? cases.entries() : [])
    addJob(trial, more[at % more.length] ?? "quiet", voices[(at + rooms.length) % voices.length] ?? "");
}

const results: TrialResult[] = [];
/** A silence long enough to inspect the call. */
const LONG_MS = 3_000;

function report(job: Job, { faults, exchanges, call, isWrongBooking, silence }: TrialEnd): void {
  const { voice, room, trial } = job;
  const { keys = "", speech } = call.extracted_details ?? {};
  const [hasKeys, isDeaf] = [keys !== "", speech !== undefined];
  const isAlarm = trial.expected.answers.includes("emergency");
  const silenceMs = Math.max(0, silence.ms - silence.cpuWaitMs);
  results.push({ room, voice, name: trial.name, faults, isWrongBooking, isAlarm, hasKeys, isDeaf, silenceMs });
  const by = `${hasKeys ? ` keys ${String(keys)}` : ""}${isDeaf ? " DEAF" : ""}`;
  console.log(
    `${faults.length === 0 ? "right" : "WRONG"}  ${room.padEnd(5)} ${voice.padEnd(8)} ${trial.name}${by}  ${(silence.ms / 1_000).toFixed(1)} s${silence.cpuWaitMs > 500 ? ` (${(silence.cpuWaitMs / 1_000).toFixed(1)} s without a core)` : ""}  ${faults.join("; ")}`,
  );
  if (faults.length === 0 && by === "" && silence.ms < LONG_MS) return;
  for (const { heard, replied } of exchanges)
    console.log(`         patient heard: ${heard}\n         and replied:   ${replied}`);
  for (const { speaker, text, timestamp } of call.call_transcript ?? [])
    console.log(`         ${timestamp} ${speaker}: ${text}`);
}

async function work(): Promise<void> {
  for (let job = jobs.shift(); job; job = jobs.shift()) {
    const { voice, room, trial, seed } = job;
    try {
      const speak = await patientVoice(voice, runtime);
      report(job, await runTrial(clinic, trial, { room: roomNamed(room, seed), speak, recognise }));
    } catch (error) {
      const faults = [`the trial broke: ${String(error)}`];
      const isAlarm = trial.expected.answers.includes("emergency");
      results.push({
        room,
        voice,
        name: trial.name,
        faults,
        isAlarm,
        isWrongBooking: false,
        hasKeys: false,
        isDeaf: false,
        silenceMs: 0,
      });
      console.log(`BROKE  ${room} ${voice} ${trial.name}  ${String(error)}`);
    }
  }
}

const began = { atMs: performance.now(), cpu: cpuUse(clinic.server.process.pid).totalSeconds };
await Promise.all(Array.from({ length: Number(values["at-once"]) }, work));

const seconds = (performance.now() - began.atMs) / 1_000;
const isRobotic = (voice: string) => PATIENT_VOICES[voice]?.isRobotic ?? false;
const goals = trialGoals(results, isRobotic);
console.log(`\n${trialTable(results, isRobotic)}\n`);
for (const { isReached, words } of goals) console.log(`${isReached ? "reached" : "MISSED "}  ${words}`);
if (model) console.log(`the model that answers ${values.model} was asked ${model.asked()} times`);
const share = (cpuUse(clinic.server.process.pid).totalSeconds - began.cpu) / seconds;
console.log(
  `${Math.round(seconds)} s; the executable used ${share.toFixed(2)} cores; load ${loadavg()
    .map((load) => load.toFixed(1))
    .join(" ")} on ${navigator.hardwareConcurrency} cores`,
);
await clinic.server.stop();
await model?.stop();
process.exit(goals.every(({ isReached }) => isReached) ? 0 : 1);
