// Listens to a piece of a call for alarm phrases. Words that are none of them come out as unknown, and a phrase counts only as
// a whole and where the model is sure of each of its words.
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
/** Below it the model had another explanation for the word that it liked nearly as well. */
const SURE = 0.7;

/** A phrase whose words were each this likely is asked after; so is a single word of danger that was nearly sure. */
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
 * The model learns from the list how likely each word is after another. With other words as often as this, 79 of 80 cries for help were
 * heard in two voices and none of 118 callees' sentences was taken for one; with fewer, more of what is no alarm comes out as words.
 */
const OTHER_WORDS = Array<string>(150).fill([UNKNOWN, UNKNOWN, UNKNOWN, UNKNOWN].join(" "));
export const GRAMMAR = [...ALARMS, ...DENIALS, ...HARMLESS, ...OTHER_WORDS, UNKNOWN];

export interface Spotter {
  /** 8 kHz, 16 bits. Holds up its thread for about a fifth of the time that the sound lasts. */
  spot(samples: Int16Array): Spotted;
  /** Goes through the work of a second of speech, whatever is heard. */
  rehearse(): void;
  /** What was heard, unknown words and all. For scripts that judge it. */
  hear(samples: Int16Array): VoskResult;
}

/** `model`: a Vosk model of English, zipped. `guard`: a thread that computes cannot beat; inside it, others beat in its place. */
export async function loadSpotter(model: Uint8Array, guard: NativeGuard = unguarded): Promise<Spotter> {
  const vosk = await loadVosk(model, guard);
  const hear = (samples: Int16Array) => guard(() => heardIn(vosk, samples));
  const second = Int16Array.from({ length: VOSK_RATE_HZ / 2 }, (_, at) => Math.sin(at) * 3_000);
  return { hear, spot: (samples) => spottedIn(samples, hear), rehearse: () => void hear(second) };
}

function heardIn(vosk: Vosk, samples: Int16Array): VoskResult {
  // A new one costs 3 ms, and remembers nothing of another call.
  const listener = vosk.listenFor(GRAMMAR);
  try {
    const wide = forRecogniser(samples);
    for (let i = 0; i < wide.length; i++) wide[i] = (wide[i] ?? 0) * FULL_SCALE;
    return [...(listener.hear(wide) ?? []), ...listener.finish()];
  } finally {
    listener.close();
  }
}

/** As it is, and where that was no alarm in a noisy room once more without the noise: whatever comes out then is a near one. */
function spottedIn(samples: Int16Array, hear: Spotter["hear"]): Spotted {
  const heard = hear(samples);
  const alarms = alarmsIn(heard);
  if (alarms.length > 0) return { alarms, near: [] };
  const quiet = withLessNoise(samples);
  const again = quiet === samples ? [] : hear(quiet);
  return { alarms, near: [...new Set([heard, again].flatMap(nearAlarmsIn))] };
}

/** Phrases that were heard with less certainty, and single words that are in alarms alone. */
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
