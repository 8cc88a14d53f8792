// Thousands of clients that begin a request and send only a few bytes now and then, until they are disconnected.
import { dripping } from "../support/pace.ts";

export interface SlowClients {
  /** Goes; how many got a connection. */
  leave(): number;
}

const BEGINNING = "POST /v1/calls HTTP/1.1\r\nhost: appliance.example\r\ncontent-length: 4000\r\n";
const DRIP_MS = 500;

export function sendSlowClients(port: number, count: number): SlowClients {
  const open = new Set<Bun.Socket>();
  let connected = 0;
  let hasLeft = false;
  const socket = {
    open(own: Bun.Socket) {
      connected += 1;
      if (hasLeft) own.terminate();
      else {
        open.add(own);
        own.write(BEGINNING);
      }
    },
    data() {},
    close: (own: Bun.Socket) => void open.delete(own),
    error: (own: Bun.Socket) => void open.delete(own),
    connectError() {},
  };
  // Not awaited: if the server refuses them, they retry for minutes.
  for (let i = 0; i < count; i++) Bun.connect({ hostname: "127.0.0.1", port, socket }).catch(() => {});
  const stop = dripping(DRIP_MS, () => {
    for (const each of open) each.write("x-slow: 1\r\n");
  });
  return {
    leave() {
      hasLeft = true;
      stop();
      for (const each of open) each.terminate();
      return connected;
    },
  };
}
