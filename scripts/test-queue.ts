// Job queue of the tests: longest first, run by a few lanes.

export interface Job {
  name: string;
  /** Last measured duration; Infinity if unknown. */
  seconds: number;
  /** A call in real time: only one such job runs at a time, so it never waits for a core. */
  isTalk?: boolean;
  run(): Promise<void>;
}

/**
 * Runs all jobs, `lanes` at once. A source is a list of jobs or a promise of one, for example of the tests that need
 * the executable. A job that throws stops the queue.
 */
export async function runInLanes(sources: readonly (Job[] | Promise<Job[]>)[], lanes: number): Promise<void> {
  const waiting: Job[] = [];
  let open = sources.length;
  let isTalking = false;
  let changed = Promise.withResolvers<void>();
  const tellLanes = () => {
    changed.resolve();
    changed = Promise.withResolvers();
  };

  async function take(source: Job[] | Promise<Job[]>): Promise<void> {
    waiting.push(...(await source));
    waiting.sort(longestFirst);
    open--;
    tellLanes();
  }

  async function runLane(): Promise<void> {
    while (open > 0 || waiting.length > 0) {
      const at = waiting.findIndex(({ isTalk }) => !(isTalk && isTalking));
      const [job] = at === -1 ? [] : waiting.splice(at, 1);
      if (!job) {
        await changed.promise;
        continue;
      }
      if (job.isTalk) isTalking = true;
      await job.run();
      if (job.isTalk) isTalking = false;
      tellLanes();
    }
  }

  await Promise.all([...sources.map(take), ...Array.from({ length: lanes }, runLane)]);
}

/** Total seconds of short files per process: loading the whole program costs a process more than a second of CPU. */
const BATCH_SECONDS = 12;

export interface Batch {
  files: string[];
  seconds: number;
}

/**
 * Long files run alone, short ones together with their neighbours, which load the same modules. Files without a
 * measurement come first, because they may be the longest.
 */
export function batchesOf(files: readonly string[], secondsOf: (file: string) => number | undefined): Batch[] {
  const batches: Batch[] = [];
  const shared: Record<"known" | "unknown", Batch | undefined> = { known: undefined, unknown: undefined };
  for (const file of files.toSorted()) {
    const seconds = secondsOf(file);
    if (seconds !== undefined && seconds >= BATCH_SECONDS / 2) {
      batches.push({ files: [file], seconds });
      continue;
    }
    const kind = seconds === undefined ? "unknown" : "known";
    const last = shared[kind];
    const cost = seconds ?? BATCH_SECONDS / 4;
    if (last && last.seconds + cost <= BATCH_SECONDS) {
      last.files.push(file);
      last.seconds += cost;
    } else {
      const batch = { files: [file], seconds: cost };
      shared[kind] = batch;
      batches.push(batch);
    }
  }
  const isKnown = ({ files: [first = ""] }: Batch) => secondsOf(first) !== undefined;
  return batches.map((batch) => (isKnown(batch) ? batch : { ...batch, seconds: Infinity })).toSorted(longestFirst);
}

/** Infinity minus Infinity is NaN and gives no order. */
const longestFirst = (a: { seconds: number }, b: { seconds: number }) =>
  a.seconds === b.seconds ? 0 : b.seconds - a.seconds;
