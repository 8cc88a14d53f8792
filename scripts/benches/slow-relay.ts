// Relay between a client and a socket that delays all data by some milliseconds in each direction.
import type { Socket } from "bun";

interface Side {
  other: Socket<Side> | null;
  /** Data received before the other side was connected. */
  early: Buffer[];
}

export function startSlowRelay(unix: string, delayMs: number): { port: number; stop(): void } {
  const later = (side: Side, data: Buffer) => {
    const bytes = Buffer.from(data);
    setTimeout(() => side.other?.write(bytes), delayMs);
  };
  const server = Bun.listen<Side>({
    hostname: "127.0.0.1",
    port: 0,
    socket: {
      open(client) {
        client.data = { other: null, early: [] };
        void Bun.connect<Side>({
          unix,
          data: { other: client, early: [] },
          socket: {
            open(far) {
              client.data.other = far;
              for (const data of client.data.early.splice(0)) later(client.data, data);
            },
            data: (far, data) => later(far.data, data),
            close: () => void client.end(),
          },
        });
      },
      data(client, data) {
        if (client.data.other) later(client.data, data);
        else client.data.early.push(Buffer.from(data));
      },
      close: (client) => void client.data.other?.end(),
    },
  });
  return { port: server.port, stop: () => server.stop(true) };
}
