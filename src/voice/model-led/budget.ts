// Budget of a language model on one call: turns, minutes, words. Beyond it the built-in conversation finishes the call.
import { MINUTE_MS } from "../../core/clock.ts";

export interface Budget {
  turns: number;
  callMs: number;
  /** Spoken per turn; a listener remembers no more on a telephone. */
  wordsPerTurn: number;
  /** Characters read per answer, spoken or not. */
  charsPerTurn: number;
  tokensPerTurn: number;
  /** Limit of answers rejected by a guard; then the model is no longer used. */
  stopped: number;
}

export const BUDGET: Budget = {
  turns: 40,
  callMs: 10 * MINUTE_MS,
  wordsPerTurn: 60,
  charsPerTurn: 2_000,
  tokensPerTurn: 220,
  stopped: 3,
};

export interface Spent {
  turns: number;
  callMs: number;
  stopped: number;
}

export const isWithin = ({ turns, callMs, stopped }: Spent, budget: Budget): boolean =>
  turns < budget.turns && callMs < budget.callMs && stopped < budget.stopped;

export const wordsIn = (text: string): number => text.split(/\s+/).filter((word) => word !== "").length;
