// Incomplete bodies: each operation with a body must time out and say so.
import { connect } from "node:net";
import { seedOf } from "./draw.ts";
import type { Answer } from "./exchange.ts";
import { placeAt } from "./lanes.ts";
import { Pool } from "./pool.ts";
import { addressOf, headersOf } from "./request.ts";
import type { Session } from "./session.ts";
import { validRequest } from "./valid-request.ts";

const LANE = 4_000;
/** Announced but never sent. */
const MISSING_BYTES = 10;

export async function runSlowBodies(session: Session, seed: number): Promise<void> {
  const { world } = session;
  if (world.bodySeconds === null) return;
  const [organisation] = world.organisations;
  const pool = new Pool(organisation.seeds);
  const taking = world.operations.filter(({ body }) => body !== null);
  await Promise.all(
    taking.map((operation, at) => {
      const request = validRequest(placeAt(world, organisation, pool, operation, seedOf(seed, LANE, at)));
      const only = { statuses: [408], why: "the body never came to its end" };
      return session.run({ kind: "a slow body", request, only }, organisation, null, () =>
        halfSent(world.url, operation.method, addressOf(request), headersOf(request)),
      );
    }),
  );
}

/** The server's response before it closes the connection. */
async function halfSent(
  url: string,
  method: string,
  address: string,
  headers: Record<string, string>,
): Promise<Answer> {
  const { hostname, port } = new URL(url);
  const lines = Object.entries({
    host: `${hostname}:${port}`,
    ...headers,
    "content-length": String(MISSING_BYTES + 1),
  });
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const socket = connect({ host: hostname, port: Number(port) });
  let received = "";
  socket.on("data", (chunk: Buffer) => (received += chunk.toString("utf8")));
  socket.on("error", reject);
  socket.on("end", () => socket.end());
  socket.on("close", () => resolve(received));
  socket.write(
    `${method} ${address} HTTP/1.1\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join("")}\r\n{`,
  );
  return answerIn(await promise);
}

function answerIn(received: string): Answer {
  const [head = "", text = ""] = received.split("\r\n\r\n", 2);
  const [statusLine = "", ...lines] = head.split("\r\n");
  const headers = new Headers(
    lines.map((line): [string, string] => [line.slice(0, line.indexOf(":")), line.slice(line.indexOf(":") + 1).trim()]),
  );
  return { status: Number(statusLine.split(" ")[1]), headers, text, json: JSON.parse(text) as unknown };
}
