// One browser's stream of changes. It holds a few messages at most: a reader that is slower than the changes is told
// that it missed some, and one that does not read at all is let go.
import { MINUTE_MS, SECOND_MS } from "../core/clock.ts";
import type { Listener } from "./stream-limits.ts";

export interface ChangeStream extends Listener {
  readonly body: ReadableStream<Uint8Array>;
  /** The same bytes for everybody of an organisation; what does not fit is made up for by `missed`. */
  offer(message: Uint8Array): void;
  /** At each look, whether anything changed or not; `passedMs` since the one before. */
  tend(passedMs: number): void;
  /** `farewell` is sent where there is room for it. */
  end(farewell?: Uint8Array): void;
}

export interface ChangeStreamOptions extends Listener {
  hello: Uint8Array;
  /** Made when it is sent, with the position of that moment. */
  missed: () => Uint8Array;
  stillHere: () => Uint8Array;
  ended: (stream: ChangeStream) => void;
}

const KEEP_ALIVE_MS = 15 * SECOND_MS;
/** It comes back by itself where somebody is there. */
const LONGEST_UNREAD_MS = MINUTE_MS;
/** Waiting for the reader, beside what the socket holds; a message is 20 kB at most. */
const MOST_UNREAD_MESSAGES = 4;

export function openChangeStream(options: ChangeStreamOptions): ChangeStream {
  const { hello, missed, stillHere, ended, ...listener } = options;
  let controller: ReadableStreamDefaultController<Uint8Array> | null = null;
  let hasMissed = false;
  let unreadForMs = 0;
  let silentForMs = 0;

  const hasRoom = () => (controller?.desiredSize ?? 0) > 0;
  const send = (message: Uint8Array) => {
    controller?.enqueue(message);
    silentForMs = 0;
  };

  const stream: ChangeStream = {
    ...listener,
    body: new ReadableStream<Uint8Array>(
      {
        start(started) {
          controller = started;
          send(hello);
        },
        pull() {
          unreadForMs = 0;
          if (!hasMissed) return;
          hasMissed = false;
          send(missed());
        },
        cancel() {
          controller = null;
          ended(stream);
        },
      },
      { highWaterMark: MOST_UNREAD_MESSAGES },
    ),
    offer(message) {
      if (hasRoom()) send(message);
      else hasMissed = true;
    },
    tend(passedMs) {
      silentForMs += passedMs;
      unreadForMs = hasRoom() ? 0 : unreadForMs + passedMs;
      if (unreadForMs >= LONGEST_UNREAD_MS) stream.end();
      else if (silentForMs >= KEEP_ALIVE_MS && hasRoom()) send(stillHere());
    },
    end(farewell) {
      if (!controller) return;
      if (farewell && hasRoom()) send(farewell);
      controller.close();
      controller = null;
      ended(stream);
    },
  };
  return stream;
}
