// A system that receives HL7 over MLLP: keeps the messages and acknowledges them.
import { parseMessage, type Message } from "../../src/exchange/hl7/message/message.ts";
import { createFraming, framed } from "../../src/exchange/hl7/mllp.ts";

export interface MllpReceiver {
  readonly port: number;
  readonly got: Message[];
  /** MSA-1 of the next answers; null closes the connection instead. */
  answer: string | null;
  stop(): void;
}

export function startMllpReceiver(): MllpReceiver {
  const framings = new WeakMap<object, ReturnType<typeof createFraming>>();
  const server = Bun.listen({
    hostname: "127.0.0.1",
    port: 0,
    socket: {
      open: (socket) => void framings.set(socket, createFraming(100_000)),
      data(socket, bytes) {
        for (const each of framings.get(socket)?.take(bytes) ?? []) {
          if (each.kind !== "message") continue;
          const message = parseMessage(each.bytes);
          made.got.push(message);
          const outcome = `MSA|${made.answer}|${message.at("MSH-10")}|so\r`;
          if (made.answer === null) socket.terminate();
          else socket.write(framed(Buffer.from(`MSH|^~\\&|HIS|MAIN|||||ACK|1|P|2.5\r${outcome}`)));
        }
      },
      error() {},
    },
  });
  const made: MllpReceiver = { port: server.port, got: [], answer: "AA", stop: () => server.stop(true) };
  return made;
}
