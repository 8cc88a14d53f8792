// Listens, and stops without dropping a request in flight.
import { SECOND_MS, type Clock } from "../core/clock.ts";
import type { Config } from "../config/schema.ts";
import type { Handle } from "./handler.ts";

export interface HttpServer {
  readonly port: number;
  readonly url: string;
  /** No new connections; requests in flight get the grace time, then their connections are cut. */
  stop(): Promise<void>;
}

/** Bun answers 413 by itself above this, without our error body; our own limit of 256 KiB acts long before. */
const HARD_BODY_LIMIT_BYTES = 16 * 1024 * 1024;

export function startServer(config: Config, clock: Clock, handle: Handle): HttpServer {
  const { host, port, tls_cert_file, tls_key_file, idle_timeout_seconds, shutdown_grace_seconds } = config.server;
  const server = Bun.serve({
    hostname: host,
    port,
    idleTimeout: idle_timeout_seconds,
    maxRequestBodySize: HARD_BODY_LIMIT_BYTES,
    fetch: handle,
    ...(tls_cert_file ? { tls: { cert: Bun.file(tls_cert_file), key: Bun.file(tls_key_file) } } : {}),
  });
  return {
    port: server.port ?? port,
    url: server.url.origin,
    async stop() {
      const cancelGrace = clock.after(shutdown_grace_seconds * SECOND_MS, () => void server.stop(true));
      await server.stop(false);
      cancelGrace();
    },
  };
}
