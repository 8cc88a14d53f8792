// A slow voice and all who wait for it: clause by clause, the most urgent first, each made once and kept. In memory whatever
// was made last; on disk the stock alone, so that nothing about a person outlives its call there.
import { SECOND_MS, type Clock } from "../../../core/clock.ts";
import { createSoundCache, type SoundCache } from "../sound-cache.ts";
import { createRenderQueue, type Urgency } from "./render-queue.ts";
import { soundKey, type SoundStore } from "./sound-store.ts";

/** Of each kind; more could not be made in any time that is of use. */
const MOST_WAITING: Readonly<Record<Urgency, number>> = { live: 100, next: 400, due: 1_000, stock: 2_000 };
/** Fifty minutes of speech. */
const CACHE = { mostSentences: 2_000, mostBytes: 48 * 1024 * 1024 };
/** After a call asked for something it may ask for more: stock, which nobody waits for, holds the voice up for seconds. */
const QUIET_MS = 10 * SECOND_MS;

const TOO_MUCH = "The Hindi voice has too much to say already. Record the words of busy agents.";

interface Job {
  text: string;
  voice: string;
  isStock: boolean;
  isUnderWay: boolean;
  result: PromiseWithResolvers<Int16Array>;
  wantedBy: number;
}

export interface Renderer {
  /**
   * 16-bit samples at 8 kHz, not the caller's own. Rejects where it cannot, with a message that holds none of the words. What
   * has not begun when nobody wants it any more is not made.
   */
  render(clause: string, voice: string, urgency: Urgency, unwanted?: AbortSignal): Promise<Int16Array>;
  /** It is needed sooner than was thought. */
  hurry(clause: string, voice: string): void;
}

export interface RendererOptions {
  clock: Clock;
  /** Takes seconds, in a thread of its own: what is made already is handed out meanwhile. */
  say: (clause: string, voice: string) => Promise<Int16Array>;
  /** Null where nothing is kept on disk. */
  store: SoundStore | null;
  /** Of the weights and of what is made of them: sounds of another version are not used. */
  version: string;
}

export function createRenderer({ clock, say, store, version }: RendererOptions): Renderer {
  const memory = createSoundCache(CACHE);
  const queue = createRenderQueue(MOST_WAITING);
  const jobs = new Map<string, Job>();
  let isBusy = false;
  let askedByCallAt = -Infinity;
  let stopWaiting = (): void => {};

  const keyOf = (clause: string, voice: string) => soundKey(version, voice, clause);

  function join(key: string, job: Job, isStock: boolean, unwanted: AbortSignal | undefined): void {
    job.isStock ||= isStock;
    job.wantedBy += 1;
    unwanted?.addEventListener("abort", () => letGo(key, job), { once: true });
  }

  function letGo(key: string, job: Job): void {
    job.wantedBy -= 1;
    // What is under way is made to its end, and kept: it may be wanted again.
    if (job.wantedBy > 0 || job.isUnderWay || jobs.get(key) !== job) return;
    jobs.delete(key);
    queue.drop(key);
    job.result.reject(new Error("Nobody wants to hear this clause any more."));
  }

  /** One at a time, and on a turn of its own: whoever asks in the same moment is weighed against the others. */
  function makeNextSoon(): void {
    if (isBusy || queue.size === 0) return;
    isBusy = true;
    stopWaiting();
    clock.after(0, () => {
      const quietForMs = clock.elapsedMs() - askedByCallAt;
      const key = queue.take(quietForMs < QUIET_MS ? "due" : "stock");
      if (key !== null) void make(key);
      else {
        isBusy = false;
        if (queue.size > 0) stopWaiting = clock.after(QUIET_MS - quietForMs, makeNextSoon);
      }
    });
  }

  async function make(key: string): Promise<void> {
    const job = jobs.get(key);
    if (job) job.isUnderWay = true;
    try {
      if (job) finish(key, job, await say(job.text, job.voice));
    } catch (error) {
      jobs.delete(key);
      job?.result.reject(error);
    } finally {
      isBusy = false;
      makeNextSoon();
    }
  }

  function finish(key: string, job: Job, samples: Int16Array): void {
    jobs.delete(key);
    memory.set(key, samples);
    job.result.resolve(samples);
    // Last: a full disk costs nobody the sound.
    if (job.isStock) store?.put(key, samples);
  }

  return {
    render(clause, voice, urgency, unwanted) {
      const key = keyOf(clause, voice);
      const isStock = urgency === "stock";
      if (urgency === "live" || urgency === "next") askedByCallAt = clock.elapsedMs();
      const known = shelved(memory, store, key, isStock);
      if (known) return Promise.resolve(known);
      let job = jobs.get(key);
      if (!job?.isUnderWay && !queue.want(key, urgency)) {
        return Promise.reject(new Error(TOO_MUCH));
      }
      job ??= { text: clause, voice, isStock, isUnderWay: false, result: Promise.withResolvers(), wantedBy: 0 };
      jobs.set(key, job);
      join(key, job, isStock, unwanted);
      makeNextSoon();
      return job.result.promise;
    },
    hurry(clause, voice) {
      const key = keyOf(clause, voice);
      if (jobs.get(key)?.isUnderWay === false) queue.want(key, "live");
    },
  };
}

function shelved(memory: SoundCache, store: SoundStore | null, key: string, isStock: boolean): Int16Array | null {
  const inMemory = memory.get(key);
  const known = inMemory ?? store?.get(key) ?? null;
  if (known && !inMemory) memory.set(key, known);
  // Made for a call before, and only now known to be stock.
  if (inMemory && isStock && store && !store.get(key)) store.put(key, inMemory);
  return known;
}
