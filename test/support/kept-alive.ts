// One keep-alive connection with hand-written requests, malformed ones included.
import { connect, type Socket } from "node:net";

export interface KeptAlive {
  /** The status; null where the server closed the connection instead of answering. */
  ask(request: string): Promise<number | null>;
  close(): void;
}

export function openKeptAlive(port: number): KeptAlive {
  let socket: Socket | undefined;
  let received: Buffer = Buffer.alloc(0);
  let isOver = true;
  let heard: () => void = () => {};

  function open(): Socket {
    const fresh = connect({ host: "127.0.0.1", port });
    received = Buffer.alloc(0);
    isOver = false;
    fresh.on("data", (chunk: Buffer) => {
      received = received.length === 0 ? chunk : Buffer.concat([received, chunk]);
      heard();
    });
    // How it ended does not matter here; "close" follows.
    fresh.on("error", () => {});
    fresh.on("close", () => {
      isOver = true;
      heard();
    });
    return fresh;
  }

  return {
    async ask(request) {
      if (isOver) socket = open();
      socket?.write(request, "latin1");
      for (;;) {
        const answer = wholeAnswer(received, request.startsWith("HEAD "));
        if (answer) {
          received = received.subarray(answer.length);
          if (answer.isLast) isOver = true;
          return answer.status;
        }
        if (isOver) return null;
        const { promise, resolve } = Promise.withResolvers<void>();
        heard = resolve;
        await promise;
      }
    },
    close: () => void socket?.destroy(),
  };
}

function wholeAnswer(received: Buffer, isHead: boolean): { status: number; length: number; isLast: boolean } | null {
  const headEnd = received.indexOf("\r\n\r\n");
  if (headEnd === -1) return null;
  const head = received.subarray(0, headEnd).toString("latin1");
  const status = Number(head.split(" ", 2)[1]);
  const isLast = /^connection: close/im.test(head);
  if (isHead) return { status, length: headEnd + 4, isLast };
  if (/^transfer-encoding: chunked/im.test(head)) {
    const last = received.indexOf("0\r\n\r\n", headEnd);
    return last === -1 ? null : { status, length: last + 5, isLast };
  }
  const length = headEnd + 4 + Number(/^content-length: (\d+)/im.exec(head)?.[1] ?? 0);
  return received.length < length ? null : { status, length, isLast };
}
