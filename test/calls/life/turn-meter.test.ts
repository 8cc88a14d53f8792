import { expect, test } from "bun:test";
import { createLedMeter } from "../../../src/calls/life/led-meter.ts";
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

test("a turn is measured in total, and by component", () => {
  const text = measured(turn());
  expect(text).toContain("ringward_turn_answer_seconds_sum 0.515");
  expect(text).toContain("ringward_turn_recognition_seconds_sum 0.22");
  expect(text).toContain("ringward_turn_voice_seconds_sum 0.037");
  expect(text).toContain("ringward_turn_own_seconds_sum 0.018");
});

test("calendar and disk time count as ours, not as the voice's", () => {
  const text = measured(turn({ tts_start: 5_490 }));
  expect(text).toContain("ringward_turn_voice_seconds_sum 0.01");
  expect(text).toContain("ringward_turn_own_seconds_sum 0.045");
});

test("a model's time is its own, not ours", () => {
  const text = measured(turn({ llm_first: 6_061, tts_first: 6_100, rtp_first: 6_115, led: true }));
  expect(text).toContain("ringward_turn_model_seconds_sum 0.6");
  expect(text).toContain("ringward_turn_own_seconds_sum 0.016");
});

test("model activity on calls is counted by kind", () => {
  const metrics = createMetrics();
  createLedMeter(metrics)({ turns: 5, fillers: 1, takeovers: 2, handbacks: 0, stopped: 0, refusedTools: 0 });
  expect(metrics.render()).toContain('ringward_model_turns_total{what="asked"} 5');
  expect(metrics.render()).toContain('ringward_model_turns_total{what="takeover"} 2');
  expect(metrics.render()).not.toContain('handback"');
});

test("the greeting is measured from the answer, and does not count as a response", () => {
  const text = measured(turn({ speech_end: null, stt_start: null, stt_final: null, commit: 0, rtp_first: 40 }));
  expect(text).toContain("ringward_turn_greeting_seconds_sum 0.04");
  expect(text).not.toContain("ringward_turn_answer_seconds_sum");
  expect(text).not.toContain("ringward_turn_own_seconds_sum");
});

test("missing or negative intervals are not measured", () => {
  const text = measured(turn({ rtp_first: null, stt_final: 5_000, tts_first: null }));
  expect(text).not.toContain("_sum");
});

test("interrupted turns are counted", () => {
  expect(measured(turn({ interrupted_at: 6_000 }), turn())).toContain("ringward_turns_interrupted_total 1");
});
