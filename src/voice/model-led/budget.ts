// How much of a call a language model may have: turns, minutes, words. Past that the built-in conversation ends what was begun.
import { MINUTE_MS } from "../../core/clock.ts";

export interface Budget {
  turns: number;
  callMs: number;
  /** Spoken in one turn; nobody keeps more in mind on a telephone. */
  wordsPerTurn: number;
  /** Of text that is read of one answer, spoken or not. */
  charsPerTurn: number;
  tokensPerTurn: number;
  /** Answers that a check stopped, after which the model is not asked any more. */
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
