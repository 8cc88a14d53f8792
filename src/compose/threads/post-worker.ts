// Entry point of the posting thread, which sends events to receivers.
import { surviveStrayFaults } from "../../core/last-resort.ts";
import { servePosts } from "../../events/safe-post/thread-server.ts";
import type { ToPostWorker } from "../../events/safe-post/thread-protocol.ts";

declare const self: Worker;

surviveStrayFaults("post");

const serve = servePosts((message) => self.postMessage(message, []));
self.addEventListener("message", ({ data }: MessageEvent<ToPostWorker>) => serve(data));
