// Finds the campaign named in a request, or throws the same error for every unknown or foreign id.
import { AppError } from "../core/errors.ts";
import type { Executor } from "../db/tables.ts";
import { campaignOf } from "./campaign-store.ts";
import type { Campaign } from "./records.ts";

export async function knownCampaign(executor: Executor, organisationId: string, id: string): Promise<Campaign> {
  const campaign = await campaignOf(executor, organisationId, id);
  if (!campaign) throw new AppError("NOT_FOUND", "There is no campaign with this id.");
  return campaign;
}
