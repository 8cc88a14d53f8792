// Entry point of the reader thread, for heavy reads.
import { setPriority } from "node:os";
import { surviveStrayFaults } from "../../core/last-resort.ts";
import type { ToReadWorker } from "../../db/read-protocol.ts";
import { serveReads } from "../../db/sqlite/read-server.ts";

declare const self: Worker;

/**
 * Linux has a nice value per thread: requests and calls get priority over searches. Elsewhere it would apply to the
 * whole process.
 */
const NICE = 5;

surviveStrayFaults("read");
if (process.platform === "linux") setPriority(0, NICE);

const serve = serveReads((message) => self.postMessage(message, []));
self.addEventListener("message", ({ data }: MessageEvent<ToReadWorker>) => serve(data));
