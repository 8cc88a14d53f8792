// The CMU Pronouncing Dictionary: 125,000 English words, found by binary search in the file's bytes. A Map would take
// 20 MB and 100 ms at every start.

const NEW_LINE = 0x0a;
const SPACE = 0x20;

/** ARPAbet sounds, vowels with stress: `SH AA1 R M AH0`. */
export type Sounds = readonly string[];

/** `words`: one word with its sounds per row, in byte order. */
export function createDictionary(words: Uint8Array): (word: string) => Sounds | null {
  /** Negative if the row at this offset sorts before the word. */
  function compare(lineAt: number, word: string): number {
    for (let i = 0; i <= word.length; i++) {
      const there = words[lineAt + i] ?? NEW_LINE;
      const wanted = i === word.length ? SPACE : word.charCodeAt(i);
      if (there !== wanted) return there - wanted;
    }
    return 0;
  }

  function lineStart(at: number): number {
    let start = at;
    while (start > 0 && words[start - 1] !== NEW_LINE) start--;
    return start;
  }

  function soundsAt(lineAt: number, word: string): Sounds {
    const end = words.indexOf(NEW_LINE, lineAt);
    return new TextDecoder().decode(words.subarray(lineAt + word.length + 1, end)).split(" ");
  }

  return (word) => {
    let from = 0;
    let to = words.length;
    while (from < to) {
      const lineAt = lineStart((from + to) >> 1);
      const order = compare(lineAt, word);
      if (order === 0) return soundsAt(lineAt, word);
      if (order > 0) to = lineAt;
      else from = words.indexOf(NEW_LINE, lineAt) + 1;
    }
    return null;
  };
}
