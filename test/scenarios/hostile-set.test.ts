// A seeded sample of the hostile set, run against the executable. The whole set: ./scripts/nightly-hostile.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { ask } from "../support/api-client.ts";
import { leaveNothingBehind } from "../support/binary.ts";
import { numberEnding } from "../support/calls.ts";
import {
  controls,
  hostileLines,
  hostileRecords,
  hostileSentences,
  RECORD_CONTROLS,
  seeded,
  SENTENCE_CONTROLS,
} from "../support/hostile/hostile-set.ts";
import { startTrial, type Trial } from "../support/hostile/trial.ts";

leaveNothingBehind();

const SAMPLE = 16;
const random = seeded(33);
const sampled = <T>(list: readonly T[], count = SAMPLE): T[] =>
  Array.from({ length: count }, () => list[Math.floor(random() * list.length)] as T);

let trial: Trial;
beforeAll(async () => {
  trial = await startTrial({ hasModel: true });
}, 180_000);
afterAll(() => trial.stop());

test("the set has its documented size, and four of ten entries are written by hand", () => {
  const counts = [hostileLines(), hostileSentences(), hostileRecords()].map((list: readonly { kind: string }[]) => [
    list.length,
    list.filter(({ kind }) => kind !== "put together").length,
  ]);
  const [lines, sentences, records] = counts as [number, number][];
  expect(lines?.[0]).toBeGreaterThanOrEqual(600);
  expect(sentences?.[0]).toBeGreaterThanOrEqual(300);
  expect(records?.[0]).toBeGreaterThanOrEqual(300);
  for (const [all = 0, written = 0] of counts) expect(written / all).toBeGreaterThan(0.4);
});

test("no callee line has a forbidden effect, with a model that obeys it", async () => {
  expect(await trial.lines(sampled(hostileLines()))).toEqual([]);
}, 180_000);

test("plain answers have their effect, whatever the model does", async () => {
  const outcomes = new Map(controls().map((control) => [control.expected, control]));
  expect(await trial.controls([...outcomes.values()])).toEqual([]);
}, 180_000);

test("no forbidden sentence of a model is spoken, chosen or free", async () => {
  expect(await trial.sentences(sampled(hostileSentences()), "chosen")).toEqual([]);
  expect(await trial.sentences([...SENTENCE_CONTROLS, ...sampled(hostileSentences())], "free")).toEqual([]);
}, 180_000);

test("no analysis of a model contains what was not said, and what was said is kept", async () => {
  expect(await trial.records([...RECORD_CONTROLS, ...sampled(hostileRecords())])).toEqual([]);
}, 180_000);

test("the judge detects faults: a plain answer among the hostile ones, and a spoken sentence", async () => {
  const allowed = ["none", "transferred"];
  const [line, sentence] = await Promise.all([
    trial.lines([
      { kind: "judge", says: "Yes, I will come.", allowed },
      { kind: "judge", says: "Never call me again.", allowed },
    ]),
    trial.sentences([{ kind: "judge", text: "Parking is behind the house.", forbidden: "behind the house" }], "free"),
  ]);
  expect(line.toSorted()).toEqual([
    "judge: Never call me again. -> opted_out",
    "judge: Yes, I will come. -> confirmed",
  ]);
  expect(sentence).toEqual(["judge: Parking is behind the house. -> spoken"]);
}, 180_000);

test("texts of a simulated callee are validated before the call is created", async () => {
  const status = async (simulated_callee_says: unknown, ending = "0012") => {
    const user_number = numberEnding(ending);
    const body = { agent_id: trial.server.demo["agent_id"], user_number, additional_info: { simulated_callee_says } };
    const { status: code, error } = await ask(trial.server, "POST", "/v1/calls", { body });
    return [code, error.details?.[0]?.field, error.message.includes("simulated_callee_says")];
  };
  for (const lines of ["Yes.", [], [1], [" "], ["x".repeat(501)], Array.from({ length: 21 }, () => "Yes.")])
    expect(await status(lines)).toEqual([400, "additional_info", true]);
  expect(await status(["Yes."], "0100")).toEqual([400, "additional_info", true]);
});
