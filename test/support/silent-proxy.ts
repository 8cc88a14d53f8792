// A TCP proxy that can fall silent: it still accepts connections and bytes, but returns nothing, not even FIN.
import { connect, createServer, type AddressInfo, type Socket } from "node:net";

export interface SilentProxy {
  readonly port: number;
  /** From here on what either side sends is lost. */
  swallow(): void;
  /** Hands on what is sent from now on; what was closed meanwhile is closed on the other side, too. */
  forward(): void;
  close(): void;
}

export async function startSilentProxy(to: number): Promise<SilentProxy> {
  let isSilent = false;
  const sockets = new Set<Socket>();
  let closedMeanwhile: Socket[] = [];

  function join(from: Socket, onto: Socket | null): void {
    sockets.add(from);
    from.on("data", (bytes) => void (isSilent || onto?.write(bytes)));
    from.on("error", () => {});
    from.on("close", () => {
      sockets.delete(from);
      if (!onto) return;
      if (isSilent) closedMeanwhile.push(onto);
      else onto.destroy();
    });
  }

  const server = createServer((client) => {
    const upstream = isSilent ? null : connect(to, "127.0.0.1");
    join(client, upstream);
    if (upstream) join(upstream, client);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    port: (server.address() as AddressInfo).port,
    swallow: () => void (isSilent = true),
    forward() {
      isSilent = false;
      for (const socket of closedMeanwhile) socket.destroy();
      closedMeanwhile = [];
    },
    close() {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}
