// Writes whole messages to a socket with a limited buffer: the rest waits for `flush`, to be called on drain.

export interface StreamWriter {
  /** False if too much is queued: the other end does not read. */
  add(bytes: Buffer): boolean;
  flush(socket: Pick<Bun.Socket, "write">): void;
  clear(): void;
}

const MOST_WAITING_BYTES = 512 * 1024;

export function createStreamWriter(): StreamWriter {
  let waiting: Buffer[] = [];
  let waitingBytes = 0;
  return {
    add(bytes) {
      if (waitingBytes + bytes.length > MOST_WAITING_BYTES) return false;
      waiting.push(bytes);
      waitingBytes += bytes.length;
      return true;
    },
    flush(socket) {
      for (let next = waiting[0]; next !== undefined; next = waiting[0]) {
        const written = socket.write(next);
        if (written < 0) return;
        waitingBytes -= written;
        if (written < next.length) {
          waiting[0] = next.subarray(written);
          return;
        }
        waiting.shift();
      }
    },
    clear() {
      waiting = [];
      waitingBytes = 0;
    },
  };
}
