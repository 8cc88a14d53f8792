// Whether the appliance answers. Every request tells; while none gets through, it is asked every few seconds.

const ASK_EVERY_MS = 5_000;
const watchers = new Set<(isThere: boolean) => void>();
let isThere = true;
let asking: ReturnType<typeof setInterval> | undefined;

export function isReached(): boolean {
  return isThere;
}

export function watchReach(watcher: (isThere: boolean) => void): () => void {
  watchers.add(watcher);
  watcher(isThere);
  return () => void watchers.delete(watcher);
}

export function noteReach(reached: boolean): void {
  if (reached === isThere) return;
  isThere = reached;
  clearInterval(asking);
  if (!reached) asking = setInterval(() => void ask(), ASK_EVERY_MS);
  for (const watcher of watchers) watcher(reached);
}

async function ask(): Promise<void> {
  // Any answer will do, a refusal too.
  const answered = await fetch("/dashboard/api/welcome").then(
    () => true,
    () => false,
  );
  noteReach(answered);
}
