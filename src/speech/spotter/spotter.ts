// Keyword spotting of alarm phrases. Other words come out as unknown; a phrase counts only if it is complete and every
// word is certain.
import { withLessNoise } from "../asr/less-noise.ts";
import { forRecogniser } from "../asr/utterance.ts";
import { unguarded, type NativeGuard } from "../onnx/native-guard.ts";
import { ENGLISH } from "./phrases/en.ts";
import { HINGLISH } from "./phrases/hinglish.ts";
import type { SpottedPhrases } from "./phrases/spotted-phrases.ts";
import type { Spotted } from "./protocol.ts";
import { loadVosk, VOSK_RATE_HZ, type Vosk, type VoskResult } from "./vosk.ts";

const FULL_SCALE = 32_768;
const UNKNOWN = "[unk]";
/** Below this the model had a nearly equal alternative for the word. */
const SURE = 0.7;

/** Thresholds for a question: every word of a phrase at LIKELY, or a single word of danger at NEARLY_SURE. */
const LIKELY = 0.35;
const NEARLY_SURE = 0.6;
const NEAR_WORDS = new Set(
  "chest pain pains hurts breathe breathing breath choking bleeding blood stroke drooping unconscious collapsed responding seizure suicide overdose poison ambulance emergency".split(
    " ",
  ),
);

const LANGUAGES: readonly SpottedPhrases[] = [ENGLISH, HINGLISH];
const wordsOf = (phrase: string) => phrase.split(" ");

export const ALARMS = LANGUAGES.flatMap(({ alarms }) => alarms);
const DENIALS = LANGUAGES.flatMap(({ denials }) => denials);
const HARMLESS = LANGUAGES.flatMap(({ harmless }) => harmless);
/**
 * The model derives word transition probabilities from this list. With this share of unknown words, 79 of 80 cries for
 * help in two voices were spotted, and none of 118 ordinary sentences; with a smaller share, more ordinary speech comes
 * out as words.
 */
const OTHER_WORDS = Array<string>(150).fill([UNKNOWN, UNKNOWN, UNKNOWN, UNKNOWN].join(" "));
export const GRAMMAR = [...ALARMS, ...DENIALS, ...HARMLESS, ...OTHER_WORDS, UNKNOWN];

export interface Spotter {
  /** 8 kHz, 16 bits. Blocks its thread for about a fifth of the audio's duration. */
  spot(samples: Int16Array): Spotted;
  /** Warm-up with the work of one second of speech. */
  rehearse(): void;
  /** Raw result with unknown words, for evaluation scripts. */
  hear(samples: Int16Array): VoskResult;
}

/** `model`: a zipped English Vosk model. `guard`: sends heartbeats while the thread is blocked. */
export async function loadSpotter(model: Uint8Array, guard: NativeGuard = unguarded): Promise<Spotter> {
  const vosk = await loadVosk(model, guard);
  const hear = (samples: Int16Array) => guard(() => heardIn(vosk, samples));
  const second = Int16Array.from({ length: VOSK_RATE_HZ / 2 }, (_, at) => Math.sin(at) * 3_000);
  return { hear, spot: (samples) => spottedIn(samples, hear), rehearse: () => void hear(second) };
}

function heardIn(vosk: Vosk, samples: Int16Array): VoskResult {
  // A new listener costs 3 ms and keeps no state of another call.
  const listener = vosk.listenFor(GRAMMAR);
  try {
    const wide = forRecogniser(samples);
    for (let i = 0; i < wide.length; i++) wide[i] = (wide[i] ?? 0) * FULL_SCALE;
    return [...(listener.hear(wide) ?? []), ...listener.finish()];
  } finally {
    listener.close();
  }
}

/**
 * Spots in the original audio; without an alarm in a noisy room, again after noise reduction, where matches count as
 * near only.
 */
function spottedIn(samples: Int16Array, hear: Spotter["hear"]): Spotted {
  const heard = hear(samples);
  const alarms = alarmsIn(heard);
  if (alarms.length > 0) return { alarms, near: [] };
  const quiet = withLessNoise(samples);
  const again = quiet === samples ? [] : hear(quiet);
  return { alarms, near: [...new Set([heard, again].flatMap(nearAlarmsIn))] };
}

/** Less certain phrases, and single words that occur only in alarms. */
export function nearAlarmsIn(heard: VoskResult): string[] {
  const words = heard
    .filter(({ word, confidence }) => NEAR_WORDS.has(word) && confidence >= NEARLY_SURE)
    .map(({ word }) => word);
  const isHarmless = phrasesIn(heard, NEARLY_SURE, HARMLESS).length > 0;
  return isHarmless ? [] : [...alarmsIn(heard, LIKELY), ...words];
}

const phrasesIn = (heard: VoskResult, least: number, phrases: readonly string[]) => {
  const words = heard.map(({ word, confidence }) => (confidence >= least ? word : UNKNOWN));
  return phrases.filter((phrase) => ` ${words.join(" ")} `.includes(` ${phrase} `));
};

export function alarmsIn(heard: VoskResult, least = SURE): string[] {
  const words = heard.map(({ word, confidence }) => (confidence >= least ? word : UNKNOWN));
  const startsAt = (phrase: readonly string[], from: number) => phrase.every((word, at) => words[from + at] === word);
  const isDeniedAt = (from: number) =>
    DENIALS.some((denial) => startsAt(wordsOf(denial), from - wordsOf(denial).length));
  const harmlessAt = words.flatMap((_, from) =>
    HARMLESS.map(wordsOf)
      .filter((phrase) => startsAt(phrase, from))
      .map(({ length }) => ({ from, to: from + length })),
  );
  const isHarmlessAt = (from: number, length: number) =>
    harmlessAt.some((span) => span.from <= from && from + length <= span.to);
  const countsAt = (alarm: readonly string[], from: number) =>
    startsAt(alarm, from) && !isDeniedAt(from) && !isHarmlessAt(from, alarm.length);
  return ALARMS.filter((alarm) => words.some((_, from) => countsAt(wordsOf(alarm), from)));
}
