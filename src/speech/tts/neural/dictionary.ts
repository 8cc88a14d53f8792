// How English words sound, by the dictionary of Carnegie Mellon University: 125,000 of them, looked up in the file's own
// bytes. As a Map they would take 20 MB and a tenth of a second at every start.

const NEW_LINE = 0x0a;
const SPACE = 0x20;

/** Sounds as ARPAbet writes them, vowels with their stress: `SH AA1 R M AH0`. */
export type Sounds = readonly string[];

/** `words`: a word and its sounds on each line, in the order of their bytes. */
export function createDictionary(words: Uint8Array): (word: string) => Sounds | null {
  /** Below zero where the line that begins here comes before the word. */
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
