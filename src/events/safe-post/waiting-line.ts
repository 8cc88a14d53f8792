// Queue of posts handed over before a place is free, so the posting thread has work while the main thread is busy.
// Waits are short, because a delivery erased or held in the meantime must not be sent later.
import type { Clock } from "../../core/clock.ts";
import type { PostResult } from "./safe-post.ts";
import type { NumberedPost } from "./thread-protocol.ts";

/** After this time a post is returned as not begun. */
export const LONGEST_WAIT_MS = 200;

const NOT_BEGUN: PostResult = {
  kind: "not_begun",
  detail: "No connection became free in time.",
  durationMs: LONGEST_WAIT_MS,
};

export interface LineDeps {
  clock: Pick<Clock, "after" | "elapsedMs">;
  /** Never rejects. */
  begin(post: NumberedPost): Promise<PostResult>;
  ended(post: NumberedPost, result: PostResult): void;
}

/** Queue of one endpoint: endpoints with the same URL, perhaps of two organisations, do not wait for each other. */
class Line {
  active = 0;
  readonly waiting: { post: NumberedPost; sinceMs: number }[] = [];
}

export class WaitingLines {
  readonly #lines = new Map<string, Line>();
  #isLooking = false;

  constructor(private readonly deps: LineDeps) {}

  take(post: NumberedPost): void {
    const line = this.#lines.get(keyOf(post)) ?? new Line();
    this.#lines.set(keyOf(post), line);
    if (line.waiting.length === 0 && line.active < (post.atOnce ?? Infinity)) {
      void this.#begin(line, post);
      return;
    }
    line.waiting.push({ post, sinceMs: this.deps.clock.elapsedMs() });
    this.#lookSoon();
  }

  async #begin(line: Line, post: NumberedPost): Promise<void> {
    line.active += 1;
    const result = await this.deps.begin(post);
    line.active -= 1;
    this.deps.ended(post, result);
    if (isOverloaded(result)) this.#giveBack(line, line.waiting.length);
    else this.#beginNext(line);
    if (line.active === 0 && line.waiting.length === 0) this.#lines.delete(keyOf(post));
  }

  #beginNext(line: Line): void {
    const [next] = line.waiting;
    if (!next || line.active >= (next.post.atOnce ?? Infinity)) return;
    line.waiting.shift();
    void this.#begin(line, next.post);
  }

  /** One timer for all waiting posts, and none while the queue is empty. */
  #lookSoon(): void {
    if (this.#isLooking) return;
    this.#isLooking = true;
    this.deps.clock.after(LONGEST_WAIT_MS, () => this.#look());
  }

  #look(): void {
    this.#isLooking = false;
    const longest = this.deps.clock.elapsedMs() - LONGEST_WAIT_MS;
    for (const line of this.#lines.values()) {
      const inTime = line.waiting.findIndex(({ sinceMs }) => sinceMs > longest);
      this.#giveBack(line, inTime === -1 ? line.waiting.length : inTime);
      if (line.waiting.length > 0) this.#lookSoon();
    }
  }

  #giveBack(line: Line, count: number): void {
    for (const { post } of line.waiting.splice(0, count)) this.deps.ended(post, NOT_BEGUN);
  }
}

const keyOf = ({ line, url }: NumberedPost): string => line ?? url;

/** Queued posts are not sent to a receiver that asks for a pause. */
const isOverloaded = (result: PostResult): boolean =>
  result.kind === "timeout" || (result.kind === "answered" && (result.status === 429 || result.status === 503));
