// The life of a campaign as one pure table: every state, every event, and where it leads. Nothing else decides a state.
import type { CampaignState } from "./records.ts";

export const CAMPAIGN_STATES = ["preparing", "ready", "running", "paused", "stopped", "finished"] as const;
export const CAMPAIGN_EVENTS = ["prepared", "begin", "pause", "resume", "stop", "finish", "retry"] as const;
export type CampaignEvent = (typeof CAMPAIGN_EVENTS)[number];

/** A pair that is not here does not happen. */
const TRANSITIONS: Readonly<Record<CampaignState, Partial<Record<CampaignEvent, CampaignState>>>> = {
  // Its rows are being written; what a crash leaves so is taken away.
  preparing: { prepared: "ready" },
  // It waits for its time, or for the feeder's next round.
  ready: { begin: "running", pause: "paused", stop: "stopped", retry: "ready" },
  running: { pause: "paused", stop: "stopped", finish: "finished", retry: "running" },
  paused: { resume: "ready", stop: "stopped", retry: "paused" },
  stopped: { retry: "ready" },
  finished: { retry: "ready" },
};

export function nextCampaignState(state: CampaignState, event: CampaignEvent): CampaignState | null {
  return TRANSITIONS[state][event] ?? null;
}

/** These count towards how many an organisation may have at once. */
export const OPEN_STATES = ["preparing", "ready", "running", "paused"] as const satisfies readonly CampaignState[];
