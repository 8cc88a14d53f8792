// Pool of phrase spotters. They run at low priority: an alarm that is found late still interrupts the conversation.
import { SECOND_MS, type Clock } from "../../core/clock.ts";
import { createWorkPool } from "../work-pool.ts";
import type { SpotAnswer, Spotted } from "./protocol.ts";

/** An alarm 30 s late is still useful; few calls last longer. */
const LONGEST_WAIT_MS = 30 * SECOND_MS;
/** One spotter needs about 15 s for the last utterances of 32 callers. */
const MOST_WAITING = 32;

export const NOTHING_SPOTTED: Spotted = { alarms: [], near: [] };

export interface Spotters {
  /** Connects one spotter, or its replacement after a crash. */
  connect(index: number, port: MessagePort): void;
  /** Alarm phrases in the audio. Empty without a spotter, and on timeout. */
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
