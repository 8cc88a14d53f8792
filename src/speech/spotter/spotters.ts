// All phrase spotters, for whoever listens for alarms. They are in no hurry that would cost anybody else an answer: an alarm that
// comes late still interrupts the conversation.
import { SECOND_MS, type Clock } from "../../core/clock.ts";
import { createWorkPool } from "../work-pool.ts";
import type { SpotAnswer, Spotted } from "./protocol.ts";

/** Half a minute late it is still better than never; a call lasts hardly longer. */
const LONGEST_WAIT_MS = 30 * SECOND_MS;
/** What 32 callers have just said takes one spotter a quarter of a minute. */
const MOST_WAITING = 32;

export const NOTHING_SPOTTED: Spotted = { alarms: [], near: [] };

export interface Spotters {
  /** The way to one of them, and to the next after it died. */
  connect(index: number, port: MessagePort): void;
  /** The alarm phrases in it. None where there is no spotter, and where none got round to it in time. */
  spot(ear: number, samples: Int16Array<ArrayBuffer>): Promise<Spotted>;
}

export function createSpotters({ clock }: { clock: Clock }): Spotters {
  const pool = createWorkPool<SpotAnswer, Spotted>({
    clock,
    longestWaitMs: LONGEST_WAIT_MS,
    mostWaiting: MOST_WAITING,
    resultOf: (answer) => ("error" in answer ? null : { alarms: answer.alarms, near: answer.near }),
  });
  return {
    connect: pool.connect,
    spot: async (ear, samples) => (await pool.ask(ear, samples)) ?? NOTHING_SPOTTED,
  };
}
