// A campaign as the pages know it, and how its state and its calls read.
import type { CallingHours } from "../../../agents/calling-hours.ts";
import { formatNumber } from "../../format.ts";
import { said } from "../../words.ts";
import { pathOf } from "../../pages.ts";

export const CAMPAIGNS_PATH = pathOf("campaigns");

export interface RetryRule {
  attempts: number;
  minutes: number;
}

export interface Progress {
  waiting: number;
  calling: number;
  talking: number;
  done: number;
  cancelled: number;
  outcomes: Record<string, number>;
  failed: number;
}

export interface Campaign {
  campaign_id: string;
  name: string;
  agent_name: string;
  state: string;
  created_at: string;
  start_at: string | null;
  finished_at: string | null;
  calls_per_minute: number;
  calling_hours: CallingHours | null;
  retry: Record<string, RetryRule | undefined>;
  rows: number;
  progress: Progress;
}

/** The badge's colours know calls and trunks; these are the same feelings. */
const TONES: Record<string, string> = {
  preparing: "off",
  ready: "initiated",
  running: "initiated",
  paused: "queued",
  stopped: "cancelled",
  finished: "completed",
};

export const toneOf = (state: string): string => TONES[state] ?? state;
export const stateText = (state: string): string => said.campaigns.states[state] ?? state;
export const outcomeText = (outcome: string): string => said.campaigns.outcomes[outcome] ?? outcome;
export const rowStateText = (state: string): string => said.campaigns.rowStates[state] ?? state;

/** Its calls change what is shown of it. Each look at it is a line in the audit trail, so nobody looks for nothing. */
export const isLive = ({ state, progress }: Pick<Campaign, "state" | "progress">): boolean =>
  ["preparing", "ready", "running"].includes(state) || progress.calling > 0;

export const doneText = ({ progress, rows }: Pick<Campaign, "progress" | "rows">): string =>
  said.campaigns.list.doneOf(formatNumber(progress.done), formatNumber(rows));
