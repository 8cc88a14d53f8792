// The side of the thread that posts: every request is answered by its number.
import { othersFirst } from "../../core/clock.ts";
import { createSafePost, type SafePost } from "./safe-post.ts";
import type { FromPostWorker, NumberedPost, NumberedResult, ToPostWorker } from "./thread-protocol.ts";

export function servePosts(send: (message: FromPostWorker) => void): (message: ToPostWorker) => void {
  let safePost: SafePost | null = null;
  let results: NumberedResult[] = [];

  async function sendSoon(): Promise<void> {
    await othersFirst();
    const together = results;
    results = [];
    send({ results: together });
  }

  async function answer(request: NumberedPost): Promise<void> {
    if (!safePost) throw new Error("The thread was not told what is allowed before it was told to post.");
    const result = await safePost.post(request);
    if (results.push({ number: request.number, result }) === 1) void sendSoon();
  }

  return (message) => {
    if (message.type === "options") {
      safePost = createSafePost(message.options);
      send({ results: [] });
    } else for (const post of message.posts) void answer(post);
  };
}
