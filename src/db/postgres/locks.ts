// Advisory locks: two numbers each, of which the first says that they are ours ("RWRD").
const OURS = 0x52575244;

/** Held by the one server that works on a database. */
export const SERVER_LOCK = [OURS, 1] as const;
/** Held while a schema is brought up to date. */
export const MIGRATION_LOCK = [OURS, 2] as const;
/** Held while a command is tried again. */
export const REPEAT_LOCK = [OURS, 3] as const;
