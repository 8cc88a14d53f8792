// Listens, and stops without dropping a request in flight.
import http from "node:http";
import { tlsListening, type CertificatePair } from "../core/certificate.ts";
import { SECOND_MS, type Clock } from "../core/clock.ts";
import { AppError, messageOf } from "../core/errors.ts";
import type { Config } from "../config/schema.ts";
import type { Handle } from "./handler.ts";

export interface HttpServer {
  readonly port: number;
  readonly url: string;
  /**
   * Connections that open from now on get this certificate. Requests in flight are answered on the old one; a
   * connection in the middle of its handshake may be reset.
   */
  renew(certificate: CertificatePair): void;
  /**
   * What has arrived is answered, the last answer on each connection with `connection: close`. Then no new connections;
   * requests in flight get the grace time, and after it their connections are cut.
   */
  stop(): Promise<void>;
}

/** Bun answers 413 by itself above this, without our error body; our own limit of 256 KiB acts long before. */
const HARD_BODY_LIMIT_BYTES = 16 * 1024 * 1024;

/**
 * Bun resets a kept-alive connection whose next request it has not read yet when it stops. So it goes on answering
 * until nothing has arrived for this long: enough for what is on its way through a local network, short enough for
 * nobody to wait.
 */
const QUIET_MS = 50;
/** Whoever keeps asking does not keep it from stopping. */
const LONGEST_WAIT_FOR_QUIET_MS = SECOND_MS;

function listen(where: string, options: Bun.Serve.Options<undefined>): Bun.Server<undefined> {
  try {
    return Bun.serve(options);
  } catch (error) {
    // A taken port, an address of another machine, a certificate that cannot be read.
    throw new AppError("UNAVAILABLE", `${where} cannot be listened on: ${messageOf(error)}`, { cause: error });
  }
}

/** Throws where the port is taken or the certificate cannot be read, before anything else of a start is done. */
export async function assertCanListen({ server }: Config): Promise<void> {
  const { host, port } = server;
  const fetch = () => new Response(null, { status: 503 });
  const probe = listen(`${host}:${port}`, { hostname: host, port, fetch });
  await probe.stop(true);
}

export function startServer(
  config: Config,
  clock: Clock,
  handle: Handle,
  certificate: CertificatePair | null = null,
): HttpServer {
  const { host, port, idle_timeout_seconds, shutdown_grace_seconds, max_head_kb } = config.server;
  // Bun has this setting for the whole process only, and offers it under Node's name. A larger head it refuses by
  // itself, with 431 and no body.
  Object.assign(http, { maxHeaderSize: max_head_kb * 1024 });
  let arrived = 0;
  let isStopping = false;
  const isClosing = () => isStopping;
  function answer(request: Request, connection: Bun.Server<undefined>): Promise<Response> {
    arrived += 1;
    return handle(request, {
      source: () => connection.requestIP(request)?.address ?? "unknown",
      keepOpen: (seconds) => connection.timeout(request, seconds),
      isClosing,
    });
  }
  const open = (at: number, pair: CertificatePair | null) =>
    listen(`${host}:${at}`, {
      hostname: host,
      port: at,
      idleTimeout: idle_timeout_seconds,
      maxRequestBodySize: HARD_BODY_LIMIT_BYTES,
      fetch: answer,
      ...tlsListening(pair),
    });
  let server = open(port, certificate);
  // Bun forgets the port of a server that was stopped.
  const listening = { port: server.port ?? port, url: server.url.origin };
  /** With an earlier certificate, and requests that are still being answered. */
  const retired = new Map<Bun.Server<undefined>, Promise<void>>();
  async function untilQuiet(): Promise<void> {
    for (let waitedMs = 0; waitedMs < LONGEST_WAIT_FOR_QUIET_MS; waitedMs += QUIET_MS) {
      const before = arrived;
      await new Promise<void>((resolve) => clock.after(QUIET_MS, resolve));
      if (arrived === before) return;
    }
  }

  return {
    ...listening,
    renew(pair) {
      const old = server;
      server = open(listening.port, pair);
      retired.set(
        old,
        old.stop(false).finally(() => retired.delete(old)),
      );
    },
    async stop() {
      const cancelGrace = clock.after(shutdown_grace_seconds * SECOND_MS, () => {
        for (const each of [server, ...retired.keys()]) void each.stop(true);
      });
      isStopping = true;
      await untilQuiet();
      await Promise.all([server.stop(false), ...retired.values()]);
      cancelGrace();
    },
  };
}
