// All recognisers, for whoever wants words: one utterance at a time each, the longest waiting first, and nobody waits
// longer than a caller would.
import { SECOND_MS, type Clock } from "../../core/clock.ts";
import type { Recognised } from "../ears/port.ts";
import type { RecogniseAnswer, RecogniseRequest } from "./protocol.ts";

/** A turn is answered after 1.5 s at best; whoever has waited this long is better served by the keypad. */
const LONGEST_WAIT_MS = 4 * SECOND_MS;
/** More could not be heard within the longest wait by any machine this runs on. */
const MOST_WAITING = 64;

interface Job {
  id: number;
  /** A call wants to know of its newest utterance alone. */
  ear: number;
  samples: Int16Array<ArrayBuffer>;
  /** Somebody still waits for it. */
  isWanted: boolean;
  settle(result: Recognised | null): void;
}

interface Recogniser {
  port: MessagePort;
  job: Job | null;
}

export interface Recognisers {
  /** The way to one of them, and to the next after it died: what that one had begun is asked again. */
  connect(index: number, port: MessagePort): void;
  /** Null where nobody answered in time, and where the same ear asked again before this one's turn came. */
  recognise(ear: number, samples: Int16Array<ArrayBuffer>): Promise<Recognised | null>;
}

export function createRecognisers({ clock }: { clock: Clock }): Recognisers {
  const recognisers = new Map<number, Recogniser>();
  let waiting: Job[] = [];
  let count = 0;

  function handOut(): void {
    for (const recogniser of recognisers.values()) {
      if (recogniser.job) continue;
      const job = waiting.shift();
      if (!job) return;
      recogniser.job = job;
      // A copy stays here, in case this one dies over it.
      recogniser.port.postMessage({ id: job.id, samples: job.samples } satisfies RecogniseRequest, []);
    }
  }

  function answered(recogniser: Recogniser, answer: RecogniseAnswer): void {
    const { job } = recogniser;
    if (job?.id !== answer.id) return;
    recogniser.job = null;
    job.settle("error" in answer ? null : withoutId(answer));
    handOut();
  }

  return {
    connect(index, port) {
      const before = recognisers.get(index);
      before?.port.close();
      const recogniser: Recogniser = { port, job: null };
      recognisers.set(index, recogniser);
      port.addEventListener("message", ({ data }: MessageEvent<RecogniseAnswer>) => answered(recogniser, data));
      port.start();
      if (before?.job?.isWanted) waiting.unshift(before.job);
      handOut();
    },
    recognise(ear, samples) {
      for (const older of waiting.filter((job) => job.ear === ear)) older.settle(null);
      if (recognisers.size === 0 || waiting.length >= MOST_WAITING) return Promise.resolve(null);
      return new Promise((resolve) => {
        const cancelLimit = clock.after(LONGEST_WAIT_MS, () => job.settle(null));
        const job: Job = {
          id: ++count,
          ear,
          samples,
          isWanted: true,
          settle(result) {
            cancelLimit();
            job.isWanted = false;
            waiting = waiting.filter((other) => other !== job);
            resolve(result);
          },
        };
        waiting.push(job);
        handOut();
      });
    },
  };
}

function withoutId({ text, confidence, alarms }: Recognised): Recognised {
  return { text, confidence, alarms };
}
