// The thread of heavy reads. Its entry point; it ties them to the messages of its thread.
import { setPriority } from "node:os";
import { surviveStrayFaults } from "../../core/last-resort.ts";
import type { ToReadWorker } from "../../db/read-protocol.ts";
import { serveReads } from "../../db/sqlite/read-server.ts";

declare const self: Worker;

/**
 * Linux counts priority by thread: requests and calls come before searches. Elsewhere it would be the whole process.
 */
const NICE = 5;

surviveStrayFaults("read");
if (process.platform === "linux") setPriority(0, NICE);

const serve = serveReads((message) => self.postMessage(message, []));
self.addEventListener("message", ({ data }: MessageEvent<ToReadWorker>) => serve(data));
