// Ports that nobody holds, for programs that must be told theirs.

/** Free for UDP and for TCP on this address. */
export async function freeSipPort(address = "127.0.0.1"): Promise<number> {
  const socket = await Bun.udpSocket({ hostname: address, port: 0 });
  const { port } = socket;
  try {
    Bun.listen({ hostname: address, port, socket: { data() {} } }).stop();
    return port;
  } catch {
    return await freeSipPort(address);
  } finally {
    socket.close();
  }
}

/** Below Linux's range of ports for clients, and apart for two test files that run at the same time. */
const FIRST = 22_000 + (process.pid % 40) * 200;
const LAST = FIRST + 199;
let next = FIRST;

/** A row of ports for audio; given out again only after all the others. */
export function audioPorts(count: number): { from: number; to: number } {
  if (next + count - 1 > LAST) next = FIRST;
  const from = next;
  next += count;
  return { from, to: from + count - 1 };
}
