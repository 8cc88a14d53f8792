// What a slow voice makes next: what somebody waits for on the telephone before what their call says next, that before the
// words of calls that are due, and those before the lines that agents always say. Pure: it knows no sound and no clock.

export const URGENCIES = ["live", "next", "due", "stock"] as const;
export type Urgency = (typeof URGENCIES)[number];

export interface RenderQueue {
  /** False where it is full. What is asked for twice is made once, as urgently as the more urgent of the two. */
  want(key: string, urgency: Urgency): boolean;
  /** Nobody wants it any more. */
  drop(key: string): void;
  /** Takes out the most urgent that came first, among those that are at least so urgent; null where there is none. */
  take(leastUrgent: Urgency): string | null;
  readonly size: number;
}

const rankOf = (urgency: Urgency): number => URGENCIES.indexOf(urgency);

export function createRenderQueue(most: Readonly<Record<Urgency, number>>): RenderQueue {
  /** By urgency; a Set keeps the order in which they came. */
  const waiting = new Map(URGENCIES.map((urgency) => [urgency, new Set<string>()]));
  const of = (urgency: Urgency): Set<string> => waiting.get(urgency) ?? new Set();
  const urgencyOf = (key: string): Urgency | undefined => URGENCIES.find((urgency) => of(urgency).has(key));

  return {
    want(key, urgency) {
      const known = urgencyOf(key);
      if (known !== undefined && rankOf(known) <= rankOf(urgency)) return true;
      if (of(urgency).size >= most[urgency]) return known !== undefined;
      if (known !== undefined) of(known).delete(key);
      of(urgency).add(key);
      return true;
    },
    drop(key) {
      for (const keys of waiting.values()) keys.delete(key);
    },
    take(leastUrgent) {
      for (const urgency of URGENCIES.slice(0, rankOf(leastUrgent) + 1)) {
        const [first] = of(urgency);
        if (first === undefined) continue;
        of(urgency).delete(first);
        return first;
      }
      return null;
    },
    get size() {
      return URGENCIES.reduce((sum, urgency) => sum + of(urgency).size, 0);
    },
  };
}
