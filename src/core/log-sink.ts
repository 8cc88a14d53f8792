// Where log lines go: one write for all lines of a turn of the event loop. The reader may be gone, slow, or without
// room: then lines are lost and counted, and nothing waits for them. When it works again, a line says how many there
// were.
import { messageOf } from "./errors.ts";
import type { LogLevel } from "./logger.ts";

/** What of a writable stream is needed: it never blocks, and calls back when the text has left or could not. */
export interface LineStream {
  write(text: string, done: (error?: Error | null) => void): unknown;
  on(event: "error", listener: (error: Error) => void): unknown;
}

export interface LogSink {
  /** Errors are handed on at once: the process may be about to end. */
  writeLine(line: string, level?: LogLevel): void;
  /** Hands on what was written in this turn. */
  flush(): void;
  /** Resolves when every line has left or is lost. With a reader that does not read, that may be never. */
  drained(): Promise<void>;
  /** Lines lost since the start. */
  lostLines(): number;
  /** For a person, from the first line that is lost until the log itself has told the loss. */
  note(): string | null;
}

/** About 4,000 lines: a reader that was busy for a moment loses nothing. */
export const MOST_WAITING_BYTES = 1024 * 1024;

/** More than this in one turn is handed on without waiting for its end. */
const MOST_IN_A_WRITE_BYTES = 64 * 1024;

export function createLogSink(
  stream: LineStream,
  lossLine: (lost: number) => string,
  /** Calls back at the end of the turn. */
  afterTurn: (flush: () => void) => void = (flush) => void setImmediate(flush),
): LogSink {
  let turn: string[] = [];
  let turnBytes = 0;
  let waitingBytes = 0;
  let lost = 0;
  let untold = 0;
  let reason = "";
  /** A line that was cut off is ended before the next one, so that that one can be read. */
  let isLineOpen = false;
  const waitingForEnd: (() => void)[] = [];

  // Without a listener the stream's error would end the process. The loss itself is told to the callback of each line.
  stream.on("error", () => {});

  function lose(lines: number, why: string): void {
    lost += lines;
    untold += lines;
    reason = why;
  }

  function flush(): void {
    if (turn.length === 0) return;
    const lines = turn.length;
    const text = `${isLineOpen ? "\n" : ""}${turn.join("\n")}\n`;
    turn = [];
    turnBytes = 0;
    send(text, hasLeft, (why) => {
      // How many of them left is not known.
      isLineOpen = true;
      lose(lines, why);
    });
  }

  function send(text: string, left: () => void, failed: (why: string) => void): void {
    const bytes = Buffer.byteLength(text);
    waitingBytes += bytes;
    stream.write(text, (error) => {
      waitingBytes -= bytes;
      if (error) failed(codeOf(error));
      else left();
      if (waitingBytes === 0) for (const resolve of waitingForEnd.splice(0)) resolve();
    });
  }

  function tellLoss(): void {
    if (untold === 0) return;
    const told = untold;
    untold = 0;
    send(
      `${lossLine(told)}\n`,
      () => {},
      () => (untold += told),
    );
  }

  return {
    writeLine(line, level) {
      if (waitingBytes + turnBytes + line.length > MOST_WAITING_BYTES) {
        lose(1, "the log is not read fast enough");
        return;
      }
      turnBytes += line.length + 1;
      // Where others have left before, it finds nothing, or what came since.
      if (turn.push(line) === 1) afterTurn(flush);
      if (level === "error" || turnBytes > MOST_IN_A_WRITE_BYTES) flush();
    },
    flush,
    drained() {
      flush();
      return waitingBytes === 0 ? Promise.resolve() : new Promise((resolve) => waitingForEnd.push(resolve));
    },
    lostLines: () => lost,
    note() {
      return untold === 0 ? null : `${lost} log lines were lost since the start. Why the last one was: ${reason}.`;
    },
  };

  function hasLeft(): void {
    isLineOpen = false;
    tellLoss();
  }
}

function codeOf(error: Error): string {
  return "code" in error && typeof error.code === "string" ? error.code : messageOf(error);
}
