// The tables to move, in dependency order: referenced tables come first.
import { schemaTables, type SchemaTable } from "../sqlite/schema-tables.ts";

/** Derived tables: the target rebuilds them. Pages reload instead of asking for old changes. */
const MADE_OF_OTHERS = ["changes", "contacts", "delivery_counts"];

export function movedTables(): SchemaTable[] {
  return inOrder(schemaTables().filter(({ name }) => !MADE_OF_OTHERS.includes(name)));
}

export function inOrder(tables: readonly SchemaTable[]): SchemaTable[] {
  const ordered: SchemaTable[] = [];
  const known = new Set<string>();
  const names = new Set(tables.map(({ name }) => name));
  while (ordered.length < tables.length) {
    const isFree = ({ name, references }: SchemaTable) =>
      !known.has(name) && references.every((other) => other === name || known.has(other) || !names.has(other));
    const next = tables.filter(isFree);
    if (next.length === 0) throw new Error("Some tables have circular foreign keys.");
    for (const table of next) known.add(table.name);
    ordered.push(...next);
  }
  return ordered;
}
