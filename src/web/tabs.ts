// The selected tab of a page.

/**
 * By the name in the URL; the first tab without a name. A tab that this person may not open leads to the first
 * permitted one; null for an unknown name.
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
