// A voice that turns text into sound on this machine.

export interface Voice {
  /** Whether it can speak this BCP 47 language. */
  speaks(language: string): boolean;
  /** 16-bit samples at 8 kHz. Rejects where it cannot. */
  speak(text: string): Promise<Int16Array<ArrayBuffer>>;
  stop(): Promise<void>;
}
