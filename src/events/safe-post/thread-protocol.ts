// What goes between those who have something to post and the thread that posts it.
import type { PostRequest, PostResult, SafePostOptions } from "./safe-post.ts";

export type ThreadOptions = Pick<SafePostOptions, "allow" | "caPem" | "proxyUrl">;

export type NumberedPost = PostRequest & { number: number };

/** Flat: the runtime copies such objects from thread to thread in half the time. */
export type NumberedResult = PostResult & { number: number };

/** Everything that came up in one turn of the event loop travels together: a message costs as much as a small post. */
export type ToPostWorker = { type: "options"; options: ThreadOptions } | { type: "posts"; posts: NumberedPost[] };

/** The first is empty: the thread is there. */
export type FromPostWorker = NumberedResult[];
