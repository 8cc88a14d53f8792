// Listens to a piece of a call for alarm phrases. Words that are none of them come out as unknown, and a phrase counts only as
// a whole and where the model is sure of each of its words.
import { forRecogniser } from "../asr/utterance.ts";
import { unguarded, type NativeGuard } from "../onnx/native-guard.ts";
import { ENGLISH } from "./phrases/en.ts";
import { HINGLISH } from "./phrases/hinglish.ts";
import type { SpottedPhrases } from "./phrases/spotted-phrases.ts";
import { loadVosk, VOSK_RATE_HZ, type Vosk, type VoskResult } from "./vosk.ts";

const FULL_SCALE = 32_768;
const UNKNOWN = "[unk]";
/** Below it the model had another explanation for the word that it liked nearly as well. */
const SURE = 0.7;

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
  spot(samples: Int16Array): readonly string[];
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
  return { hear, spot: (samples) => alarmsIn(hear(samples)), rehearse: () => void hear(second) };
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

export function alarmsIn(heard: VoskResult): string[] {
  const words = heard.map(({ word, confidence }) => (confidence >= SURE ? word : UNKNOWN));
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
