// How often a call by voice comes to what the patient wanted: patients with real telephones (baresip), several voices and rooms,
// against the compiled binary. Every call's calendar, follow-up, do-not-disturb list, transcript, analysis and event are checked.
// `scripts/talk-trials [--voices slt,emma,michael] [--rooms quiet,20,10,loss] [--only NAME] [--in-turn] [--at-once 2]
// [--model well|badly|absurdly|silent]`; needs baresip, and festival for the voice slt. `--in-turn`: each case once a room, by one
// voice after the other. `--model`: a scripted language server leads the calls, and what they come to must be the same.
import { loadavg } from "node:os";
import { parseArgs } from "node:util";
import { loadMoonshine } from "../src/speech/asr/moonshine.ts";
import { forRecogniser } from "../src/speech/asr/utterance.ts";
import { loadRuntime } from "../src/speech/onnx/runtime.ts";
import { trials } from "../test/support/patient/cases.ts";
import { openClinic, runTrial, type TrialEnd } from "../test/support/patient/clinic.ts";
import { startLanguageServer } from "../test/support/patient/models.ts";
import { roomNamed } from "../test/support/patient/room.ts";
import { patientVoice } from "../test/support/patient/voices.ts";
import { cpuUse } from "./process-cpu.ts";

const { values } = parseArgs({
  options: {
    voices: { type: "string", default: "slt,emma,michael" },
    rooms: { type: "string", default: "quiet,20,10,loss" },
    only: { type: "string" },
    "in-turn": { type: "boolean", default: false },
    "at-once": { type: "string", default: "2" },
    seed: { type: "string", default: "1" },
    model: { type: "string" },
  },
});

const runtime = await loadRuntime("");
const moonshine = await loadMoonshine(runtime);
const recognise = async (samples: Int16Array) => moonshine.transcribe(forRecogniser(samples)).text;
const model = values.model === undefined ? null : await startLanguageServer(values.model);
const clinic = await openClinic({ RINGWARD_SPEECH__RECOGNISERS: "auto", ...model?.env });

interface Job {
  voice: string;
  room: string;
  trial: ReturnType<typeof trials>[number];
  seed: number;
}
const jobs: Job[] = [];
const voices = values.voices.split(",");
for (const [roomAt, room] of values.rooms.split(",").entries()) {
  for (const [at, trial] of trials().entries()) {
    if (values.only !== undefined && trial.name !== values.only) continue;
    const inTurn = voices[(at + roomAt) % voices.length] ?? "";
    for (const voice of values["in-turn"] ? [inTurn] : voices) {
      jobs.push({ voice, room, trial, seed: Number(values.seed) * 1_000 + jobs.length });
    }
  }
}

interface Count {
  right: number;
  all: number;
}
/** By room, by room and voice, and by case. */
const tally = new Map<string, Count>();
let wrongBookings = 0;
/** Somebody was not understood twice, and pressed a key. */
let withKeys = 0;
/** The recogniser did not answer in time, or the detector was lost. */
let deaf = 0;

function count(job: Job, isRight: boolean): void {
  for (const name of [job.room, `${job.room} ${job.voice}`, `(${job.trial.name})`]) {
    const { right, all } = tally.get(name) ?? { right: 0, all: 0 };
    tally.set(name, { right: right + Number(isRight), all: all + 1 });
  }
}

function report(job: Job, { faults, exchanges, call, isWrongBooking }: TrialEnd): void {
  const { voice, room, trial } = job;
  count(job, faults.length === 0);
  if (isWrongBooking) wrongBookings++;
  const { keys = "", speech } = call.extracted_details ?? {};
  if (keys !== "") withKeys++;
  if (speech !== undefined) deaf++;
  const by = `${keys === "" ? "" : ` keys ${String(keys)}`}${speech === undefined ? "" : " DEAF"}`;
  console.log(
    `${faults.length === 0 ? "right" : "WRONG"}  ${room.padEnd(5)} ${voice.padEnd(8)} ${trial.name}${by}  ${faults.join("; ")}`,
  );
  if (faults.length === 0 && by === "") return;
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
      count(job, false);
      console.log(`BROKE  ${room} ${voice} ${trial.name}  ${String(error)}`);
    }
  }
}

const began = { atMs: performance.now(), cpu: cpuUse(clinic.server.process.pid).totalSeconds };
await Promise.all(Array.from({ length: Number(values["at-once"]) }, work));

const seconds = (performance.now() - began.atMs) / 1_000;
for (const [name, { right, all }] of tally)
  console.log(`${name}: ${right} of ${all} (${((100 * right) / all).toFixed(0)} %)`);
console.log(`wrong bookings: ${wrongBookings}; calls with a key: ${withKeys}; calls that could not be heard: ${deaf}`);
if (model) console.log(`the model that answers ${values.model} was asked ${model.asked()} times`);
const share = (cpuUse(clinic.server.process.pid).totalSeconds - began.cpu) / seconds;
console.log(
  `${Math.round(seconds)} s; the executable used ${share.toFixed(2)} cores; load ${loadavg()
    .map((load) => load.toFixed(1))
    .join(" ")} on ${navigator.hardwareConcurrency} cores`,
);
await clinic.server.stop();
await model?.stop();
process.exit(0);
