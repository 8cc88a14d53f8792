// Type of a campaign in the pages, and texts for its state and its calls.
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

/** Maps campaign states to badge colours, which are defined for calls and trunks. */
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

/**
 * Whether its calls may still change the figures. Each reload adds an audit entry, so other campaigns are not reloaded.
 */
export const isLive = ({ state, progress }: Pick<Campaign, "state" | "progress">): boolean =>
  ["preparing", "ready", "running"].includes(state) || progress.calling > 0;

export const doneText = ({ progress, rows }: Pick<Campaign, "progress" | "rows">): string =>
  said.campaigns.list.doneOf(formatNumber(progress.done), formatNumber(rows));
