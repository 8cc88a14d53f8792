// The SIP worker as the main thread sees it: messages both ways, and its end. A test puts its own in place.
import type { FromWorker, ToWorker } from "../protocol.ts";

export interface WorkerPort {
  post(message: ToWorker): void;
  onMessage(listener: (message: FromWorker) => void): void;
  /** Once, whether it threw, exited or was terminated. */
  onEnd(listener: (reason: string) => void): void;
  /** At once, and even out of an endless loop. Its sockets are free a moment later. */
  terminate(): void;
}
