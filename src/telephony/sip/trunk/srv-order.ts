// Order of SRV targets (RFC 2782): by priority, and randomly by weight within a priority.
import type { SrvRecord } from "./dns.ts";

/** `random` is in [0, 1). */
export function bySrvOrder(records: readonly SrvRecord[], random: () => number): SrvRecord[] {
  const priorities = [...new Set(records.map(({ priority }) => priority))].toSorted((a, b) => a - b);
  return priorities.flatMap((priority) => {
    const equals = records.filter((record) => record.priority === priority);
    // Targets without weight come first, so that they have a small chance of selection.
    return drawn(
      equals.toSorted((a, b) => a.weight - b.weight),
      random,
    );
  });
}

function drawn(lots: SrvRecord[], random: () => number): SrvRecord[] {
  const left = [...lots];
  const order: SrvRecord[] = [];
  while (left.length > 0) {
    const total = left.reduce((sum, { weight }) => sum + weight, 0);
    const mark = Math.floor(random() * (total + 1));
    let sum = 0;
    const at = left.findIndex(({ weight }) => (sum += weight) >= mark);
    order.push(...left.splice(at, 1));
  }
  return order;
}
