// Synthesis queue of the voice, shared by all clients: sentence by sentence, cached, and bounded by what can be spoken
// in time.
import { SECOND_MS, type Clock } from "../../core/clock.ts";
import { joinSounds } from "../../audio/telephone-sound.ts";
import { unmarked } from "./pronunciation.ts";
import { sentencesOf } from "./reading.ts";
import { createSoundCache } from "./sound-cache.ts";
import type { Pace } from "./pace.ts";
import { isHindiVoice, type BuiltInVoice } from "./voices.ts";

/** Two minutes of speech, the longest allowed greeting. */
const LONGEST_TEXT = 2_000;
/** Pronunciation marks add to the length. */
const LONGEST_MARKED_TEXT = 10 * LONGEST_TEXT;
/** Callers have given up by then. */
const LONGEST_WAIT_MS = 5 * SECOND_MS;
/** More could not be synthesised within the longest wait. */
const MOST_WAITING = 200;
/** A sentence of three seconds takes 48 kB. */
const CACHE = { mostSentences: 400, mostBytes: 32 * 1024 * 1024 };

/** Voice and pace. */
export interface Delivery {
  voice: BuiltInVoice;
  pace: Pace;
}

interface Job {
  sentence: string;
  delivery: Delivery;
  result: PromiseWithResolvers<Int16Array>;
  /** Number of pending requesters. */
  wantedBy: number;
  /** A caller is waiting for it. */
  isLive: boolean;
  cancelLimit: () => void;
}

export interface Speaker {
  /**
   * 16-bit samples at 8 kHz, owned by the caller. Rejects on failure; the message contains none of the words. A job
   * that has not started when it is cancelled, or after `longestWaitMs`, is dropped.
   */
  speak(
    text: string,
    delivery: Delivery,
    unwanted?: AbortSignal,
    longestWaitMs?: number,
  ): Promise<Int16Array<ArrayBuffer>>;
  /** Raises the priority of this text over speech prepared in advance. */
  hurry(text: string, delivery: Delivery): void;
}

export interface SpeakerOptions {
  clock: Clock;
  /** Blocks its thread for 50 to 500 ms. */
  synthesise: (sentence: string, voice: BuiltInVoice, pace: Pace) => Int16Array;
}

/** A request with its cancellation and deadline. */
interface Wish {
  unwanted: AbortSignal | undefined;
  longestWaitMs: number;
}

export function createSpeaker({ clock, synthesise }: SpeakerOptions): Speaker {
  const cache = createSoundCache(CACHE);
  /** Keyed by voice, pace and sentence; live jobs first, then in order of arrival. Identical requests share a job. */
  const waiting = new Map<string, Job>();
  let isBusy = false;

  function sound(sentence: string, delivery: Delivery, { unwanted, longestWaitMs }: Wish): Promise<Int16Array> {
    const key = keyOf(sentence, delivery);
    const known = cache.get(key);
    if (known) return Promise.resolve(known);
    const asked = waiting.get(key);
    if (!asked && waiting.size >= MOST_WAITING) {
      return Promise.reject(new Error("The speech queue is full. Record the phrases of busy agents."));
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
        job.result.reject(new Error("The sentence timed out in the speech queue."));
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
    job.result.reject(new Error("The request was cancelled."));
  }

  /** Yields between sentences, so that the thread receives messages and sends heartbeats. */
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

/** Hindi arrives clause by clause and is normalised with its phonemes. */
const sentencesIn = (text: string, { voice }: Delivery): string[] => (isHindiVoice(voice) ? [text] : sentencesOf(text));

function sayableSentences(text: string, delivery: Delivery): string[] {
  const { length } = unmarked(text);
  if (length > LONGEST_TEXT || text.length > LONGEST_MARKED_TEXT) {
    throw new Error(`The text has ${length} characters; at most ${LONGEST_TEXT} can be spoken.`);
  }
  const sentences = sentencesIn(text, delivery);
  if (sentences.length === 0) throw new Error("The text contains nothing that an English voice can read.");
  return sentences;
}

const keyOf = (sentence: string, { voice, pace }: Delivery): string => `${voice} ${pace} ${sentence}`;
