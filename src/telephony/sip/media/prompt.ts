// Something to say: 16-bit samples at 8 kHz, whole or still on their way from the voice.

export interface Prompt {
  /** Copies what there is to `into` from index `from` on, and returns how many samples that were. */
  read(into: Int16Array, from: number): number;
  /** Nothing is left, and nothing more will come. */
  readonly isOver: boolean;
}

export function promptOf(samples: Int16Array): Prompt {
  let position = 0;
  return {
    read(into, from) {
      const count = Math.min(into.length - from, samples.length - position);
      for (let i = 0; i < count; i++) into[from + i] = samples[position + i] ?? 0;
      position += count;
      return count;
    },
    get isOver() {
      return position >= samples.length;
    },
  };
}

/** A prompt that plays while it is being made. Where the voice is too slow, the caller hears silence, not the end. */
export interface PromptStream extends Prompt {
  push(samples: Int16Array): void;
  end(): void;
}

export function createPromptStream(): PromptStream {
  const chunks: Prompt[] = [];
  let isEnded = false;
  return {
    read(into, from) {
      let at = from;
      for (let chunk = chunks[0]; chunk && at < into.length; chunk = chunks[0]) {
        at += chunk.read(into, at);
        if (chunk.isOver) chunks.shift();
      }
      return at - from;
    },
    get isOver() {
      return isEnded && chunks.length === 0;
    },
    push(samples) {
      if (isEnded) throw new Error("This prompt has ended; start a new one.");
      if (samples.length > 0) chunks.push(promptOf(samples));
    },
    end() {
      isEnded = true;
    },
  };
}
