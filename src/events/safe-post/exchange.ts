// One HTTP/1.1 request and its answer over an open connection.
import type { TLSSocket } from "node:tls";
import type { Deadline } from "./deadline.ts";
import { codeOf, PostFailure } from "./failure.ts";
import { createResponseReader, type Answer } from "./response-reader.ts";
import type { Target } from "./url-check.ts";

/** The connection ended before a single byte of the answer. On one that had been waiting, the receiver had likely left. */
export class NoAnswer extends PostFailure {
  override name = "NoAnswer";
}

const HEADER_NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
const HEADER_VALUE = /^[\t\x20-\x7e\x80-\xff]*$/;
/** Ours alone: with any of these the caller could change where the request ends or whom it is for. */
const OUR_HEADERS = new Set([
  "host",
  "content-length",
  "transfer-encoding",
  "connection",
  "accept-encoding",
  "expect",
  "upgrade",
  "te",
  "trailer",
]);

export function requestBytes(target: Target, headers: Readonly<Record<string, string>>, body: Uint8Array): Buffer {
  const lines = Object.entries(headers).map(([name, value]) => {
    if (!HEADER_NAME.test(name) || OUR_HEADERS.has(name.toLowerCase()))
      throw new PostFailure("our_fault", `The header "${name}" cannot be set.`);
    if (!HEADER_VALUE.test(value))
      throw new PostFailure("our_fault", `The value of the header "${name}" cannot be sent.`);
    return `${name}: ${value}`;
  });
  const head = [
    `POST ${target.path} HTTP/1.1`,
    `Host: ${target.authority}`,
    ...lines,
    "Accept-Encoding: identity",
    `Content-Length: ${body.length}`,
  ];
  return Buffer.concat([Buffer.from(`${head.join("\r\n")}\r\n\r\n`, "latin1"), body]);
}

/** The socket is destroyed unless the answer is reusable. */
export function exchange(socket: TLSSocket, request: Buffer, deadline: Deadline): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const reader = createResponseReader();
    let hasAnswered = false;

    const end = (outcome: Answer | PostFailure) => {
      cancelDeadline();
      socket.off("data", onData).off("error", onError).off("end", onClose).off("close", onClose);
      if (outcome instanceof PostFailure) {
        socket.destroy();
        reject(outcome);
        return;
      }
      // A receiver that answers before it has read the request leaves the connection in the middle of it.
      const isReusable = outcome.isReusable && socket.writableLength === 0;
      if (!isReusable) socket.destroy();
      resolve({ ...outcome, isReusable });
    };
    const cut = (how: string) =>
      hasAnswered
        ? new PostFailure("unreachable", `The connection ${how} in the middle of the answer.`)
        : new NoAnswer("unreachable", `The connection ${how} before an answer.`);

    const onData = (bytes: Buffer) => {
      hasAnswered = true;
      try {
        const answer = reader.push(bytes);
        if (answer) end(answer);
      } catch (error) {
        end(error instanceof PostFailure ? error : new PostFailure("our_fault", String(error)));
      }
    };
    const onError = (error: Error) => end(cut(`failed (${codeOf(error)})`));
    const onClose = () => end(reader.close() ?? cut("was closed"));
    const cancelDeadline = deadline.onPassed(() =>
      end(new PostFailure("timeout", hasAnswered ? "The answer did not end in time." : "No answer came in time.")),
    );
    socket.on("data", onData).on("error", onError).on("end", onClose).on("close", onClose);
    socket.write(request);
  });
}
