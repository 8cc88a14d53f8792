// Metrics of response latency of listening agents: the callee's wait, split by component.
import { SECOND_MS } from "../../core/clock.ts";
import type { Metrics } from "../../core/metrics.ts";
import type { TurnTimes } from "../../payloads/turn-times.ts";

/** From unnoticeable to the point where a callee says "hello?". */
const ANSWER_SECONDS = [0.3, 0.5, 0.7, 0.9, 1.2, 1.5, 2, 3, 5];
const WORK_SECONDS = [0.01, 0.02, 0.04, 0.06, 0.1, 0.2, 0.3, 0.5, 1, 2];

export function createTurnMeter(metrics: Metrics): (turns: readonly TurnTimes[]) => void {
  const answer = metrics.histogram(
    "ringward_turn_answer_seconds",
    "From the end of the callee's words to the first sound of ours.",
    ANSWER_SECONDS,
  );
  const greeting = metrics.histogram(
    "ringward_turn_greeting_seconds",
    "From the answer to the first sound of a listening agent.",
    WORK_SECONDS,
  );
  const recognition = metrics.histogram(
    "ringward_turn_recognition_seconds",
    "How long the recogniser took for the words of a turn.",
    WORK_SECONDS,
  );
  const voice = metrics.histogram(
    "ringward_turn_voice_seconds",
    "From when the voice was asked for the words to their first sound.",
    WORK_SECONDS,
  );
  const model = metrics.histogram(
    "ringward_turn_model_seconds",
    "From the question to a language model to the first clause of its answer.",
    ANSWER_SECONDS,
  );
  const own = metrics.histogram(
    "ringward_turn_own_seconds",
    "Our own share of a turn: without recogniser, voice and the wait for the end of the turn.",
    WORK_SECONDS,
  );
  const interrupted = metrics.counter("ringward_turns_interrupted_total", "Turns of agents that callees cut short.");

  return (turns) => {
    for (const turn of turns) {
      const { speech_end, stt_start, stt_final, commit, llm_start, llm_first, tts_first, rtp_first, led } = turn;
      const observe = (histogram: typeof answer, ms: number | null) => {
        // A clock step may make a duration negative; it is skipped.
        if (ms !== null && ms >= 0) histogram.observe(ms / SECOND_MS);
      };
      if (speech_end === null && commit === 0) observe(greeting, rtp_first);
      if (speech_end !== null) observe(answer, between(speech_end, rtp_first));
      observe(recognition, between(stt_start, stt_final));
      const asked = turn.tts_start ?? llm_first;
      observe(voice, between(asked, tts_first));
      if (led) observe(model, between(llm_start, llm_first));
      // The model's time is not part of our own share.
      const thinking = between(commit, led ? llm_start : llm_first);
      const errands = between(llm_first, asked);
      const sending = between(tts_first, rtp_first);
      if (speech_end !== null && thinking !== null && errands !== null && sending !== null)
        observe(own, thinking + errands + sending);
      if (turn.interrupted_at !== null) interrupted.add();
    }
  };
}

const between = (fromMs: number | null, toMs: number | null): number | null =>
  fromMs === null || toMs === null ? null : toMs - fromMs;
