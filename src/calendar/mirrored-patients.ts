// Changes of a source's patients, within a transaction: new contact data, and two patients that are one.
import type { Actor } from "../core/actor.ts";
import type { Clock } from "../core/clock.ts";
import type { Tx } from "../db/tables.ts";
import { identifiersIn, isEqual, MOST_IDENTIFIERS, type Identifier } from "../payloads/identifiers.ts";
import type { MirroredChanges, Teller } from "./mirrored-changes.ts";
import { changesOnly, contactColumns, identifiersText } from "./mirrored-patch.ts";
import { identifierFault, numberFault } from "./mirrored.ts";
import type { Appointment } from "./records.ts";
import { appointmentsIdentified } from "./source-store.ts";

/** A patient without an appointment (HL7 A08). */
export interface PatientChange {
  identifiers: readonly Identifier[];
  name?: string | null;
  number?: string | null;
  email?: string | null;
  /** The source's own time of this change, in milliseconds; null if the source gives none. */
  changedAt: number | null;
}

/** A merge moves the appointments and identifiers of one patient to another; it erases nothing. */
export interface Merge {
  from: Identifier;
  to: Identifier;
  /** Name of the surviving patient, if the source gives it. */
  name?: string | null;
  /** The source's own time of the merge, in milliseconds. */
  changedAt?: number | null;
}

/** The appointments of one patient. */
const MOST_CHANGED = 500;

export class MirroredPatients {
  constructor(
    private readonly clock: Clock,
    private readonly changes: MirroredChanges,
  ) {}

  /** The number of changed appointments. A number that cannot be dialled changes nothing. */
  async update(tx: Tx, teller: Teller, patient: PatientChange, actor: Actor): Promise<number> {
    const { identifiers, name, number, email, changedAt } = patient;
    if (!teller.owns.has("contact") || numberFault(number) || identifierFault(identifiers)) return 0;
    const now = this.clock.now();
    const columns = contactColumns({
      ...(name === undefined ? {} : { contactName: name }),
      ...(number === undefined ? {} : { contactNumber: number }),
      ...(email === undefined ? {} : { contactEmail: email }),
    });
    const rows = new Map<string, Appointment>();
    for (const each of identifiers)
      for (const row of await appointmentsIdentified(tx, teller, each, MOST_CHANGED)) rows.set(row.id, row);
    let changed = 0;
    for (const row of rows.values()) {
      if (changedAt !== null && changedAt < lastWord(row)) continue;
      const patch = changesOnly(row, columns);
      if (Object.keys(patch).length === 0) continue;
      const contact_changed_at = changedAt ?? Math.max(now, lastWord(row));
      await this.changes.apply(tx, row, { ...patch, contact_changed_at }, now, actor);
      changed += 1;
    }
    return changed;
  }

  async merge(tx: Tx, teller: Teller, { from, to, name, changedAt }: Merge, actor: Actor): Promise<number> {
    if (identifierFault([from, to]) || isEqual(from, to)) return 0;
    const now = this.clock.now();
    const rows = await appointmentsIdentified(tx, teller, from, MOST_CHANGED);
    for (const row of rows) {
      const known = identifiersIn(row.contact_identifiers).map((each) => (isEqual(each, from) ? to : each));
      const patch = changesOnly(row, {
        contact_identifiers: identifiersText(known.slice(0, MOST_IDENTIFIERS)),
        ...(name ? contactColumns({ contactName: name }) : {}),
      });
      // A message from before the merge does not bring the old identifier back.
      const contact_changed_at = Math.max(changedAt ?? now, row.contact_changed_at ?? 0);
      await this.changes.apply(tx, row, { ...patch, contact_changed_at }, now, actor);
    }
    return rows.length;
  }
}

/** When the source last said something about the contact. */
const lastWord = ({ contact_changed_at, source_changed_at }: Appointment) =>
  Math.max(contact_changed_at ?? 0, source_changed_at ?? 0);
