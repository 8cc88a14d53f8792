// A patient who takes turns without speech recognition: the next action starts once the agent is silent. Measures how
// long the agent kept the patient waiting.
import type { Phone } from "../baresip.ts";
import type { CpuWait } from "../cpu-wait.ts";
import { until } from "../until.ts";
import { findSpeech, type Act } from "./patient.ts";
import { inRoom, roomNamed } from "./room.ts";

/** The pause before the patient answers, so that the agent's turn is over. */
export const PAUSE_MS = 900;
/** And where a server is slow in the middle of it, or has to come back. */
export const LONG_PAUSE_MS = 2_500;
/** The telephone hangs up where nothing follows its words. */
const ROOM_SECONDS = 150;
const SAMPLES_PER_MS = 8;
/**
 * In what the telephone received, which is counted in packets; without the time in which there was no core for the
 * executable.
 */
const MOST_SILENCE_MS = 3_000;

export interface Turn {
  presses?: string;
  /** Of 8 kHz. */
  words?: Int16Array;
  pauseMs?: number;
  /** What is to happen just before. */
  before?: (() => void) | undefined;
}

type Theirs = readonly Act[];

export interface Talked {
  longestSilence: Silence;
  /** Whether the agent left a silence of more than three seconds that the machine did not cause. */
  isTooLong: boolean;
}

export interface Silence {
  ms: number;
  /** Of these, as many at most were the machine's. */
  cpuWaitMs: number;
}

const PRESSES_YES: Turn = { presses: "1", pauseMs: LONG_PAUSE_MS };

/** From the answer to the end of the call, the same on every machine. After their last turn they press 1. */
export async function takeTurns(phone: Phone, turns: readonly Turn[], cpuWait: CpuWait): Promise<Talked> {
  const answeredAtMs = performance.now();
  const theirs: { from: number; to: number }[] = [];
  const isOver = () => phone.events.some(({ type }) => type === "CALL_CLOSED");
  for (let i = 0; !isOver(); i++) {
    const turn = turns[i] ?? PRESSES_YES;
    const { pauseMs = PAUSE_MS } = turn;
    const from = theirs.at(-1)?.to ?? 0;
    const isTheirTurn = () => isOver() || silentAfterSpeechMs(phone.heard(), from) >= pauseMs;
    await until(isTheirTurn, { withinMs: 120_000, everyMs: 100, what: () => `no silence before turn ${i + 1}` });
    if (!isOver()) theirs.push(await act(phone, turn));
  }
  const longestSilence = longestSilenceIn(phone.heard(), theirs, (sample) =>
    cpuWait.between(answeredAtMs + sample.from / SAMPLES_PER_MS, answeredAtMs + sample.to / SAMPLES_PER_MS),
  );
  return {
    longestSilence,
    isTooLong: longestSilence.ms - longestSilence.cpuWaitMs > MOST_SILENCE_MS,
  };
}

async function act(phone: Phone, { presses, words, before }: Turn): Promise<Theirs[number]> {
  before?.();
  const from = phone.heard().length;
  if (presses !== undefined) await phone.press(presses);
  if (!words) return { from, to: from };
  await phone.say(inRoom(words, roomNamed("quiet", 1), ROOM_SECONDS));
  return { from, to: phone.heard().length + words.length };
}

/** The longest that they waited for the agent's voice after something they did, or for the end of the call. */
export function longestWait(
  heard: Int16Array,
  acts: readonly Act[],
  cpuWaitIn: (samples: Act) => number = () => 0,
): Silence {
  let longest: Silence = { ms: 0, cpuWaitMs: 0 };
  for (const [i, { to: from }] of acts.entries()) {
    const { end, voicedMs } = findSpeech(heard, from);
    // Where they go on before it says a word, it is for them to be waited for.
    const to = Math.min(
      voicedMs > 0 ? end - voicedMs * SAMPLES_PER_MS : heard.length,
      acts[i + 1]?.from ?? heard.length,
    );
    const ms = Math.max(0, to - from) / SAMPLES_PER_MS;
    const silence = { ms, cpuWaitMs: Math.min(ms, cpuWaitIn({ from, to })) };
    const more = ms - silence.cpuWaitMs - (longest.ms - longest.cpuWaitMs);
    if (more > 0 || (more === 0 && ms > longest.ms)) longest = silence;
  }
  return longest;
}

/** Since the agent's last words; 0 where there were none. */
export function silentAfterSpeechMs(heard: Int16Array, from: number): number {
  let last = findSpeech(heard, from);
  for (let next = last; next.voicedMs > 0; next = findSpeech(heard, next.end)) last = next;
  return last.silentMs;
}

/** Between the agent's words; where the patient did something, after that. */
function longestSilenceIn(
  heard: Int16Array,
  theirs: Theirs,
  cpuWaitIn: (samples: { from: number; to: number }) => number,
): Silence {
  let longest: Silence = { ms: 0, cpuWaitMs: 0 };
  let { end } = findSpeech(heard, 0);
  for (let next = findSpeech(heard, end); next.voicedMs > 0; next = findSpeech(heard, end)) {
    const to = next.end - next.voicedMs * SAMPLES_PER_MS;
    const from = theirs.findLast((each) => each.from >= end && each.from <= to)?.to ?? end;
    const silence = { ms: (to - from) / SAMPLES_PER_MS, cpuWaitMs: cpuWaitIn({ from, to }) };
    if (silence.ms - silence.cpuWaitMs > longest.ms - longest.cpuWaitMs) longest = silence;
    end = next.end;
  }
  return longest;
}
