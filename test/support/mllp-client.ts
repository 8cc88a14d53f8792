// A plain MLLP sender: sends bytes as told and collects the answers.
import { parseMessage, type Message } from "../../src/exchange/hl7/message/message.ts";
import { createFraming, framed } from "../../src/exchange/hl7/mllp.ts";
import { until } from "./until.ts";

export interface MllpClient {
  answers: Message[];
  isClosed: boolean;
  raw(bytes: Uint8Array): void;
  /** Sends a message and waits for the answer to it. */
  ask(message: string | Uint8Array): Promise<Message>;
  close(): void;
}

export interface ClientTls {
  ca: string;
  cert?: string;
  key?: string;
}

export async function connectMllp(port: number, tls: ClientTls | null = null): Promise<MllpClient> {
  const framing = createFraming(1_000_000);
  let unsent: Buffer = Buffer.alloc(0);
  const ready = Promise.withResolvers<void>();
  const flush = () => {
    unsent = unsent.subarray(Math.max(0, socket.write(unsent)));
  };
  const client: MllpClient = {
    answers: [],
    isClosed: false,
    raw(bytes) {
      unsent = Buffer.concat([unsent, bytes]);
      flush();
    },
    async ask(message) {
      const count = client.answers.length;
      client.raw(framed(typeof message === "string" ? Buffer.from(message, "utf8") : message));
      await until(() => client.answers.length > count || client.isClosed, { withinMs: 20_000 });
      const answer = client.answers[count];
      if (!answer) throw new Error("The connection was closed without an answer.");
      return answer;
    },
    close: () => void socket.end(),
  };
  const socket = await Bun.connect({
    hostname: "127.0.0.1",
    port,
    ...(tls && { tls }),
    socket: {
      open: () => (tls ? undefined : ready.resolve()),
      handshake: () => ready.resolve(),
      data(_socket, bytes) {
        for (const each of framing.take(bytes))
          if (each.kind === "message") client.answers.push(parseMessage(each.bytes));
      },
      drain: flush,
      close() {
        client.isClosed = true;
        ready.resolve();
      },
      error() {},
    },
  });
  await ready.promise;
  return client;
}

/** The port opens shortly after the server answers. */
export const hl7PortOpened = ({ output }: { output: () => string }): Promise<void> =>
  until(() => output().includes("The HL7 port is open."));

/** MSA-1. */
export const codeOf = (answer: Message): string => answer.value(answer.first("MSA"), 1);
/** MSA-2. */
export const controlOf = (answer: Message): string => answer.value(answer.first("MSA"), 2);
/** MSA-3. */
export const reasonOf = (answer: Message): string => answer.value(answer.first("MSA"), 3);
