// Counts of requests and responses per operation.
import type { Operation } from "./document.ts";

/** Only a fault of the server or the machine causes these. */
const NOT_WANTED = new Set([500, 503]);

export class Tally {
  readonly #seen = new Map<string, Map<number, number>>();
  requests = 0;

  count({ id }: Operation, status: number): void {
    this.requests += 1;
    const statuses = this.#seen.get(id) ?? new Map<number, number>();
    statuses.set(status, (statuses.get(status) ?? 0) + 1);
    this.#seen.set(id, statuses);
  }

  statusesOf({ id }: Operation): ReadonlyMap<number, number> {
    return this.#seen.get(id) ?? new Map<number, number>();
  }

  neverDone(operations: readonly Operation[]): string[] {
    return operations
      .filter((operation) => ![...this.statusesOf(operation).keys()].some((status) => status < 300))
      .map(({ id }) => id);
  }

  unreached(operation: Operation): number[] {
    const seen = this.statusesOf(operation);
    return [...operation.answers.keys()].filter((status) => !seen.has(status) && !NOT_WANTED.has(status));
  }
}

/** One line per operation. */
export function tallyTable(tally: Tally, operations: readonly Operation[]): string[] {
  const rows = operations.map((operation) => {
    const seen = [...tally.statusesOf(operation)].toSorted(([a], [b]) => a - b);
    const asked = seen.reduce((sum, [, count]) => sum + count, 0);
    return [
      operation.id,
      String(asked),
      seen.map(([status, count]) => `${status}×${count}`).join(" "),
      tally.unreached(operation).join(" ") || "-",
    ];
  });
  const heads = ["operation", "requests", "answered", "documented and never reached"];
  const widths = heads.map((head, at) => Math.max(head.length, ...rows.map((row) => row[at]?.length ?? 0)));
  return [heads, ...rows].map((row) =>
    row
      .map((cell, at) => cell.padEnd(widths[at] ?? 0))
      .join("  ")
      .trimEnd(),
  );
}
