// Server side of the posting thread: answers each request by its number.
import { othersFirst, systemClock } from "../../core/clock.ts";
import { createSafePost, type SafePost } from "./safe-post.ts";
import { unpacked, type FromPostWorker, type NumberedResult, type ToPostWorker } from "./thread-protocol.ts";
import { WaitingLines } from "./waiting-line.ts";

export function servePosts(send: (message: FromPostWorker) => void): (message: ToPostWorker) => void {
  let safePost: SafePost | null = null;
  let results: NumberedResult[] = [];

  async function sendSoon(): Promise<void> {
    await othersFirst();
    const together = results;
    results = [];
    send(together);
  }

  const lines = new WaitingLines({
    clock: systemClock,
    begin(request) {
      if (!safePost) throw new Error("The thread received a request before its allow list.");
      return safePost.post(request);
    },
    ended({ number }, result) {
      if (results.push({ ...result, number }) === 1) void sendSoon();
    },
  });

  return (message) => {
    if (message.type === "options") {
      safePost = createSafePost(message.options);
      send([]);
    } else for (const post of [...unpacked(message.packed), ...message.posts]) lines.take(post);
  };
}
