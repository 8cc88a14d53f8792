// Rows of the audit chain.
import type { Row } from "../db/tables.ts";

export type AuditBlock = Row<"audit_blocks">;
export type AuditStub = Row<"audit_stubs">;
export type AuditExport = Row<"audit_exports">;
export type UnsealedEntries = Row<"audit_unsealed">;
/** An entry with its columns of the chain. */
export type ChainedEntry = Row<"audit_entries">;
