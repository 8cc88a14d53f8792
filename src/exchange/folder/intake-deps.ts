// Dependencies of the intake of files.
import type { Audit } from "../../accounts/audit.ts";
import type { CampaignService } from "../../campaigns/service.ts";
import type { Clock } from "../../core/clock.ts";
import { AppError } from "../../core/errors.ts";
import type { Files } from "../../core/file-job.ts";
import type { Ids } from "../../core/ids.ts";
import type { Logger } from "../../core/logger.ts";
import type { SecretBox } from "../../core/secret-box.ts";
import type { Database } from "../../db/database.ts";
import type { ListCheck } from "../../lists/list-check.ts";
import type { MirrorService } from "../mirror/mirror-service.ts";

export interface IntakeDeps {
  db: Database;
  clock: Clock;
  ids: Ids;
  logger: Logger;
  audit: Audit;
  files: Files;
  secrets: Pick<SecretBox, "deriveKey">;
  mirror: Pick<MirrorService, "putWithin">;
  campaigns: Pick<CampaignService, "create">;
  listCheck: ListCheck;
  wake: () => void;
  /** `folders.root` of the settings; empty: no folder is read. */
  root: string;
}

/** The file cannot go on now: it is tried again after a while, or after a change of the source. */
export class Waits extends Error {
  constructor(
    /** Why, for the person who looks; null if it goes on by itself. */
    readonly reason: string | null,
  ) {
    super("A file waits.");
  }
}

/** The file as a whole cannot be taken. */
export class FileFault extends Error {}

/** What an error means for the file. A full plan passes, and an agent can be corrected: the file waits for it. */
export function meaningOf(error: unknown): unknown {
  if (!(error instanceof AppError)) return error;
  const { code, details, message } = error;
  if (code === "RATE_LIMITED" || code === "CONFLICT") return new Waits(null);
  if (code === "PLAN_LIMIT_REACHED") return new Waits(message);
  if (code !== "VALIDATION_ERROR") return error;
  const isAboutSettings = details.some(({ field }) => field === "agent_id");
  return isAboutSettings ? new Waits(message) : new FileFault(message);
}
