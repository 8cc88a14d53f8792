// Pool of idle connections for further requests to the same server. A handshake costs many times an exchange.
import type { Connection } from "./connection.ts";

export interface IdlePool {
  /** An idle connection to this origin at one of these addresses, which have just been checked. */
  take(origin: string, addresses: readonly string[]): Connection | null;
  put(origin: string, connection: Connection): void;
  /** Closes all idle connections and accepts no others. */
  close(): void;
}

export interface IdlePoolOptions {
  mostPerOrigin: number;
  mostInAll: number;
  /** Maximum idle time before a connection is not reused; null: until the peer closes it. */
  longestRestMs: number | null;
}

export function createIdlePool({ mostPerOrigin, mostInAll, longestRestMs }: IdlePoolOptions): IdlePool {
  let isClosed = false;
  const waiting = new Map<string, Connection[]>();
  let count = 0;

  const remove = (key: string, connection: Connection) => {
    const entries = waiting.get(key) ?? [];
    const at = entries.lastIndexOf(connection);
    if (at === -1) return;
    count -= 1;
    entries.splice(at, 1);
    if (entries.length === 0) waiting.delete(key);
  };

  const latest = (key: string) => waiting.get(key)?.at(-1);

  return {
    take(origin, addresses) {
      for (const address of addresses) {
        const key = `${origin} ${address}`;
        for (let connection = latest(key); connection; connection = latest(key)) {
          remove(key, connection);
          connection.resume();
          if (!connection.isGone && !connection.hasRestedTooLong) return connection;
          connection.destroy();
        }
      }
      return null;
    },
    put(origin, connection) {
      const key = `${origin} ${connection.address}`;
      const entries = waiting.get(key) ?? [];
      if (connection.isGone || isClosed || count >= mostInAll || entries.length >= mostPerOrigin) {
        connection.destroy();
        return;
      }
      entries.push(connection);
      waiting.set(key, entries);
      count += 1;
      connection.rest(longestRestMs, () => remove(key, connection));
    },
    close() {
      isClosed = true;
      for (const connection of [...waiting.values()].flat()) connection.destroy();
      waiting.clear();
    },
  };
}
