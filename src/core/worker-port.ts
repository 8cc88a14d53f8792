// Handle for a worker thread: messages in both directions, and its end. Tests substitute their own.

export interface WorkerPort<To, From> {
  post(message: To, transfer?: readonly Transferable[]): void;
  onMessage(listener: (message: From) => void): void;
  /** Called once, whether the worker threw, exited or was terminated. */
  onEnd(listener: (reason: string) => void): void;
  /** Immediate, even out of an endless loop. Its sockets are released a moment later. */
  terminate(): void;
}
