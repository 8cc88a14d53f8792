// The numbered migrations, embedded as text. Append only: one that has shipped is never edited.
import accounts from "../../migrations/0001_accounts.sql" with { type: "text" };

export interface Migration {
  /** Counts from 1 without gaps; kept in the database as `user_version`. */
  version: number;
  name: string;
  sql: string;
}

export const MIGRATIONS: readonly Migration[] = [{ version: 1, name: "accounts", sql: accounts }];
