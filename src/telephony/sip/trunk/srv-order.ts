// In which order servers are tried (RFC 2782): the lowest priority first, and within one by lot, the heavier the
// sooner.
import type { SrvRecord } from "./dns.ts";

/** `random` from 0 up to, and without, 1. */
export function bySrvOrder(records: readonly SrvRecord[], random: () => number): SrvRecord[] {
  const priorities = [...new Set(records.map(({ priority }) => priority))].toSorted((a, b) => a - b);
  return priorities.flatMap((priority) => {
    const equals = records.filter((record) => record.priority === priority);
    // Those without weight come first, so that they have a small chance and not none.
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
