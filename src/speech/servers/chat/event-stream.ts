// Takes a stream of server-sent events apart (WHATWG HTML, section 9.2.6), wherever its bytes are cut. Only data is kept:
// chat servers name no events, and send comments to keep the connection open.
export interface EventStream {
  /** The data of every event that these bytes complete. */
  push(bytes: Uint8Array): string[];
  /** The last event, where the server left out the empty line behind it. */
  end(): string[];
}

export function createEventStream(): EventStream {
  // Cut characters are put together again; a byte order mark at the start is dropped.
  const decoder = new TextDecoder("utf-8");
  let line = "";
  let data: string[] = [];
  let endedInReturn = false;

  const eventsOf = (text: string): string[] => {
    const events: string[] = [];
    let from = 0;
    // A line ends with CR LF, LF or CR, and the LF of a pair may come in the next piece.
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
