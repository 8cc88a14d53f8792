// A thread of ours as the one that started it sees it: messages both ways, and its end. A test puts its own in place.

export interface WorkerPort<To, From> {
  post(message: To, transfer?: readonly Transferable[]): void;
  onMessage(listener: (message: From) => void): void;
  /** Once, whether it threw, exited or was terminated. */
  onEnd(listener: (reason: string) => void): void;
  /** At once, and even out of an endless loop. Its sockets are free a moment later. */
  terminate(): void;
}
