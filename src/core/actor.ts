// Who does something: it is kept in the audit trail with everything that changes or reads personal data.

export interface Actor {
  kind: "key" | "person" | "hook" | "signed_link" | "share_link" | "cli" | "system";
  /** The id of the key or person; null where there is only one of its kind. */
  id: string | null;
  /** Of a person, where a rule asks for it. */
  role?: "owner" | "staff" | "viewer";
  requestId?: string;
}

export const CLI_ACTOR: Actor = { kind: "cli", id: null };
export const SYSTEM_ACTOR: Actor = { kind: "system", id: null };
