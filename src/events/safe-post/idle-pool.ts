// Connections that wait for the next delivery to the same receiver. A handshake costs many times an exchange.
import type { Connection } from "./connection.ts";

export interface IdlePool {
  /** A waiting connection to this origin at one of these addresses, which have just been checked. */
  take(origin: string, addresses: readonly string[]): Connection | null;
  put(origin: string, connection: Connection): void;
}

const MOST_PER_RECEIVER = 64;
const MOST_IN_ALL = 256;

/** Anything that happens to a waiting connection means that it is of no more use: bytes nobody asked for above all. */
const ENDINGS = ["data", "end", "close", "timeout"] as const;

export function createIdlePool(): IdlePool {
  const waiting = new Map<string, Waiting[]>();
  let count = 0;

  const remove = (key: string, entry: Waiting) => {
    const entries = waiting.get(key) ?? [];
    const rest = entries.filter((other) => other !== entry);
    if (rest.length === entries.length) return;
    count -= 1;
    if (rest.length === 0) waiting.delete(key);
    else waiting.set(key, rest);
    for (const ending of ENDINGS) entry.connection.socket.off(ending, entry.onEnding);
  };

  return {
    take(origin, addresses) {
      for (const address of addresses) {
        const key = `${origin} ${address}`;
        const entry = waiting.get(key)?.at(-1);
        if (!entry) continue;
        remove(key, entry);
        entry.connection.socket.ref();
        return entry.connection;
      }
      return null;
    },
    put(origin, connection) {
      const key = `${origin} ${connection.address}`;
      const entries = waiting.get(key) ?? [];
      const { socket } = connection;
      if (socket.destroyed || count >= MOST_IN_ALL || entries.length >= MOST_PER_RECEIVER) {
        socket.destroy();
        return;
      }
      const entry: Waiting = {
        connection,
        onEnding: () => {
          remove(key, entry);
          socket.destroy();
        },
      };
      for (const ending of ENDINGS) socket.on(ending, entry.onEnding);
      // A waiting connection must not keep the process from ending.
      socket.unref();
      waiting.set(key, [...entries, entry]);
      count += 1;
    },
  };
}

interface Waiting {
  connection: Connection;
  onEnding: () => void;
}
