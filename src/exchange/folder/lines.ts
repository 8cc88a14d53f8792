// Parses the lines of a read file one by one: all at once would block the serving thread.
const LINE_FEED = 0x0a;

export function* linesIn<Line>(bytes: Uint8Array): Generator<Line, void> {
  const decoder = new TextDecoder();
  for (let from = 0; from < bytes.length;) {
    const end = bytes.indexOf(LINE_FEED, from);
    const to = end === -1 ? bytes.length : end;
    yield JSON.parse(decoder.decode(bytes.subarray(from, to))) as Line;
    from = to + 1;
  }
}
