// Ports that nobody holds, for programs that must be told theirs. They lie below Linux's range of ports for clients, which
// any connection may take at any moment, and apart for test files that run at the same time.

const PLACE = process.pid % 40;
const SIP = { first: 14_000 + PLACE * 200, count: 200 };
let nextSip = 0;

/** Free for UDP and for TCP on this address, and so is the one above it, where baresip speaks TLS. */
export async function freeSipPort(address = "127.0.0.1"): Promise<number> {
  for (let tries = 0; tries < SIP.count; tries += 2) {
    const port = SIP.first + (nextSip % SIP.count);
    nextSip += 2;
    if ((await isFree(address, port)) && (await isFree(address, port + 1))) return port;
  }
  throw new Error(`No pair of ports is free on ${address} from ${SIP.first} on.`);
}

async function isFree(address: string, port: number): Promise<boolean> {
  try {
    (await Bun.udpSocket({ hostname: address, port })).close();
    Bun.listen({ hostname: address, port, socket: { data() {} } }).stop();
    return true;
  } catch {
    return false;
  }
}

const FIRST = 22_000 + PLACE * 200;
const LAST = FIRST + 199;
let next = FIRST;

/** A row of ports for audio; given out again only after all the others. */
export function audioPorts(count: number): { from: number; to: number } {
  if (next + count - 1 > LAST) next = FIRST;
  const from = next;
  next += count;
  return { from, to: from + count - 1 };
}
