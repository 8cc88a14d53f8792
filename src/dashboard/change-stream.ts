// One browser's change stream, with a bounded queue. A slow reader gets a message that it missed changes, and a reader
// that does not read at all is disconnected.
import { MINUTE_MS, SECOND_MS } from "../core/clock.ts";
import type { Listener } from "./stream-limits.ts";

export interface ChangeStream extends Listener {
  readonly body: ReadableStream<Uint8Array>;
  /** All streams of an organisation get the same bytes. `missed` replaces messages that do not fit the queue. */
  offer(message: Uint8Array): void;
  /** Called at each poll, with or without changes; `passedMs` is the time since the previous poll. */
  tend(passedMs: number): void;
  /** `farewell` is sent if the queue has room for it. */
  end(farewell?: Uint8Array): void;
}

export interface ChangeStreamOptions extends Listener {
  hello: Uint8Array;
  /** Created when it is sent, with the position at that time. */
  missed: () => Uint8Array;
  stillHere: () => Uint8Array;
  ended: (stream: ChangeStream) => void;
}

const KEEP_ALIVE_MS = 15 * SECOND_MS;
/** The browser reconnects by itself if the page is still open. */
const LONGEST_UNREAD_MS = MINUTE_MS;
/** Queued for the reader, in addition to the socket buffer. A message is 20 kB at most. */
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
