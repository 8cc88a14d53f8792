// All recognisers, for whoever wants words. Nobody waits longer for them than a caller would.
import { SECOND_MS, type Clock } from "../../core/clock.ts";
import { createWorkPool } from "../work-pool.ts";
import type { RecogniseAnswer, Words } from "./protocol.ts";

/** A turn is answered after 1.5 s at best; whoever has waited this long is better served by the keypad. */
const LONGEST_WAIT_MS = 4 * SECOND_MS;
/** More could not be heard within the longest wait by any machine this runs on. */
const MOST_WAITING = 64;

export interface Recognisers {
  /** The way to one of them, and to the next after it died: what that one had begun is asked again. */
  connect(index: number, port: MessagePort): void;
  /** Null where nobody answered in time, and where the same ear asked again before this one's turn came. */
  recognise(ear: number, samples: Int16Array<ArrayBuffer>): Promise<Words | null>;
}

function wordsIn(answer: RecogniseAnswer): Words | null {
  if ("error" in answer) return null;
  const { text, confidence, others } = answer;
  return { text, confidence, ...(others && { others }) };
}

export function createRecognisers({ clock }: { clock: Clock }): Recognisers {
  const pool = createWorkPool<RecogniseAnswer, Words>({
    clock,
    longestWaitMs: LONGEST_WAIT_MS,
    mostWaiting: MOST_WAITING,
    resultOf: (answer) => wordsIn(answer),
  });
  return {
    connect: pool.connect,
    recognise(ear, samples) {
      // A call wants to know of its newest utterance alone.
      pool.drop(ear);
      return pool.ask(ear, samples);
    },
  };
}
