// LRU cache of synthesised sentences. Menus and dates repeat on every call; names do not and are evicted.

export interface SoundCache {
  get(sentence: string): Int16Array | undefined;
  set(sentence: string, samples: Int16Array): void;
}

export function createSoundCache(limits: { mostSentences: number; mostBytes: number }): SoundCache {
  /** A Map keeps the order of last use. */
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
