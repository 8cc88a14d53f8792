// Saving of records that colleagues may change meanwhile. Only changed values are sent, with the version that they are
// based on. Changes of others to other values stay; where both changed the same value, the user chooses.

/** A value that the user and a colleague changed differently. */
export interface Clash {
  name: string;
  mine: unknown;
  theirs: unknown;
}

export interface Saving<Stored extends { version: string }, Values extends object, Answer> {
  /** As the page loaded it. */
  stored: Stored;
  /** The editable values of a record, as the API takes them. */
  valuesOf: (stored: Stored) => Values;
  typed: Values;
  send: (change: Partial<Values>, version: string) => Promise<Answer>;
}

interface Deciding<Stored> {
  /** The record as it is now, if the error is a conflict. */
  currentOf: (error: unknown) => Stored | null;
  /** Names of the values of which the user's count; null to continue editing. */
  ask: (clashes: readonly Clash[]) => Promise<ReadonlySet<string> | null>;
}

const isSame = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b);

/** The typed values that differ from the stored ones. */
export function changedValues<Values extends object>(stored: Values, typed: Values): Partial<Values> {
  const before = new Map<string, unknown>(Object.entries(stored));
  return Object.fromEntries(
    Object.entries(typed).filter(([name, value]) => !before.has(name) || !isSame(before.get(name), value)),
  ) as Partial<Values>;
}

/**
 * Resolves to the answer, to the record as it is now if nothing is left to change, or to null if the user continues
 * editing.
 */
export async function saveChange<Stored extends { version: string }, Values extends object, Answer>(
  { stored, valuesOf, typed, send }: Saving<Stored, Values, Answer>,
  { currentOf, ask }: Deciding<Stored>,
): Promise<Answer | Stored | null> {
  let base = stored;
  let change: Partial<Values> = changedValues(valuesOf(base), typed);
  while (Object.keys(change).length > 0) {
    try {
      return await send(change, base.version);
    } catch (error) {
      const current = currentOf(error);
      if (!current) throw error;
      const theirs = new Map<string, unknown>(Object.entries(valuesOf(current)));
      const before = new Map<string, unknown>(Object.entries(valuesOf(base)));
      const left = Object.entries(change).filter(
        ([name, mine]) => !theirs.has(name) || !isSame(mine, theirs.get(name)),
      );
      const clashes = left
        .filter(([name]) => !isSame(before.get(name), theirs.get(name)))
        .map(([name, mine]) => ({ name, mine, theirs: theirs.get(name) }));
      const kept = clashes.length === 0 ? new Set<string>() : await ask(clashes);
      if (kept === null) return null;
      const dropped = clashes.filter(({ name }) => !kept.has(name)).map(({ name }) => name);
      change = Object.fromEntries(left.filter(([name]) => !dropped.includes(name))) as Partial<Values>;
      base = current;
    }
  }
  return base;
}
