// Parser for server-sent events (WHATWG HTML, section 9.2.6), independent of chunk boundaries. Keeps only data: chat
// servers use no event names, and send comments as keep-alive.
export interface EventStream {
  /** Data of each event that these bytes complete. */
  push(bytes: Uint8Array): string[];
  /** The last event, if the server omitted the empty line after it. */
  end(): string[];
}

export function createEventStream(): EventStream {
  // Reassembles split characters and drops a leading byte order mark.
  const decoder = new TextDecoder("utf-8");
  let line = "";
  let data: string[] = [];
  let endedInReturn = false;

  const eventsOf = (text: string): string[] => {
    const events: string[] = [];
    let from = 0;
    // A line ends with CR LF, LF or CR; the LF of a pair may come in the next chunk.
    if (endedInReturn && text.startsWith("\n")) from = 1;
    if (text !== "") endedInReturn = text.endsWith("\r");
    const ends = /\r\n|\n|\r/g;
    ends.lastIndex = from;
    for (let match = ends.exec(text); match; match = ends.exec(text)) {
      line += text.slice(from, match.index);
      from = ends.lastIndex;
      if (line === "") {
        if (data.length > 0) events.push(data.join("\n"));
        data = [];
      } else if (/^data(:|$)/.test(line)) {
        data.push(line.slice(5).replace(/^ /, ""));
      }
      line = "";
    }
    line += text.slice(from);
    return events;
  };

  return {
    push: (bytes) => eventsOf(decoder.decode(bytes, { stream: true })),
    end: () => eventsOf(`${decoder.decode()}\n\n`),
  };
}
