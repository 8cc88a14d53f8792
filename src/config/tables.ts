// Nested settings tables, as parsed from TOML.

export interface Table {
  [key: string]: unknown;
}

export function tablesOf(value: unknown): Table {
  if (typeof value !== "object" || value === null || Array.isArray(value)) throw new Error("a table was expected");
  return value as Table;
}

/** Replaces the value at `path`. Returns false, without a change, if the path does not exist. */
export function setPath(table: Table, path: readonly string[], change: (present: unknown) => unknown): boolean {
  const [key, ...rest] = path;
  if (key === undefined || !Object.hasOwn(table, key)) return false;
  const present = table[key];
  if (rest.length === 0) {
    table[key] = change(present);
    return true;
  }
  return typeof present === "object" && present !== null && setPath(present as Table, rest, change);
}
