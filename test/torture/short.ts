// The short form: each kind of fault once, in an order in which each leads into the next.
import { QUICK_MOODS } from "./bad-receiver.ts";
import type { TortureOptions } from "./run.ts";

export const SHORT: Omit<TortureOptions, "seed" | "folder" | "progress"> = {
  once: [
    // First: calls that are due while no descriptor is left fail, and the other faults need calls.
    "few descriptors and slow clients",
    "kill -9",
    "kill -9 on a slow disk",
    "full disk",
    "clock back",
    "read-only disk, at work",
    "kill -9 at the start",
    "clock forward",
  ],
  clients: 8,
  slowClients: 500,
  moods: QUICK_MOODS,
};

/** The same for an appliance on PostgreSQL. */
export const SHORT_ON_POSTGRES: typeof SHORT = {
  ...SHORT,
  once: ["kill -9", "PostgreSQL killed", "PostgreSQL away", "kill -9 at the start", "PostgreSQL and executable killed"],
  onPostgres: true,
};
