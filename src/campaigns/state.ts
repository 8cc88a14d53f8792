// State machine of a campaign as one pure table of states and events. All state changes follow it.
import type { CampaignState } from "./records.ts";

export const CAMPAIGN_STATES = ["preparing", "ready", "running", "paused", "stopped", "finished"] as const;
export const CAMPAIGN_EVENTS = ["prepared", "begin", "pause", "resume", "stop", "finish", "retry"] as const;
export type CampaignEvent = (typeof CAMPAIGN_EVENTS)[number];

/** A missing pair is an invalid transition. */
const TRANSITIONS: Readonly<Record<CampaignState, Partial<Record<CampaignEvent, CampaignState>>>> = {
  // Rows are being written; after a crash the campaign is removed.
  preparing: { prepared: "ready" },
  // Waits for its start time, or for the feeder's next round.
  ready: { begin: "running", pause: "paused", stop: "stopped", retry: "ready" },
  running: { pause: "paused", stop: "stopped", finish: "finished", retry: "running" },
  paused: { resume: "ready", stop: "stopped", retry: "paused" },
  stopped: { retry: "ready" },
  finished: { retry: "ready" },
};

export function nextCampaignState(state: CampaignState, event: CampaignEvent): CampaignState | null {
  return TRANSITIONS[state][event] ?? null;
}

/** States that count towards an organisation's limit of open campaigns. */
export const OPEN_STATES = ["preparing", "ready", "running", "paused"] as const satisfies readonly CampaignState[];
