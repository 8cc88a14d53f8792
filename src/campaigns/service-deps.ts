// Dependencies of the campaign services.
import type { Audit } from "../accounts/audit.ts";
import type { ReadNotes } from "../accounts/read-notes.ts";
import type { CallService } from "../calls/service.ts";
import type { Config } from "../config/schema.ts";
import type { Clock } from "../core/clock.ts";
import type { Ids } from "../core/ids.ts";
import type { SecretBox } from "../core/secret-box.ts";
import type { Database } from "../db/database.ts";
import type { CampaignForgetting } from "./forgetting.ts";
import type { Preparations } from "./preparations.ts";
import type { StoppedRows } from "./stopped-rows.ts";

export interface CampaignServiceDeps {
  db: Database;
  clock: Clock;
  ids: Ids;
  config: Config;
  audit: Audit;
  readNotes: ReadNotes;
  secrets: Pick<SecretBox, "deriveKey">;
  wake: () => void;
  calls: Pick<CallService, "cancelWithin">;
  preparations: Preparations;
  stoppedRows: StoppedRows;
  forgetting: Pick<CampaignForgetting, "forget" | "assertErasable">;
  /** The last step of an erasure. */
  wipe: () => Promise<void>;
}
