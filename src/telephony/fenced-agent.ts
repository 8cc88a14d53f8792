// Error boundary around one call's agent: an exception or unhandled rejection ends its own call, never the worker with
// all other calls.
import type { Clock } from "../core/clock.ts";
import type { CreateCallAgent, Line, CallAgentOptions } from "./port.ts";
import { faultFields } from "../core/fault-fields.ts";

export interface FencedAgent {
  readonly hearsFrames: boolean;
  answered(line: Line): void;
  keyPressed(key: string): void;
  heardFrame(frame: Int16Array, lost: number): void;
  held(isHeld: boolean): void;
  heardWords(words: string): void;
  /** Never rejects. */
  lastWords(): Promise<void>;
  /** Null if the agent failed, now or earlier. It receives no further events afterwards. */
  ended(by: "us" | "peer"): { talk: unknown } | null;
  /** Runs a callback into the agent inside the boundary. */
  guard(action: () => void): void;
}

export interface FencedAgentOptions extends Omit<CallAgentOptions, "start"> {
  createCallAgent: CreateCallAgent;
  /** Called once, in a later turn of the event loop, when the caller of the agent has returned. */
  failed: () => void;
}

export function createFencedAgent(options: FencedAgentOptions): FencedAgent {
  const { createCallAgent, failed, clock, logger, callId } = options;
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
  const agent = attempt(() => createCallAgent({ ...options, clock: fencedClock, start }))?.result;

  return {
    hearsFrames: agent?.heardFrame !== undefined,
    answered: (line) => void attempt(() => agent?.answered(line)),
    keyPressed: (key) => void attempt(() => agent?.keyPressed(key)),
    heardFrame: (frame, lost) => void attempt(() => agent?.heardFrame?.(frame, lost)),
    held: (isHeld) => void attempt(() => agent?.held?.(isHeld)),
    heardWords: (words) => void attempt(() => agent?.heardWords(words)),
    lastWords: async () => attempt(() => agent?.lastWords?.())?.result?.catch(fail),
    ended(by) {
      const talk = attempt(() => agent?.ended(by));
      isSilent = true;
      return talk && { talk: talk.result };
    },
    guard: (action) => void attempt(action),
  };
}
