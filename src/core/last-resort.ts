// Handlers for uncaught errors: an unhandled rejection or exception ends only the work it came from. By default Bun
// ends the thread, and with the main thread the process.
import { BroadcastChannel } from "node:worker_threads";
import { faultFields } from "./fault-fields.ts";
import type { Logger, LogFields } from "./logger.ts";

/** A broadcast channel that every thread of this process can use, independent of its other messages. */
const CHANNEL = "ringward-stray-faults";

export interface Stray {
  thread: string;
  fields: LogFields;
}

/** Call this first in a thread's entry point. */
export function surviveStrayFaults(thread: string): void {
  const channel = openChannel();
  const tell = (stray: Stray) => Reflect.apply(channel.postMessage, channel, [stray]);
  catchAll((error) => tell({ thread, fields: faultFields(error) }));
}

/** For the main thread, which logs its own uncaught errors and those of every other thread. Returns a counter. */
export function hearStrayFaults(logger: Pick<Logger, "error">): () => number {
  let count = 0;
  const heard = ({ thread, fields }: Stray) => {
    count += 1;
    logger.error("An uncaught error ended one task; everything else continues.", { thread, ...fields });
  };
  hearStrays(heard);
  catchAll((error) => heard({ thread: "main", fields: faultFields(error) }));
  return () => count;
}

/** Uncaught errors of the other threads. */
export function hearStrays(heard: (stray: Stray) => void): void {
  openChannel().addEventListener("message", (event) => {
    if ("data" in event) heard(event.data as Stray);
  });
}

function openChannel(): BroadcastChannel {
  const channel = new BroadcastChannel(CHANNEL);
  channel.unref();
  return channel;
}

function catchAll(caught: (error: unknown) => void): void {
  process.on("unhandledRejection", caught);
  process.on("uncaughtException", caught);
}
