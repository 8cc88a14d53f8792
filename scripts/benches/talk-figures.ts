// Figures of the part talk: computed from the measurements, compared with their targets, and formatted.
import { readFileSync } from "node:fs";
import type { TurnTimes } from "../../src/payloads/turn-times.ts";
import type { Finding } from "./bench.ts";
import { percent, quantile } from "./figures.ts";
import { ON_TIME_MS, type Punctuality } from "./talk-beat.ts";
import type { Measured } from "./talk-patient.ts";

export interface Ended {
  measured: Measured;
  turns: TurnTimes[];
  /** The outcome matches the patient's intent. */
  isRight: boolean;
  wasHeld: boolean;
}

export interface Outcome {
  calls: number;
  ended: Ended[];
  beat: Punctuality;
  bare: Punctuality;
  /** Share of one core. */
  share: number;
  otherShare: number;
  stealShare: number;
}

const TARGET = { firstVoiceP95: 100, ownP95: 60, answerP50: 900, answerP95: 1_500, stopP95: 300, onTime: 0.99 };

const between = (from: number | null, to: number | null) => (from === null || to === null ? null : to - from);
const known = (figures: readonly (number | null)[]) => figures.filter((figure) => figure !== null);

/** Latency between the end of the turn and our audio, without network time: decision, calendar and line. */
function ownMs({ speech_end, commit, llm_first, tts_start, tts_first, rtp_first }: TurnTimes): number | null {
  const deciding = between(commit, tts_start ?? llm_first);
  const sending = between(tts_first, rtp_first);
  return speech_end === null || deciding === null || sending === null ? null : deciding + sending;
}

export function figuresOf({ ended, beat, bare }: Outcome) {
  const measured = ended.map((each) => each.measured);
  const turns = ended.flatMap((each) => each.turns);
  const answered = turns.filter(({ speech_end }) => speech_end !== null);
  return {
    firstVoice: known(measured.map(({ firstVoiceMs }) => firstVoiceMs)),
    answers: measured.flatMap(({ answersMs }) => answersMs),
    stops: measured.flatMap(({ stopsMs }) => stopsMs),
    own: known(answered.map(ownMs)),
    recognising: known(answered.map(({ stt_start, stt_final }) => between(stt_start, stt_final))),
    waiting: known(answered.map(({ speech_end, commit }) => between(speech_end, commit))),
    voice: known(answered.map(({ llm_first, tts_start, tts_first }) => between(tts_start ?? llm_first, tts_first))),
    recorded: known(answered.map(({ speech_end, rtp_first }) => between(speech_end, rtp_first))),
    notStopped: measured.reduce((sum, each) => sum + each.notStopped, 0),
    cutShort: measured.reduce((sum, each) => sum + each.cutShort, 0),
    onTime: beat.onTime / beat.packets,
    bareOnTime: bare.onTime / bare.packets,
  };
}

type Figures = ReturnType<typeof figuresOf>;

const both = (figures: readonly number[]) =>
  `${quantile(figures, 0.5).toFixed(0)} / ${quantile(figures, 0.95).toFixed(0)}`;

/** Compares the figures with each target; returns descriptions of missed targets. */
export function broken({ firstVoice, own, answers, stops, notStopped, onTime }: Figures): string[] {
  const rules: [boolean, string][] = [
    [quantile(firstVoice, 0.95) <= TARGET.firstVoiceP95, `first voice p95 over ${TARGET.firstVoiceP95} ms`],
    [quantile(own, 0.95) <= TARGET.ownP95, `own share p95 over ${TARGET.ownP95} ms`],
    [quantile(answers, 0.5) <= TARGET.answerP50, `answer p50 over ${TARGET.answerP50} ms`],
    [quantile(answers, 0.95) <= TARGET.answerP95, `answer p95 over ${TARGET.answerP95} ms`],
    [
      stops.length === 0 || (quantile(stops, 0.95) <= TARGET.stopP95 && notStopped === 0),
      `silence p95 over ${TARGET.stopP95} ms`,
    ],
    [onTime >= TARGET.onTime, `fewer than ${TARGET.onTime * 100} % of packets within ${ON_TIME_MS} ms`],
  ];
  return rules.filter(([holds]) => !holds).map(([, words]) => words);
}

export function show(outcome: Outcome, figures: Figures): void {
  const { calls, ended, share } = outcome;
  const right = ended.filter(({ isRight }) => isRight).length;
  const held = ended.filter(({ wasHeld }) => wasHeld).length;
  console.error(`\n${calls} calls at once, ${ended.length} in all; ${right} came to what the patient wanted`);
  const rows: [string, string, string][] = [
    ["answer to first voice, p50 / p95", `${both(figures.firstVoice)} ms`, `p95 ≤ ${TARGET.firstVoiceP95}`],
    ["our own share of a turn, p50 / p95", `${both(figures.own)} ms`, `p95 ≤ ${TARGET.ownP95}`],
    [
      "end of speech to first sound, p50 / p95",
      `${both(figures.answers)} ms`,
      `p50 ≤ ${TARGET.answerP50}, p95 ≤ ${TARGET.answerP95}`,
    ],
    ["  of it by our record", `${both(figures.recorded)} ms`, ""],
    ["  to the end of the turn", `${both(figures.waiting)} ms`, ""],
    ["  recognising, beside that", `${both(figures.recognising)} ms`, ""],
    ["  voice", `${both(figures.voice)} ms`, ""],
    ["interruption to silence, p50 / p95", `${both(figures.stops)} ms`, `p95 ≤ ${TARGET.stopP95}`],
    [`packets within ${ON_TIME_MS} ms`, percent(figures.onTime), `≥ ${TARGET.onTime * 100} %`],
    ["  a bare timer beside them", percent(figures.bareOnTime), ""],
    ["the executable, of a core", percent(share), ""],
    ["  for each call", `${((share / calls) * 100).toFixed(1)} %`, ""],
  ];
  for (const [what, figure, target] of rows) console.error(`  ${what.padEnd(42)}${figure.padStart(16)}   ${target}`);
  const others = `other programs ${percent(outcome.otherShare)} of a core, steal ${percent(outcome.stealShare)}`;
  const load = readFileSync("/proc/loadavg", "utf8").split(" ", 1)[0] ?? "";
  console.error(
    `  meanwhile: ${others}, load ${load}; ${figures.answers.length} answers, ${figures.stops.length} silences`,
  );
  if (figures.cutShort + figures.notStopped + held > 0) {
    console.error(`  cut short ${figures.cutShort}, not stopped ${figures.notStopped}, held as overloaded ${held}`);
  }
}

export function findingsOf(outcome: Outcome, figures: Figures): Finding[] {
  const at = `${outcome.calls} talking at once`;
  const bare = `${percent(figures.bareOnTime)} of a bare timer's packets on time`;
  const timed = (measure: string, times: readonly number[], goal: string, holds: boolean): Finding => ({
    measure: `${at}: ${measure}, p50 / p95`,
    here: times.length === 0 ? "none" : `${both(times)} ms`,
    against: bare,
    ratio: null,
    goal,
    holds: times.length === 0 ? null : holds,
  });
  const p95 = (times: readonly number[]) => quantile(times, 0.95);
  const { firstVoice, own, answers, stops } = figures;
  const isQuickToAnswer = quantile(answers, 0.5) <= TARGET.answerP50 && p95(answers) <= TARGET.answerP95;
  return [
    timed(
      "answer to first voice",
      firstVoice,
      `p95 ≤ ${TARGET.firstVoiceP95} ms`,
      p95(firstVoice) <= TARGET.firstVoiceP95,
    ),
    timed("our own share of a turn", own, `p95 ≤ ${TARGET.ownP95} ms`, p95(own) <= TARGET.ownP95),
    timed(
      "end of speech to first sound",
      answers,
      `p50 ≤ ${TARGET.answerP50}, p95 ≤ ${TARGET.answerP95} ms`,
      isQuickToAnswer,
    ),
    timed(
      "interruption to silence",
      stops,
      `p95 ≤ ${TARGET.stopP95} ms`,
      p95(stops) <= TARGET.stopP95 && figures.notStopped === 0,
    ),
    {
      measure: `${at}: packets within ${ON_TIME_MS} ms, ${percent(outcome.share / outcome.calls)} of a core each`,
      here: percent(figures.onTime),
      against: bare,
      ratio: figures.onTime / figures.bareOnTime,
      goal: `≥ ${TARGET.onTime * 100} %`,
      holds: figures.onTime >= TARGET.onTime,
    },
  ];
}
