// Messages between the main thread and the posting thread.
import type { PostRequest, PostResult, SafePostOptions } from "./safe-post.ts";

export type ThreadOptions = Pick<SafePostOptions, "allow" | "caPem" | "proxyUrl">;

export type NumberedPost = PostRequest & { number: number };

/** Flat, because the runtime copies flat objects between threads in half the time. */
export type NumberedResult = PostResult & { number: number };

/** Posts of one event-loop turn share one message, because a message costs as much as a small post. */
export type ToPostWorker =
  | { type: "options"; options: ThreadOptions }
  /** Deliveries are packed; `posts` contains the others. */
  | { type: "posts"; posts: NumberedPost[]; packed: Packed };

/** Deliveries as one flat list of texts and numbers. The runtime copies it in a third of the time of nested objects. */
export type Packed = (string | number | null)[];

/** Fields of a delivery in a packed list. */
type Fields = [
  number: number,
  url: string,
  body: string,
  timeoutMs: number,
  line: string | null,
  atOnce: number | null,
  eventId: string,
  unixSeconds: number,
  attempts: number,
  secret: string | null,
  previousSecret: string | null,
];
const FIELDS = 11;

/** Returns false if it is not a delivery with a text body; then nothing was packed. */
export function pack(post: NumberedPost, into: Packed): boolean {
  if (!("toSign" in post) || typeof post.body !== "string") return false;
  const { eventId, unixSeconds, attempts, secrets } = post.toSign;
  const fields: Fields = [
    post.number,
    post.url,
    post.body,
    post.timeoutMs,
    post.line ?? null,
    post.atOnce ?? null,
    eventId,
    unixSeconds,
    attempts,
    secrets?.current ?? null,
    secrets?.previous ?? null,
  ];
  into.push(...fields);
  return true;
}

export function unpacked(list: Packed): NumberedPost[] {
  return Array.from({ length: list.length / FIELDS }, (_, i) => {
    const fields = list.slice(i * FIELDS, (i + 1) * FIELDS) as Fields;
    const [number, url, body, timeoutMs, line, atOnce, eventId, unixSeconds, attempts, current, previous] = fields;
    const secrets = current === null ? null : { current, previous };
    const toSign = { eventId, unixSeconds, attempts, secrets };
    return { number, url, body, timeoutMs, toSign, ...(line !== null && { line }), ...(atOnce !== null && { atOnce }) };
  });
}

/** The first message is empty: the thread is ready. */
export type FromPostWorker = NumberedResult[];
