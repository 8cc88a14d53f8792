// One browser's change stream, with a bounded queue. A slow reader gets a message that it missed changes, and a reader
// that does not read at all is disconnected.
import { MINUTE_MS } from "../core/clock.ts";
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
  beat: () => Uint8Array;
  ended: (stream: ChangeStream) => void;
}

/** Pages notice a silent stream after 3 seconds; see web/reach.ts. Also keeps proxies from closing the connection. */
const BEAT_MS = 1_500;
/** The browser reconnects by itself if the page is still open. */
const LONGEST_UNREAD_MS = MINUTE_MS;
/** Queued for the reader, in addition to the socket buffer. A message is 20 kB at most. */
const MOST_UNREAD_MESSAGES = 4;

export function openChangeStream(options: ChangeStreamOptions): ChangeStream {
  const { hello, missed, beat, ended, ...listener } = options;
  let controller: ReadableStreamDefaultController<Uint8Array> | null = null;
  let hasMissed = false;
  let unreadForMs = 0;
  let silentForMs = 0;

  const hasRoom = () => (controller?.desiredSize ?? 0) > 0;
  /** A beat shows nothing new to a reader that has messages to read. */
  const isAllRead = () => controller?.desiredSize === MOST_UNREAD_MESSAGES;
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
      else if (silentForMs >= BEAT_MS && isAllRead()) send(beat());
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
