// Pool of recognisers with a bounded wait.
import { SECOND_MS, type Clock } from "../../core/clock.ts";
import { createWorkPool } from "../work-pool.ts";
import type { RecogniseAnswer, Words } from "./protocol.ts";

/** A turn is answered after 1.5 s at best; after this wait the keypad serves the callee better. */
const LONGEST_WAIT_MS = 4 * SECOND_MS;
/** No supported machine could process more within the longest wait. */
const MOST_WAITING = 64;

export interface Recognisers {
  /** Connects one recogniser, or its replacement after a crash; requests it had started are repeated. */
  connect(index: number, port: MessagePort): void;
  /** Null on timeout, and if the same ear sent a newer request before this one started. */
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
      // Only the newest utterance of a call matters.
      pool.drop(ear);
      return pool.ask(ear, samples);
    },
  };
}
