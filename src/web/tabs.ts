// Which tab of a page is shown.

/**
 * By the name in the address, or the first where it has none. A tab that is not for this person leads to the first one
 * that is; null for a name that no tab has.
 */
export function tabAt<Tab extends { name: string }>(
  name: string | undefined,
  all: readonly Tab[],
  offered: readonly Tab[],
): Tab | null {
  const isKnown = name === undefined || all.some((tab) => tab.name === name);
  if (!isKnown) return null;
  return offered.find((tab) => tab.name === name) ?? offered[0] ?? null;
}
