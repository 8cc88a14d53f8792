// The actor of an operation, recorded in the audit trail with every change and every read of personal data.

export interface Actor {
  kind: "key" | "person" | "hook" | "signed_link" | "share_link" | "cli" | "system";
  /** The id of the key or person; null for kinds with a single instance. */
  id: string | null;
  /** A person's role, where a rule depends on it. */
  role?: "owner" | "staff" | "viewer";
  requestId?: string;
}

export const CLI_ACTOR: Actor = { kind: "cli", id: null };
export const SYSTEM_ACTOR: Actor = { kind: "system", id: null };
