// Whether a model server accepts connections. No request is made: a trial of its answers is up to its owner.
import { connect } from "node:net";
import { SECOND_MS, type Clock } from "../../core/clock.ts";
import { readServerUrl } from "../../net/http-url.ts";
import type { ServerAddresses } from "./server-addresses.ts";

export interface ServerPlace {
  id: string;
  name: string;
  /** Null: available to all organisations. */
  organisationId: string | null;
  baseUrl: string;
}

const CONNECT_MS = 3 * SECOND_MS;
const MOST_AT_ONCE = 8;

/** Ids of the servers that cannot be found or do not accept a connection. */
export async function unreachable(
  places: readonly ServerPlace[],
  addresses: ServerAddresses,
  clock: Clock,
): Promise<ReadonlySet<string>> {
  const urls = [...new Set(places.map(({ baseUrl }) => baseUrl))];
  const down = new Set<string>();
  for (let first = 0; first < urls.length; first += MOST_AT_ONCE) {
    const some = urls.slice(first, first + MOST_AT_ONCE);
    const reached = await Promise.all(some.map((url) => isReached(url, addresses, clock)));
    for (const [i, url] of some.entries()) if (reached[i] !== true) down.add(url);
  }
  return new Set(places.filter(({ baseUrl }) => down.has(baseUrl)).map(({ id }) => id));
}

/** Only checked addresses are connected to. */
async function isReached(baseUrl: string, addresses: ServerAddresses, clock: Clock): Promise<boolean> {
  const { port } = readServerUrl(baseUrl);
  const [host] = addresses.known(baseUrl);
  if (host === undefined) return false;
  return new Promise((answer) => {
    const socket = connect({ host, port });
    const end = (isThere: boolean) => {
      cancel();
      socket.destroy();
      answer(isThere);
    };
    const cancel = clock.after(CONNECT_MS, () => end(false));
    socket.once("connect", () => end(true));
    socket.once("error", () => end(false));
  });
}
