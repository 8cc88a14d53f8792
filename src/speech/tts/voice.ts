// The built-in voice: sentences go to its worker one at a time, are remembered, and wait no longer than a caller would.
import { SECOND_MS, type Clock } from "../../core/clock.ts";
import type { Logger } from "../../core/logger.ts";
import type { Voice } from "./port.ts";
import { sentencesOf } from "./reading.ts";
import { createSoundCache } from "./sound-cache.ts";
import { joinSounds } from "../../audio/telephone-sound.ts";
import type { FromVoiceWorker, VoiceWorker } from "./worker-port.ts";

/** Two minutes of speech; nobody listens longer. As long as a greeting may be. */
const LONGEST_TEXT = 2_000;
/** A sentence takes 50 to 200 ms. Whoever waits longer for it has long been offered silence. */
const LONGEST_WAIT_MS = 5 * SECOND_MS;
/** More could not be spoken within the longest wait. */
const MOST_WAITING = 200;
/** A sentence of three seconds takes 48 kB. */
const CACHE = { mostSentences: 200, mostBytes: 16 * 1024 * 1024 };
const FIRST_RESTART_MS = 500;
const LONGEST_RESTART_MS = 30 * SECOND_MS;

interface Job {
  id: number;
  sentence: string;
  result: PromiseWithResolvers<Int16Array>;
  cancelLimit: () => void;
}

export function createVoice({
  clock,
  logger,
  startWorker,
}: {
  clock: Clock;
  logger: Logger;
  startWorker: () => VoiceWorker;
}): Voice {
  const cache = createSoundCache(CACHE);
  /** By sentence, first come first; those who ask for the same wait for the same. */
  const waiting = new Map<string, Job>();
  let current: Job | null = null;
  let worker: VoiceWorker | null = null;
  let restartMs = FIRST_RESTART_MS;
  let cancelRestart = (): void => {};
  let isStopped = false;
  let count = 0;

  function launch(): void {
    const launched = startWorker();
    worker = launched;
    launched.onMessage((message) => {
      if (worker === launched) heard(message);
    });
    launched.onEnd((reason) => {
      if (worker === launched) lose(reason);
    });
    sendNext();
  }

  function sound(sentence: string): Promise<Int16Array> {
    const known = cache.get(sentence);
    if (known) return Promise.resolve(known);
    const asked = current?.sentence === sentence ? current : waiting.get(sentence);
    if (asked) return asked.result.promise;
    if (isStopped) return Promise.reject(new Error("The voice is stopped."));
    if (waiting.size >= MOST_WAITING) {
      return Promise.reject(new Error("The voice has too much to say already. Record the prompts of busy agents."));
    }
    const job: Job = {
      id: ++count,
      sentence,
      result: Promise.withResolvers(),
      cancelLimit: clock.after(LONGEST_WAIT_MS, () => {
        waiting.delete(sentence);
        job.result.reject(new Error("The voice did not get round to this sentence in time."));
      }),
    };
    waiting.set(sentence, job);
    sendNext();
    return job.result.promise;
  }

  function sendNext(): void {
    const [job] = waiting.values();
    if (!worker || current || !job) return;
    waiting.delete(job.sentence);
    job.cancelLimit();
    job.cancelLimit = clock.after(LONGEST_WAIT_MS, () => lose("it took too long over a sentence"));
    current = job;
    worker.post({ id: job.id, sentence: job.sentence });
  }

  function heard(message: FromVoiceWorker): void {
    if (!current || message.id !== current.id) return;
    const { sentence, result, cancelLimit } = current;
    current = null;
    cancelLimit();
    if ("error" in message) {
      result.reject(new Error(message.error));
    } else {
      restartMs = FIRST_RESTART_MS;
      cache.set(sentence, message.samples);
      result.resolve(message.samples);
    }
    sendNext();
  }

  /** The sentence under way is lost with it, because it may be the cause. Those that wait are spoken by the next worker. */
  function lose(reason: string): void {
    logger.error("The built-in voice failed; it is started again.", { reason, restart_in_ms: restartMs });
    part("The voice failed while it spoke this sentence.");
    cancelRestart = clock.after(restartMs, launch);
    restartMs = Math.min(restartMs * 2, LONGEST_RESTART_MS);
  }

  function part(why: string): void {
    const [parted, lost] = [worker, current];
    worker = null;
    current = null;
    parted?.terminate();
    lost?.cancelLimit();
    lost?.result.reject(new Error(why));
  }

  launch();
  return {
    speaks: (language) => /^(?:en|eng|english)(?:[-_ (]|$)/i.test(language.trim()),
    async speak(text) {
      if (text.length > LONGEST_TEXT) {
        throw new Error(`A text of ${text.length} characters is too long to be spoken; ${LONGEST_TEXT} are the most.`);
      }
      const sentences = sentencesOf(text);
      if (sentences.length === 0) throw new Error("There is nothing in this text that an English voice can read.");
      return joinSounds(await Promise.all(sentences.map(sound)));
    },
    async stop() {
      isStopped = true;
      cancelRestart();
      part("The voice is stopped.");
      for (const { cancelLimit, result } of waiting.values()) {
        cancelLimit();
        result.reject(new Error("The voice is stopped."));
      }
      waiting.clear();
    },
  };
}
