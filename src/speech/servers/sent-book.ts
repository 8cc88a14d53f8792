// What one call sent to which server, added up: for the audit.
import type { NoteSent, SentNote } from "./port.ts";

export interface SentBook {
  note: NoteSent;
  /** One for each server and role that was asked. */
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
