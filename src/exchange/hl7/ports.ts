// What this folder asks of the other folders and rooms.
import type { Hl7Source } from "./settings.ts";

export interface Hl7Sources {
  /** Enabled sources that send as this application and facility (MSH-3, MSH-4), of every organisation. */
  ofSender(application: string, facility: string): Promise<readonly Hl7Source[]>;
  /** Null if this organisation has no such source of kind hl7. */
  byId(organisationId: string, sourceId: string): Promise<Hl7Source | null>;
}
