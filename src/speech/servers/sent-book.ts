// Totals of what one call sent to each server, for the audit.
import type { NoteSent, SentNote } from "./port.ts";

export interface SentBook {
  note: NoteSent;
  /** One per server and role. */
  list(): SentNote[];
}

export function createSentBook(): SentBook {
  const notes = new Map<string, SentNote>();
  return {
    note(more) {
      const key = `${more.role} ${more.server}`;
      const known = notes.get(key);
      if (!known) {
        notes.set(key, { ...more });
        return;
      }
      for (const count of ["requests", "bytesOut", "bytesIn", "ms", "failures"] as const) known[count] += more[count];
    },
    list: () => [...notes.values()].map((note) => ({ ...note })),
  };
}
