// Which tables are moved, and in which order: what is referred to comes before what refers to it.
import { schemaTables, type SchemaTable } from "../sqlite/schema-tables.ts";

/** Made from the others: in the new place they are made again. Pages load anew instead of asking for old changes. */
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
    if (next.length === 0) throw new Error("Some tables refer to each other in a circle.");
    for (const table of next) known.add(table.name);
    ordered.push(...next);
  }
  return ordered;
}
