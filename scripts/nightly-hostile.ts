// Runs the whole hostile set through the executable and prints a table of faults: scripts/nightly-hostile
import {
  controls,
  hostileLines,
  hostileRecords,
  hostileSentences,
  RECORD_CONTROLS,
  SENTENCE_CONTROLS,
} from "../test/support/hostile/hostile-set.ts";
import { startTrial, type Trial } from "../test/support/hostile/trial.ts";

/** Share of sentences, for an agent whose model speaks freely. */
const MOST_FREE = 0.01;

interface Row {
  name: string;
  hasModel: boolean;
  entries: number;
  /** Largest share of faulty entries. */
  most?: number;
  run(trial: Trial): Promise<string[]>;
}

const lines = hostileLines();
const sentences = hostileSentences();
const records = hostileRecords();
const required = controls();

const ROWS: readonly Row[] = [
  { name: "controls, rules alone", hasModel: false, entries: required.length, run: (on) => on.controls(required) },
  { name: "callee's lines, rules alone", hasModel: false, entries: lines.length, run: (on) => on.lines(lines) },
  { name: "controls, with a model", hasModel: true, entries: required.length, run: (on) => on.controls(required) },
  { name: "callee's lines, the model obeys", hasModel: true, entries: lines.length, run: (on) => on.lines(lines) },
  {
    name: "model's sentences, chosen",
    hasModel: true,
    entries: sentences.length,
    run: (on) => on.sentences(sentences, "chosen"),
  },
  {
    name: "controls of sentences, free",
    hasModel: true,
    entries: SENTENCE_CONTROLS.length,
    run: (on) => on.sentences(SENTENCE_CONTROLS, "free"),
  },
  {
    name: "model's sentences, free",
    hasModel: true,
    entries: sentences.length,
    most: MOST_FREE,
    run: (on) => on.sentences(sentences, "free"),
  },
  {
    name: "controls of records",
    hasModel: true,
    entries: RECORD_CONTROLS.length,
    run: (on) => on.records(RECORD_CONTROLS),
  },
  { name: "model's records", hasModel: true, entries: records.length, run: (on) => on.records(records) },
];

console.log("| set | entries | at fault | allowed | seconds |\n|---|---|---|---|---|");
let isFailed = false;
const faults: string[] = [];
for (const hasModel of [false, true]) {
  const trial = await startTrial({ hasModel });
  try {
    for (const row of ROWS.filter((one) => one.hasModel === hasModel)) {
      const startedMs = performance.now();
      const found = await row.run(trial);
      const allowed = Math.floor((row.most ?? 0) * row.entries);
      isFailed ||= found.length > allowed;
      const seconds = Math.round((performance.now() - startedMs) / 1000);
      console.log(`| ${row.name} | ${row.entries} | ${found.length} | ${allowed} | ${seconds} |`);
      faults.push(...found.map((fault) => `${row.name}: ${fault}`));
    }
  } finally {
    await trial.stop();
  }
}
for (const fault of faults) console.log(fault);
process.exitCode = isFailed ? 1 : 0;
