// How often a call by voice comes to what the patient wanted: patients with real telephones (baresip), several voices and rooms,
// against the compiled binary. Every call's calendar, follow-up, do-not-disturb list, transcript and analysis are checked.
// `scripts/talk-trials [--voices slt,emma,michael] [--rooms quiet,20,10] [--only NAME] [--at-once 2]`; needs baresip, and festival
// for the voice slt.
import { parseArgs } from "node:util";
import { loadMoonshine } from "../src/speech/asr/moonshine.ts";
import { forRecogniser } from "../src/speech/asr/utterance.ts";
import { loadRuntime } from "../src/speech/onnx/runtime.ts";
import { trials } from "../test/support/patient/cases.ts";
import { openClinic, runTrial, type TrialEnd } from "../test/support/patient/clinic.ts";
import { patientVoice } from "../test/support/patient/voices.ts";

const { values } = parseArgs({
  options: {
    voices: { type: "string", default: "slt,emma,michael" },
    rooms: { type: "string", default: "quiet,20,10" },
    only: { type: "string" },
    "at-once": { type: "string", default: "2" },
    seed: { type: "string", default: "1" },
  },
});

const runtime = await loadRuntime("");
const moonshine = await loadMoonshine(runtime);
const recognise = async (samples: Int16Array) => moonshine.transcribe(forRecogniser(samples)).text;
const clinic = await openClinic({ RINGWARD_SPEECH__RECOGNISERS: "auto" });

interface Job {
  voice: string;
  room: string;
  trial: ReturnType<typeof trials>[number];
  seed: number;
}
const jobs: Job[] = [];
for (const room of values.rooms.split(",")) {
  for (const voice of values.voices.split(",")) {
    for (const trial of trials()) {
      if (values.only === undefined || trial.name === values.only) {
        jobs.push({ voice, room, trial, seed: Number(values.seed) * 1_000 + jobs.length });
      }
    }
  }
}

const tally = new Map<string, { right: number; all: number }>();
let wrongBookings = 0;

function report({ voice, room, trial }: Job, { faults, exchanges, call }: TrialEnd): void {
  const count = tally.get(room) ?? { right: 0, all: 0 };
  tally.set(room, { right: count.right + (faults.length === 0 ? 1 : 0), all: count.all + 1 });
  const isWrongBooking = faults.some((fault) => /^the calendar shows (?:moved|booked|cancelled)|^it is on/.test(fault));
  if (isWrongBooking) wrongBookings++;
  console.log(
    `${faults.length === 0 ? "right" : "WRONG"}  ${room.padEnd(5)} ${voice.padEnd(8)} ${trial.name}  ${faults.join("; ")}`,
  );
  if (faults.length === 0) return;
  for (const { heard, replied } of exchanges)
    console.log(`         patient heard: ${heard}\n         and replied:   ${replied}`);
  for (const { speaker, text, timestamp } of call.call_transcript ?? [])
    console.log(`         ${timestamp} ${speaker}: ${text}`);
}

async function work(): Promise<void> {
  for (let job = jobs.shift(); job; job = jobs.shift()) {
    const { voice, room, trial, seed } = job;
    const noiseDb = room === "quiet" ? null : Number(room);
    try {
      const end = await runTrial(clinic, trial, {
        room: { noiseDb, seed },
        speak: await patientVoice(voice, runtime),
        recognise,
      });
      report(job, end);
    } catch (error) {
      const count = tally.get(room) ?? { right: 0, all: 0 };
      tally.set(room, { ...count, all: count.all + 1 });
      console.log(`BROKE  ${room} ${voice} ${trial.name}  ${String(error)}`);
    }
  }
}
await Promise.all(Array.from({ length: Number(values["at-once"]) }, work));

for (const [room, { right, all }] of tally)
  console.log(`${room}: ${right} of ${all} (${((100 * right) / all).toFixed(0)} %)`);
console.log(`wrong bookings: ${wrongBookings}`);
await clinic.operator.phone.stop();
await clinic.server.stop();
process.exit(0);
