import { expect, test } from "bun:test";
import { createTurnMeter } from "../../../src/calls/life/turn-meter.ts";
import { createMetrics } from "../../../src/core/metrics.ts";
import type { TurnTimes } from "../../../src/payloads/turn-times.ts";

const turn = (change: Partial<TurnTimes> = {}): TurnTimes => ({
  speech_end: 5_000,
  stt_start: 5_210,
  stt_final: 5_430,
  commit: 5_460,
  llm_start: 5_461,
  llm_first: 5_463,
  tts_first: 5_500,
  rtp_first: 5_515,
  interrupted_at: null,
  ...change,
});

function measured(...turns: TurnTimes[]): string {
  const metrics = createMetrics();
  createTurnMeter(metrics)(turns);
  return metrics.render();
}

test("a turn is measured as a whole, and by whose time it is", () => {
  const text = measured(turn());
  expect(text).toContain("ringward_turn_answer_seconds_sum 0.515");
  expect(text).toContain("ringward_turn_recognition_seconds_sum 0.22");
  expect(text).toContain("ringward_turn_voice_seconds_sum 0.037");
  expect(text).toContain("ringward_turn_own_seconds_sum 0.018");
});

test("the greeting is measured from the answer, and is no answer to anybody", () => {
  const text = measured(turn({ speech_end: null, stt_start: null, stt_final: null, commit: 0, rtp_first: 40 }));
  expect(text).toContain("ringward_turn_greeting_seconds_sum 0.04");
  expect(text).not.toContain("ringward_turn_answer_seconds_sum");
  expect(text).not.toContain("ringward_turn_own_seconds_sum");
});

test("what did not happen, or seems to run backwards, is not measured", () => {
  const text = measured(turn({ rtp_first: null, stt_final: 5_000, tts_first: null }));
  expect(text).not.toContain("_sum");
});

test("turns that were cut short are counted", () => {
  expect(measured(turn({ interrupted_at: 6_000 }), turn())).toContain("ringward_turns_interrupted 1");
});
