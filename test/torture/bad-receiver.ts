// A webhook receiver that fails, hangs, drips and lies, over bare TLS so that it can break off in the middle of an
// answer. It logs every complete request.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { dripping } from "../support/pace.ts";
import { createPrivateCa } from "../support/private-ca.ts";
import type { Arrival } from "./evidence.ts";
import type { Chance } from "./seeded.ts";

export const MOODS = ["takes", "fails", "hangs", "drips", "lies", "breaks off", "sends away"] as const;
export type Mood = (typeof MOODS)[number];
/** Those that need no time-out of the appliance to be over. */
export const QUICK_MOODS = MOODS.filter((mood) => mood !== "hangs" && mood !== "drips");

export interface BadReceiver {
  url: string;
  env: Record<string, string>;
  arrivals: Arrival[];
  /** How often it was in which mood. */
  moods: Record<Mood, number>;
  /** From now on it takes everything. */
  heal(): void;
  close(): void;
}

/** An event meets a bad mood so often at most: the appliance gives up after five attempts. */
const MOST_REFUSALS = 2;
/** Each keeps one of the appliance's few deliveries at once waiting for its time-out. */
const MOST_HANGING = 2;
const DRIP_MS = 250;

interface Connection {
  bytes: Buffer;
  /** What ends it, where it hangs or drips. */
  hanging: (() => void) | null;
}

interface Socket {
  data: Connection;
  write(text: string): number;
  end(): void;
  terminate(): void;
}

export function startBadReceiver(folder: string, chance: Chance, inMoods: readonly Mood[] = MOODS): BadReceiver {
  const authority = createPrivateCa();
  const { certPem, keyPem } = authority.issue(["127.0.0.1"]);
  const caFile = join(folder, "receiver-ca.pem");
  writeFileSync(caFile, authority.caPem);
  const refusals = new Map<string, number>();
  const arrivals: Arrival[] = [];
  const moods = Object.fromEntries(MOODS.map((mood) => [mood, 0])) as Record<Mood, number>;
  let hanging = 0;
  let isHealed = false;

  function moodFor(eventId: string): Mood {
    const refused = refusals.get(eventId) ?? 0;
    if (isHealed || refused >= MOST_REFUSALS || !chance.isBelow(0.3)) return "takes";
    const mood = chance.pick(inMoods);
    if ((mood === "hangs" || mood === "drips") && hanging >= MOST_HANGING) return "takes";
    if (mood !== "takes") refusals.set(eventId, refused + 1);
    return mood;
  }

  function meet(socket: Socket, body: string): void {
    const { event_id: eventId, data } = JSON.parse(body) as {
      event_id: string;
      data: { call_id?: string; sequence?: number };
    };
    const mood = moodFor(eventId);
    moods[mood] += 1;
    if (mood === "hangs" || mood === "drips") hanging += 1;
    const isOfCall = typeof data.sequence === "number";
    arrivals.push({
      eventId,
      callId: isOfCall ? (data.call_id ?? null) : null,
      sequence: data.sequence ?? null,
      said: SAID[mood],
    });
    ACTS[mood](socket);
  }

  const server = Bun.listen<Connection>({
    hostname: "127.0.0.1",
    port: 0,
    tls: { cert: certPem, key: keyPem },
    socket: {
      open(socket) {
        socket.data = { bytes: Buffer.alloc(0), hanging: null };
      },
      data(socket, chunk) {
        socket.data.bytes = Buffer.concat([socket.data.bytes, chunk]);
        for (let body = takeRequest(socket.data); body !== null; body = takeRequest(socket.data)) meet(socket, body);
      },
      close(socket) {
        if (socket.data.hanging === null) return;
        hanging -= 1;
        socket.data.hanging();
      },
      error() {},
    },
  });
  return {
    url: `https://127.0.0.1:${server.port}/hook`,
    env: { RINGWARD_WEBHOOKS__ALLOW_PRIVATE: "127.0.0.1", RINGWARD_WEBHOOKS__CA_FILE: caFile },
    arrivals,
    moods,
    heal: () => void (isHealed = true),
    close: () => server.stop(true),
  };
}

/** The body of the first whole request, which is then gone from what was read; null where there is none yet. */
function takeRequest(connection: Connection): string | null {
  const headEnd = connection.bytes.indexOf("\r\n\r\n");
  if (headEnd === -1) return null;
  const head = connection.bytes.subarray(0, headEnd).toString("latin1");
  const length = Number(/^content-length: *(\d+)/im.exec(head)?.[1] ?? 0);
  const end = headEnd + 4 + length;
  if (connection.bytes.length < end) return null;
  const body = connection.bytes.subarray(headEnd + 4, end).toString("utf8");
  connection.bytes = connection.bytes.subarray(end);
  return body;
}

const answer = (status: string, headers: string[] = []) =>
  [`HTTP/1.1 ${status}`, ...headers, "content-length: 0", "", ""].join("\r\n");

const SAID: Record<Mood, number> = {
  takes: 204,
  fails: 500,
  hangs: 0,
  drips: 200,
  lies: 200,
  "breaks off": 0,
  "sends away": 302,
};

const ACTS: Record<Mood, (socket: Socket) => void> = {
  takes: (socket) => void socket.write("HTTP/1.1 204 No Content\r\n\r\n"),
  fails: (socket) => void socket.write(answer("500 Internal Server Error")),
  hangs(socket) {
    socket.data.hanging = () => {};
  },
  /** A status at once, and a body that never ends. */
  drips(socket) {
    socket.write("HTTP/1.1 200 OK\r\ncontent-length: 100000\r\n\r\n");
    socket.data.hanging = dripping(DRIP_MS, () => void socket.write("."));
  },
  /** More is promised than comes. */
  lies(socket) {
    socket.write('HTTP/1.1 200 OK\r\ncontent-length: 5000\r\n\r\n{"error":');
    socket.end();
  },
  "breaks off": (socket) => socket.terminate(),
  "sends away": (socket) => void socket.write(answer("302 Found", ["location: https://127.0.0.1:9/elsewhere"])),
};
