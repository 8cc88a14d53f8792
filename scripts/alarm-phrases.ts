// Measures alarm detection: 40 cries for help in eight voices of four makers and four rooms, and more than 400 ordinary
// sentences, through recogniser, spotter, rules and conversation. `--every N`: only every Nth cry. `--heard FILE`
// caches what was heard, line by line, so a run can resume. `--minutes N` limits the run. `--show` prints missed and
// false alarms.
import { join } from "node:path";
import { parseArgs } from "node:util";
import { loadMoonshine } from "../src/speech/asr/moonshine.ts";
import { loadRuntime } from "../src/speech/onnx/runtime.ts";
import { readWeights } from "../src/speech/onnx/weights.ts";
import { availablePacks } from "../src/speech/packs/packs.ts";
import { loadSpotter } from "../src/speech/spotter/spotter.ts";
import { randomFrom } from "../test/support/sounds.ts";
import { isVoiceThere } from "../test/support/patient/voices.ts";
import { createAlarmCalls } from "./alarm-calls.ts";
import { createHearing } from "./alarm-hearing.ts";
import { alarmTables, type AlarmResult } from "./alarm-table.ts";
import { everydaySentences } from "./everyday-sentences.ts";

const { values: options } = parseArgs({
  options: {
    voices: { type: "string", default: "awb,rms,flite-slt,slt,emma,michael,ked,espeak" },
    rooms: { type: "string", default: "quiet,20,10,television" },
    every: { type: "string", default: "1" },
    "ordinary-every": { type: "string", default: "1" },
    heard: { type: "string" },
    minutes: { type: "string" },
    show: { type: "boolean", default: false },
  },
});
const [voices, rooms] = [options.voices.split(","), options.rooms.split(",")];
const missing = voices.filter((voice) => !isVoiceThere(voice));
if (missing.length > 0) throw new Error(`These voices need a program that is not installed: ${missing.join(", ")}.`);
const every = <Item>(list: readonly Item[], nth: string) => list.filter((_, at) => at % Number(nth) === 0);
const cries = every(
  (await Bun.file(join(import.meta.dir, "alarm-sentences.txt")).text()).trim().split("\n"),
  options.every,
);
const ordinary = every(await everydaySentences(), options["ordinary-every"]);

const pack = availablePacks("")["phrase-spotter"];
if (!pack) throw new Error("The phrase spotter is missing: bun scripts/bring-packs.ts");
const runtime = await loadRuntime("");
const moonshine = await loadMoonshine(runtime);
const spotter = await loadSpotter(await readWeights(pack.model));
const calls = createAlarmCalls(createHearing({ runtime, moonshine, spotter }, options.heard));

const results: AlarmResult[] = [];
function keep(result: AlarmResult): void {
  results.push(result);
  const isWrong = result.kind === "cry" ? result.first === "none" : result.reaction !== "none";
  if (options.show && isWrong) console.log(JSON.stringify(result));
}

interface Job {
  kind: AlarmResult["kind"];
  sentence: string;
  voice: string;
  room: string;
}
const jobs: Job[] = cries.flatMap((sentence) =>
  rooms.flatMap((room) => voices.map((voice) => ({ kind: "cry" as const, sentence, voice, room }))),
);
// Voices and rooms rotate from sentence to sentence.
for (const [at, sentence] of ordinary.entries()) {
  const [voice = "", room = ""] = [voices[at % voices.length], rooms[Math.floor(at / voices.length) % rooms.length]];
  jobs.push({ kind: "ordinary", sentence, voice, room });
}
// In random order, so an aborted run is a fair sample of the whole.
const random = randomFrom(33);
const inOrder = jobs.map((job) => ({ job, at: random() })).toSorted((a, b) => a.at - b.at);
const until = options.minutes === undefined ? Infinity : performance.now() + Number(options.minutes) * 60_000;
for (const { job } of inOrder) {
  if (performance.now() > until) break;
  const { kind, sentence, voice, room } = job;
  if (kind === "cry") keep({ kind, sentence, voice, room, ...(await calls.cry(sentence, { voice, room })) });
  else keep({ kind, sentence, voice, room, ...(await calls.ordinary(sentence, { voice, room })) });
}
console.log(alarmTables(results));
