// Receiver in a separate process, as in production: HTTPS with a private CA. `/hook` answers immediately, `/hang`
// never, `/drip` one byte at a time without end.
import { startReceiver, type ReceivedRequest } from "../../test/events/safe-post/receiver.ts";

const DRIP_MS = 200;

if (import.meta.main) {
  const certificate = { certPem: process.env["CERTIFICATE"] ?? "", keyPem: process.env["KEY"] ?? "" };
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    idleTimeout: 60,
    tls: { cert: certificate.certPem, key: certificate.keyPem },
    async fetch(request) {
      await request.arrayBuffer();
      return new Response(null, { status: 204 });
    },
  });
  const dead = await startReceiver(certificate, ({ path, socket }: ReceivedRequest) => {
    if (path !== "/drip") return;
    const answer = "HTTP/1.1 200 OK\r\nX-Drip: ";
    let sent = 0;
    const dripping = setInterval(() => {
      if (socket.destroyed) clearInterval(dripping);
      else socket.write(answer[sent++] ?? ".");
    }, DRIP_MS);
  });
  // Ends hanging requests, so no client waits for its timeout.
  process.on("message", () => dead.close());
  process.send?.({ live: server.port, dead: dead.port });
}
