// Matches objects without a name of their own. Within a group the exact match comes first; a single object left on
// either side is the same one, changed.

type Keys<A, B> = readonly [(row: A) => string, (stored: B) => string];

export function paired<A, B>(
  rows: readonly A[],
  all: readonly B[],
  keys: {
    group: Keys<A, B>;
    exact: Keys<A, B>;
    /** Whether the stored object may become another one; by default any may. */
    mayChange?: (stored: B) => boolean;
  },
): { matched: [A, B | undefined][]; others: B[] } {
  const [groupOfRow, groupOfStored] = keys.group;
  const [exactOfRow, exactOfStored] = keys.exact;
  const { mayChange = () => true } = keys;
  const taken = new Map<A, B>();
  const used = new Set<B>();
  const take = (row: A, stored: B) => {
    taken.set(row, stored);
    used.add(stored);
  };
  const storedIn = Map.groupBy(all, groupOfStored);
  for (const [group, members] of Map.groupBy(rows, groupOfRow)) {
    const candidates = storedIn.get(group) ?? [];
    for (const row of members) {
      const same = candidates.find((each) => !used.has(each) && exactOfStored(each) === exactOfRow(row));
      if (same !== undefined) take(row, same);
    }
    const [row, ...otherRows] = members.filter((each) => !taken.has(each));
    const [stored, ...otherStored] = candidates.filter((each) => !used.has(each) && mayChange(each));
    const isOnePair = otherRows.length === 0 && otherStored.length === 0;
    if (row !== undefined && stored !== undefined && isOnePair) take(row, stored);
  }
  return { matched: rows.map((row) => [row, taken.get(row)]), others: all.filter((each) => !used.has(each)) };
}
