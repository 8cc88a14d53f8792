// Reachability of the appliance. Every request updates it; while it is unreachable, it is polled every few seconds.

const ASK_EVERY_MS = 5_000;
const watchers = new Set<(isThere: boolean) => void>();
let isThere = true;
let losses = 0;
let asking: ReturnType<typeof setInterval> | undefined;

export function isReached(): boolean {
  return isThere;
}

export function watchReach(watcher: (isThere: boolean) => void): () => void {
  watchers.add(watcher);
  watcher(isThere);
  return () => void watchers.delete(watcher);
}

/** Read at the start of a request, and passed to noteReached. */
export function lossesSoFar(): number {
  return losses;
}

/** The response to a request sent before the last loss is ignored. */
export function noteReached(lossesBefore: number): void {
  if (lossesBefore === losses) noteReach(true);
}

export function noteLoss(): void {
  losses += 1;
  noteReach(false);
}

function noteReach(reached: boolean): void {
  if (reached === isThere) return;
  isThere = reached;
  clearInterval(asking);
  if (!reached) asking = setInterval(() => void ask(), ASK_EVERY_MS);
  for (const watcher of watchers) watcher(reached);
}

async function ask(): Promise<void> {
  const before = losses;
  // Any response counts, including errors.
  await fetch("/dashboard/api/welcome").then(() => noteReached(before), noteLoss);
}
