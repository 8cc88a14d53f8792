// What the voice has to say, for all who ask: sentence by sentence, remembered, and no more than it can say in time.
import { SECOND_MS, type Clock } from "../../core/clock.ts";
import { joinSounds } from "../../audio/telephone-sound.ts";
import { unmarked } from "./pronunciation.ts";
import { sentencesOf } from "./reading.ts";
import { createSoundCache } from "./sound-cache.ts";
import type { Pace } from "./pace.ts";
import { isHindiVoice, type BuiltInVoice } from "./voices.ts";

/** Two minutes of speech; nobody listens longer. As long as a greeting may be. */
const LONGEST_TEXT = 2_000;
/** Marks of pronunciation make it longer, but not without end. */
const LONGEST_MARKED_TEXT = 10 * LONGEST_TEXT;
/** Whoever is on the telephone has given up by then. */
const LONGEST_WAIT_MS = 5 * SECOND_MS;
/** More could not be spoken within the longest wait. */
const MOST_WAITING = 200;
/** A sentence of three seconds takes 48 kB. */
const CACHE = { mostSentences: 400, mostBytes: 32 * 1024 * 1024 };

/** Who says it, and how fast. */
export interface Delivery {
  voice: BuiltInVoice;
  pace: Pace;
}

interface Job {
  sentence: string;
  delivery: Delivery;
  result: PromiseWithResolvers<Int16Array>;
  /** How many still want it. */
  wantedBy: number;
  /** Somebody waits for it on the telephone. */
  isLive: boolean;
  cancelLimit: () => void;
}

export interface Speaker {
  /**
   * 16-bit samples at 8 kHz, the caller's own. Rejects where it cannot, with a message that holds none of the words.
   * What has not begun when nobody wants it any more, or after `longestWaitMs`, is not made.
   */
  speak(
    text: string,
    delivery: Delivery,
    unwanted?: AbortSignal,
    longestWaitMs?: number,
  ): Promise<Int16Array<ArrayBuffer>>;
  /** Somebody waits for this text now: it comes before what is only made ahead. */
  hurry(text: string, delivery: Delivery): void;
}

export interface SpeakerOptions {
  clock: Clock;
  /** Holds up its thread for 50 to 500 ms. */
  synthesise: (sentence: string, voice: BuiltInVoice, pace: Pace) => Int16Array;
}

/** Whoever asks for a sentence, until when they want it. */
interface Wish {
  unwanted: AbortSignal | undefined;
  longestWaitMs: number;
}

export function createSpeaker({ clock, synthesise }: SpeakerOptions): Speaker {
  const cache = createSoundCache(CACHE);
  /**
   * By voice, pace and sentence, live ones first, then first come first; those who ask for the same wait for the same.
   */
  const waiting = new Map<string, Job>();
  let isBusy = false;

  function sound(sentence: string, delivery: Delivery, { unwanted, longestWaitMs }: Wish): Promise<Int16Array> {
    const key = keyOf(sentence, delivery);
    const known = cache.get(key);
    if (known) return Promise.resolve(known);
    const asked = waiting.get(key);
    if (!asked && waiting.size >= MOST_WAITING) {
      return Promise.reject(new Error("The voice has too much to say already. Record the words of busy agents."));
    }
    const job = asked ?? begin(key, sentence, delivery, longestWaitMs);
    job.wantedBy += 1;
    unwanted?.addEventListener("abort", () => letGo(key, job), { once: true });
    sayNextSoon();
    return job.result.promise;
  }

  function begin(key: string, sentence: string, delivery: Delivery, longestWaitMs: number): Job {
    const job: Job = {
      sentence,
      delivery,
      result: Promise.withResolvers(),
      wantedBy: 0,
      isLive: false,
      cancelLimit: clock.after(longestWaitMs, () => {
        waiting.delete(key);
        job.result.reject(new Error("The voice did not get round to this sentence in time."));
      }),
    };
    waiting.set(key, job);
    return job;
  }

  function letGo(key: string, job: Job): void {
    job.wantedBy -= 1;
    if (job.wantedBy > 0 || waiting.get(key) !== job) return;
    waiting.delete(key);
    job.cancelLimit();
    job.result.reject(new Error("Nobody wants to hear this sentence any more."));
  }

  /** On a turn of its own: between two sentences the thread hears what else is asked, and beats. */
  function sayNextSoon(): void {
    if (isBusy || waiting.size === 0) return;
    isBusy = true;
    clock.after(0, () => {
      isBusy = false;
      sayNext();
      sayNextSoon();
    });
  }

  function sayNext(): void {
    const [first] = waiting;
    const next = [...waiting].find(([, { isLive }]) => isLive) ?? first;
    if (!next) return;
    const [key, { sentence, delivery, result, cancelLimit }] = next;
    waiting.delete(key);
    cancelLimit();
    try {
      const samples = synthesise(sentence, delivery.voice, delivery.pace);
      cache.set(key, samples);
      result.resolve(samples);
    } catch (error) {
      result.reject(error);
    }
  }

  return {
    hurry(text, delivery) {
      for (const sentence of sentencesIn(text, delivery)) {
        const job = waiting.get(keyOf(sentence, delivery));
        if (job) job.isLive = true;
      }
    },
    async speak(text, delivery, unwanted, longestWaitMs = LONGEST_WAIT_MS) {
      const sentences = sayableSentences(text, delivery);
      return joinSounds(
        await Promise.all(sentences.map((sentence) => sound(sentence, delivery, { unwanted, longestWaitMs }))),
      );
    },
  };
}

/** Hindi comes clause by clause, and is read where its sounds are found. */
const sentencesIn = (text: string, { voice }: Delivery): string[] => (isHindiVoice(voice) ? [text] : sentencesOf(text));

function sayableSentences(text: string, delivery: Delivery): string[] {
  const { length } = unmarked(text);
  if (length > LONGEST_TEXT || text.length > LONGEST_MARKED_TEXT) {
    throw new Error(`A text of ${length} characters is too long to be spoken; ${LONGEST_TEXT} are the most.`);
  }
  const sentences = sentencesIn(text, delivery);
  if (sentences.length === 0) throw new Error("There is nothing in this text that an English voice can read.");
  return sentences;
}

const keyOf = (sentence: string, { voice, pace }: Delivery): string => `${voice} ${pace} ${sentence}`;
