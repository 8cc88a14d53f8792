// Facts of the notices that are said on every call.
import type { Phrase } from "./phrase.ts";

export interface CallNotices {
  hospital: string;
  /** E.164. */
  callbackNumber: string | null;
  /** Said before anything else: who calls, and that the voice is automatic. */
  opening: readonly Phrase[];
}
