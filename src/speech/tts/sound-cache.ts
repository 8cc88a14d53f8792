// The sentences spoken last. Menus and dates come again on every call; names do not and are pushed out.

export interface SoundCache {
  get(sentence: string): Int16Array | undefined;
  set(sentence: string, samples: Int16Array): void;
}

export function createSoundCache(limits: { mostSentences: number; mostBytes: number }): SoundCache {
  /** In the order of their last use: a Map keeps it. */
  const sounds = new Map<string, Int16Array>();
  let bytes = 0;

  function forget(sentence: string): void {
    bytes -= sounds.get(sentence)?.byteLength ?? 0;
    sounds.delete(sentence);
  }

  return {
    get(sentence) {
      const samples = sounds.get(sentence);
      if (!samples) return undefined;
      sounds.delete(sentence);
      sounds.set(sentence, samples);
      return samples;
    },
    set(sentence, samples) {
      forget(sentence);
      sounds.set(sentence, samples);
      bytes += samples.byteLength;
      for (const oldest of sounds.keys()) {
        if (sounds.size <= limits.mostSentences && bytes <= limits.mostBytes) break;
        forget(oldest);
      }
    },
  };
}
