// Listens, and stops without dropping a request in flight.
import http from "node:http";
import { SECOND_MS, type Clock } from "../core/clock.ts";
import { AppError, messageOf } from "../core/errors.ts";
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

function listen(where: string, options: Bun.Serve.Options<undefined>): Bun.Server<undefined> {
  try {
    return Bun.serve(options);
  } catch (error) {
    // A taken port, an address of another machine, a certificate that cannot be read.
    throw new AppError("UNAVAILABLE", `${where} cannot be listened on: ${messageOf(error)}`, { cause: error });
  }
}

export function startServer(config: Config, clock: Clock, handle: Handle): HttpServer {
  const { host, port, tls_cert_file, tls_key_file, idle_timeout_seconds, shutdown_grace_seconds, max_head_kb } =
    config.server;
  // Bun has this setting for the whole process only, and offers it under Node's name. A larger head it refuses by
  // itself, with 431 and no body.
  Object.assign(http, { maxHeaderSize: max_head_kb * 1024 });
  const server = listen(`${host}:${port}`, {
    hostname: host,
    port,
    idleTimeout: idle_timeout_seconds,
    maxRequestBodySize: HARD_BODY_LIMIT_BYTES,
    fetch: (request, connection) => handle(request, connection.requestIP(request)?.address),
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
