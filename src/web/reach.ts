// Reachability of the appliance. Every response and every message of the change stream is a sign of life. After a few
// seconds of silence the page asks, and it keeps asking while the appliance is unreachable.

/** Two missed beats of the change stream; see dashboard/change-stream.ts. */
const SILENCE_MS = 3_000;
const WATCH_EVERY_MS = 250;
/** Together with SILENCE_MS less than five seconds. */
const ANSWER_WITHIN_MS = 1_500;
/** While the appliance is unreachable: a slow line gets more time. */
const PATIENT_ANSWER_MS = 4_000;
const ASK_EVERY_MS = 1_000;

const watchers = new Set<(isThere: boolean) => void>();
let isThere = true;
let losses = 0;
let heardAt = Date.now();
let isAsking = false;
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
  if (lossesBefore !== losses) return;
  noteLife();
  noteReach(true);
}

export function noteLife(): void {
  heardAt = Date.now();
}

export function noteLoss(): void {
  losses += 1;
  noteReach(false);
}

/** Asks after each few seconds without a sign of life. Returns a function that ends it. */
export function watchSilence(): () => void {
  noteLife();
  const timer = setInterval(() => {
    if (isThere && Date.now() - heardAt >= SILENCE_MS) void askIfThere();
  }, WATCH_EVERY_MS);
  return () => clearInterval(timer);
}

function noteReach(reached: boolean): void {
  if (reached === isThere) return;
  isThere = reached;
  clearInterval(asking);
  if (!reached) asking = setInterval(() => void askIfThere(), ASK_EVERY_MS);
  for (const watcher of watchers) watcher(reached);
}

export async function askIfThere(): Promise<void> {
  if (isAsking) return;
  isAsking = true;
  const lossesBefore = losses;
  const askedAt = Date.now();
  const question = new AbortController();
  const timer = setTimeout(() => question.abort(), isThere ? ANSWER_WITHIN_MS : PATIENT_ANSWER_MS);
  try {
    const response = await fetch("/dashboard/api/welcome", { signal: question.signal });
    if (isOfProxy(response)) noteLoss();
    else noteReached(lossesBefore);
  } catch {
    // A message that arrived meanwhile shows that only the question was slow.
    if (heardAt <= askedAt) noteLoss();
  } finally {
    clearTimeout(timer);
    isAsking = false;
  }
}

/** The appliance responds in JSON, a proxy that does not reach it with an HTML page. */
const isOfProxy = ({ status, headers }: Response): boolean =>
  [502, 503, 504].includes(status) && !(headers.get("content-type") ?? "").includes("json");
