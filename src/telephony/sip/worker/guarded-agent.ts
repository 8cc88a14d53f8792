// One call's agent behind a fence: what it throws ends its own call, never the worker with everybody else's.
import type { Clock } from "../../../core/clock.ts";
import type { Logger } from "../../../core/logger.ts";
import type { Agent, AgentBrief, AgentTools, Line, TalkResult } from "../../../voice/port.ts";
import { faultFields } from "./fault.ts";

export type CreateAgent = (options: { clock: Clock; logger: Logger; brief: AgentBrief; tools: AgentTools }) => Agent;

export interface GuardedAgent {
  answered(line: Line): void;
  keyPressed(key: string): void;
  /** Null where it failed, now or before. It hears and does nothing afterwards. */
  ended(by: "us" | "peer"): TalkResult | null;
  /** For what it is called back by. */
  guard(action: () => void): void;
}

export interface GuardedAgentOptions {
  clock: Clock;
  logger: Logger;
  callId: string;
  createAgent: CreateAgent;
  brief: AgentBrief;
  tools: AgentTools;
  /** Told once, on a later turn: whoever called the agent is done by then. */
  failed: () => void;
}

export function createGuardedAgent(options: GuardedAgentOptions): GuardedAgent {
  const { clock, logger, callId, brief, tools } = options;
  let isSilent = false;

  function attempt<Result>(action: () => Result): Result | null {
    if (isSilent) return null;
    try {
      return action();
    } catch (error) {
      isSilent = true;
      logger.error("the agent of a call failed; the call is hung up", { call_id: callId, ...faultFields(error) });
      clock.after(0, options.failed);
      return null;
    }
  }

  const guardedClock: Clock = {
    ...clock,
    after: (delayMs, callback) => clock.after(delayMs, () => void attempt(callback)),
  };
  const agent = attempt(() => options.createAgent({ clock: guardedClock, logger, brief, tools }));

  return {
    answered: (line) => void attempt(() => agent?.answered(line)),
    keyPressed: (key) => void attempt(() => agent?.keyPressed(key)),
    ended(by) {
      const talk = attempt(() => agent?.ended(by)) ?? null;
      isSilent = true;
      return talk;
    },
    guard: (action) => void attempt(action),
  };
}
