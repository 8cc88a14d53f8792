// Entry point of the disk thread. It keeps the priority of the process, because responses wait for it.
import { surviveStrayFaults } from "../../core/last-resort.ts";
import type { ToDiskWorker } from "../../db/disk-protocol.ts";
import { serveDisk } from "../../db/sqlite/disk-server.ts";

declare const self: Worker;

surviveStrayFaults("disk");

const serve = serveDisk((message) => self.postMessage(message, []));
self.addEventListener("message", ({ data }: MessageEvent<ToDiskWorker>) => serve(data));
