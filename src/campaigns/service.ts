// Service for campaigns: create and dry run (making.ts), read (reading.ts), actions (acts.ts).
import { createCampaignActs } from "./acts.ts";
import { createCampaignMaking } from "./making.ts";
import { createCampaignReading } from "./reading.ts";
import type { CampaignServiceDeps } from "./service-deps.ts";

export function createCampaignService(deps: CampaignServiceDeps) {
  const reading = createCampaignReading(deps);
  return { ...createCampaignMaking(deps), ...reading, ...createCampaignActs(deps, reading.get) };
}

export type CampaignService = ReturnType<typeof createCampaignService>;
