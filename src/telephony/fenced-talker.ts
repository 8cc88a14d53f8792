// One call's talker behind a fence: what it throws, or starts and does not finish, ends its own call, never the worker
// with everybody else's.
import type { Clock } from "../core/clock.ts";
import type { CreateTalker, Line, TalkerOptions } from "./port.ts";
import { faultFields } from "../core/fault-fields.ts";

export interface FencedTalker {
  readonly hearsFrames: boolean;
  answered(line: Line): void;
  keyPressed(key: string): void;
  heardFrame(frame: Int16Array, lost: number): void;
  held(isHeld: boolean): void;
  heardWords(words: string): void;
  /** Never rejects. */
  lastWords(): Promise<void>;
  /** Null where it failed, now or before. It hears and does nothing afterwards. */
  ended(by: "us" | "peer"): { talk: unknown } | null;
  /** For what it is called back by. */
  guard(action: () => void): void;
}

export interface FencedTalkerOptions extends Omit<TalkerOptions, "start"> {
  createTalker: CreateTalker;
  /** Told once, on a later turn: whoever called the talker is done by then. */
  failed: () => void;
}

export function createFencedTalker(options: FencedTalkerOptions): FencedTalker {
  const { createTalker, failed, clock, logger, callId } = options;
  let isSilent = false;

  function fail(error: unknown): void {
    if (isSilent) return;
    isSilent = true;
    logger.error("the agent of a call failed; the call is hung up", { call_id: callId, ...faultFields(error) });
    clock.after(0, failed);
  }

  function attempt<Result>(action: () => Result): { result: Result } | null {
    if (isSilent) return null;
    try {
      return { result: action() };
    } catch (error) {
      fail(error);
      return null;
    }
  }

  const fencedClock: Clock = {
    ...clock,
    after: (delayMs, callback) => clock.after(delayMs, () => void attempt(callback)),
  };
  const start = (work: () => Promise<void>): void => void attempt(() => void work().catch(fail));
  const talker = attempt(() => createTalker({ ...options, clock: fencedClock, start }))?.result;

  return {
    hearsFrames: talker?.heardFrame !== undefined,
    answered: (line) => void attempt(() => talker?.answered(line)),
    keyPressed: (key) => void attempt(() => talker?.keyPressed(key)),
    heardFrame: (frame, lost) => void attempt(() => talker?.heardFrame?.(frame, lost)),
    held: (isHeld) => void attempt(() => talker?.held?.(isHeld)),
    heardWords: (words) => void attempt(() => talker?.heardWords(words)),
    lastWords: async () => attempt(() => talker?.lastWords?.())?.result?.catch(fail),
    ended(by) {
      const talk = attempt(() => talker?.ended(by));
      isSilent = true;
      return talk && { talk: talk.result };
    },
    guard: (action) => void attempt(action),
  };
}
