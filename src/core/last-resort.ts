// What no other code catches: a rejection or an exception ends the work that it came from, and not its thread. Left to
// itself, Bun ends the thread, and with the main thread the process.
import { BroadcastChannel } from "node:worker_threads";
import { faultFields } from "./fault-fields.ts";
import type { Logger, LogFields } from "./logger.ts";

/** Every thread of this process can speak here, whatever else it says to the one that started it. */
const CHANNEL = "ringward-stray-faults";

export interface Stray {
  thread: string;
  fields: LogFields;
}

/** For the top of a thread's entry point. */
export function surviveStrayFaults(thread: string): void {
  const channel = openChannel();
  const tell = (stray: Stray) => Reflect.apply(channel.postMessage, channel, [stray]);
  catchAll((error) => tell({ thread, fields: faultFields(error) }));
}

/** For the main thread, which logs its own and those of every other thread. Answers how many there were. */
export function hearStrayFaults(logger: Pick<Logger, "error">): () => number {
  let count = 0;
  const heard = ({ thread, fields }: Stray) => {
    count += 1;
    logger.error("Work failed and nothing caught it; the rest goes on.", { thread, ...fields });
  };
  hearStrays(heard);
  catchAll((error) => heard({ thread: "main", fields: faultFields(error) }));
  return () => count;
}

/** Those of the other threads. */
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
