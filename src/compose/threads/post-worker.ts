// The thread that posts events to receivers. Its entry point; it ties them to the messages of its thread.
import { surviveStrayFaults } from "../../core/last-resort.ts";
import { servePosts } from "../../events/safe-post/thread-server.ts";
import type { ToPostWorker } from "../../events/safe-post/thread-protocol.ts";

declare const self: Worker;

surviveStrayFaults("post");

const serve = servePosts((message) => self.postMessage(message, []));
self.addEventListener("message", ({ data }: MessageEvent<ToPostWorker>) => serve(data));
