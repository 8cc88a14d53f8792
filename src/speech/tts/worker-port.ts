// The voice's worker as the main thread sees it. A test puts its own in place.

export interface ToVoiceWorker {
  id: number;
  sentence: string;
}

/** One for each sentence. `error` holds none of its words. */
export type FromVoiceWorker = { id: number; samples: Int16Array<ArrayBuffer> } | { id: number; error: string };

export interface VoiceWorker {
  post(message: ToVoiceWorker): void;
  onMessage(listener: (message: FromVoiceWorker) => void): void;
  /** Once, whether it threw, exited or was terminated. */
  onEnd(listener: (reason: string) => void): void;
  terminate(): void;
}
