// Advisory locks: two numbers each, of which the first marks them as ours ("RWRD").
const OURS = 0x52575244;

/** Held by the only server of a database. */
export const SERVER_LOCK = [OURS, 1] as const;
/** Held during a migration. */
export const MIGRATION_LOCK = [OURS, 2] as const;
/** Held while a command is retried. */
export const REPEAT_LOCK = [OURS, 3] as const;
