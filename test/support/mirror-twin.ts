// The mirror in memory: the rules of exchange/mirror/port.ts without a database.
import type { Identifier, Mirror, MirroredAppointment, MirrorOutcome } from "../../src/exchange/mirror/port.ts";

export interface TwinRow extends MirroredAppointment {
  id: string;
  sourceId: string;
  /** How often it changed, its creation included. */
  changes: number;
}

export interface MirrorTwin extends Mirror {
  rows: Map<string, TwinRow>;
  /** Calls of put, including those that changed nothing. */
  puts: number;
  /** Set: the next call fails like a full disk. */
  fault: Error | null;
}

const same = (a: Identifier, b: Identifier): boolean => a.system === b.system && a.value === b.value;

export function createMirrorTwin(now: () => number = () => 0): MirrorTwin {
  const rows = new Map<string, TwinRow>();

  const twin: MirrorTwin = {
    rows,
    puts: 0,
    fault: null,
    async put(_organisationId, sourceId, told): Promise<MirrorOutcome> {
      twin.puts += 1;
      if (twin.fault) throw twin.fault;
      const key = `${sourceId} ${told.externalId}`;
      const changedAt = told.changedAt ?? now();
      const before = rows.get(key);
      const given = Object.fromEntries(
        Object.entries<unknown>({ ...told, changedAt }).filter(([, value]) => value !== undefined),
      );
      if (!before) {
        if (told.status === "confirmed" && told.startsAt === undefined)
          return { kind: "refused", field: "startsAt", reason: "A new appointment needs a time." };
        const row = { ...told, ...given, id: `apt_${rows.size + 1}`, sourceId, changes: 1 };
        rows.set(key, row);
        return { kind: "created", appointmentId: row.id };
      }
      if (changedAt < (before.changedAt ?? 0)) return { kind: "stale", appointmentId: before.id };
      const after = { ...before, ...given };
      const isSame = JSON.stringify({ ...after, changedAt: 0 }) === JSON.stringify({ ...before, changedAt: 0 });
      rows.set(key, { ...after, changes: before.changes + (isSame ? 0 : 1) });
      return { kind: isSame ? "unchanged" : "updated", appointmentId: before.id };
    },
    async updatePatient(_organisationId, sourceId, patient) {
      if (twin.fault) throw twin.fault;
      let changed = 0;
      for (const [key, row] of rows) {
        const isTheirs = row.identifiers?.some((own) => patient.identifiers.some((each) => same(each, own))) ?? false;
        if (row.sourceId !== sourceId || !isTheirs) continue;
        changed += 1;
        rows.set(key, {
          ...row,
          ...(patient.name !== undefined && { contactName: patient.name }),
          ...(patient.number !== undefined && { contactNumber: patient.number }),
        });
      }
      return { changed };
    },
    async merge(_organisationId, sourceId, { from, to, name }) {
      if (twin.fault) throw twin.fault;
      let changed = 0;
      for (const [key, row] of rows) {
        if (row.sourceId !== sourceId || !row.identifiers?.some((own) => same(own, from))) continue;
        changed += 1;
        const others = row.identifiers.filter((own) => !same(own, from) && !same(own, to));
        rows.set(key, { ...row, identifiers: [...others, to], ...(name && { contactName: name }) });
      }
      return { changed };
    },
  };
  return twin;
}
