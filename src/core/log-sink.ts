// Log output: one write for all lines of an event loop turn. If the reader is gone, slow or out of space, lines are
// dropped and counted, and nothing waits for them. When writing works again, a line reports the number lost.
import { messageOf } from "./errors.ts";
import type { LogLevel } from "./logger.ts";

/** The required part of a writable stream: it never blocks, and calls back when the text was written or failed. */
export interface LineStream {
  write(text: string, done: (error?: Error | null) => void): unknown;
  on(event: "error", listener: (error: Error) => void): unknown;
}

export interface LogSink {
  /** Errors are written immediately, because the process may be about to exit. */
  writeLine(line: string, level?: LogLevel): void;
  /** Writes the lines of this turn. */
  flush(): void;
  /** Resolves when every line is written or lost. It may never resolve if the reader does not read. */
  drained(): Promise<void>;
  /** Lines lost since the start. */
  lostLines(): number;
  /** A message for the operator, from the first lost line until the log itself has reported the loss. */
  note(): string | null;
}

/** About 4,000 lines: a reader that is briefly busy loses nothing. */
export const MOST_WAITING_BYTES = 1024 * 1024;

/** More than this in one turn is written before the turn ends. */
const MOST_IN_A_WRITE_BYTES = 64 * 1024;

export function createLogSink(
  stream: LineStream,
  lossLine: (lost: number) => string,
  /** Calls back at the end of the event loop turn. */
  afterTurn: (flush: () => void) => void = (flush) => void setImmediate(flush),
): LogSink {
  let turn: string[] = [];
  let turnBytes = 0;
  let waitingBytes = 0;
  let lost = 0;
  let untold = 0;
  let reason = "";
  /** A truncated line is terminated before the next one, so the next one stays readable. */
  let isLineOpen = false;
  const waitingForEnd: (() => void)[] = [];

  // Without a listener, a stream error would end the process. The callback of each write reports the loss.
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
      // The number of lines that were written is unknown.
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
      // After an earlier flush in this turn, it finds nothing or only newer lines.
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
