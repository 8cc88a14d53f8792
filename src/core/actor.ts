// The actor of an operation, recorded in the audit trail with every change and every read of personal data.
import type { Reach } from "./reach.ts";

export const ACTOR_KINDS = ["key", "person", "hook", "signed_link", "share_link", "cli", "system"] as const;

export interface Actor {
  kind: (typeof ACTOR_KINDS)[number];
  /** The id of the key or person; null for kinds with a single instance. */
  id: string | null;
  /** A person's role, where a rule depends on it. */
  role?: "owner" | "staff" | "viewer" | "doctor" | "auditor";
  /** What the person may see; absent: the whole organisation. */
  reach?: Reach;
  /** If-Match: the version that a change is based on; see entity-tag.ts. */
  basedOn?: string;
  requestId?: string;
}

export const CLI_ACTOR: Actor = { kind: "cli", id: null };
export const SYSTEM_ACTOR: Actor = { kind: "system", id: null };
