// What the voice has to say, for all who ask: sentence by sentence, remembered, and no more than it can say in time.
import { SECOND_MS, type Clock } from "../../core/clock.ts";
import { joinSounds } from "../../audio/telephone-sound.ts";
import { sentencesOf } from "./reading.ts";
import { createSoundCache } from "./sound-cache.ts";

/** Two minutes of speech; nobody listens longer. As long as a greeting may be. */
const LONGEST_TEXT = 2_000;
/** Who asked has given up by then. */
const LONGEST_WAIT_MS = 5 * SECOND_MS;
/** More could not be spoken within the longest wait. */
const MOST_WAITING = 200;
/** A sentence of three seconds takes 48 kB. */
const CACHE = { mostSentences: 200, mostBytes: 16 * 1024 * 1024 };

interface Job {
  sentence: string;
  result: PromiseWithResolvers<Int16Array>;
  cancelLimit: () => void;
}

export interface Speaker {
  /** 16-bit samples at 8 kHz, the caller's own. Rejects where it cannot, with a message that holds none of the words. */
  speak(text: string): Promise<Int16Array<ArrayBuffer>>;
}

export function createSpeaker({
  clock,
  synthesise,
}: {
  clock: Clock;
  /** Holds up its thread for 50 to 200 ms. */
  synthesise: (sentence: string) => Int16Array;
}): Speaker {
  const cache = createSoundCache(CACHE);
  /** By sentence, first come first; those who ask for the same wait for the same. */
  const waiting = new Map<string, Job>();
  let isBusy = false;

  function sound(sentence: string): Promise<Int16Array> {
    const known = cache.get(sentence);
    if (known) return Promise.resolve(known);
    const asked = waiting.get(sentence);
    if (asked) return asked.result.promise;
    if (waiting.size >= MOST_WAITING) {
      return Promise.reject(new Error("The voice has too much to say already. Record the words of busy agents."));
    }
    const job: Job = {
      sentence,
      result: Promise.withResolvers(),
      cancelLimit: clock.after(LONGEST_WAIT_MS, () => {
        waiting.delete(sentence);
        job.result.reject(new Error("The voice did not get round to this sentence in time."));
      }),
    };
    waiting.set(sentence, job);
    sayNextSoon();
    return job.result.promise;
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
    const [job] = waiting.values();
    if (!job) return;
    const { sentence, result, cancelLimit } = job;
    waiting.delete(sentence);
    cancelLimit();
    try {
      const samples = synthesise(sentence);
      cache.set(sentence, samples);
      result.resolve(samples);
    } catch (error) {
      result.reject(error);
    }
  }

  return {
    async speak(text) {
      if (text.length > LONGEST_TEXT) {
        throw new Error(`A text of ${text.length} characters is too long to be spoken; ${LONGEST_TEXT} are the most.`);
      }
      const sentences = sentencesOf(text);
      if (sentences.length === 0) throw new Error("There is nothing in this text that an English voice can read.");
      return joinSounds(await Promise.all(sentences.map(sound)));
    },
  };
}
