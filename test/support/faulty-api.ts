// An API that refuses, breaks off and redirects as a test says, for the clients that the appliance serves.
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export type FaultyAnswer = (request: IncomingMessage, response: ServerResponse) => void;

export interface Asked {
  method: string | undefined;
  key: unknown;
  apiKey: unknown;
}

export interface FaultyApi {
  url: string;
  /** Since the last script. */
  asked: () => readonly Asked[];
  /** The answers to the next requests; then all are answered with `{"data":{"ok":true}}`. */
  script(answers: readonly FaultyAnswer[]): void;
  close(): void;
}

export const done: FaultyAnswer = (_, response) =>
  void response.writeHead(200, { "content-type": "application/json" }).end('{"data":{"ok":true}}');

export const refuse =
  (status: number, headers: Record<string, string> = {}): FaultyAnswer =>
  (_, response) =>
    void response.writeHead(status, headers).end("busy");

export const breakOff: FaultyAnswer = (request) => void request.socket.destroy();

export async function startFaultyApi(): Promise<FaultyApi> {
  let answers: FaultyAnswer[] = [];
  let asked: Asked[] = [];
  const server = createServer((request, response) => {
    const { method, headers } = request;
    asked.push({ method, key: headers["idempotency-key"], apiKey: headers["x-api-key"] });
    request.resume().on("end", () => (answers.shift() ?? done)(request, response));
  });
  await new Promise<void>((ready) => void server.listen(0, "127.0.0.1", ready));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked: () => asked,
    script(given) {
      answers = [...given];
      asked = [];
    },
    close: () => void server.close(),
  };
}
