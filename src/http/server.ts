// HTTP server that stops without dropping requests in flight.
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
   * New connections get this certificate. Requests in flight are answered on the old one; a connection in the middle of
   * its handshake may be reset.
   */
  renew(certificate: CertificatePair): void;
  /**
   * Answers everything that has arrived, the last response on each connection with `connection: close`. Then it accepts
   * no new connections. Requests in flight get the grace period, after which their connections are closed.
   */
  stop(): Promise<void>;
}

/** Above this Bun answers 413 itself, without our error body; our own limit of 256 KiB applies long before. */
const HARD_BODY_LIMIT_BYTES = 16 * 1024 * 1024;

/**
 * When Bun stops, it resets a kept-alive connection whose next request it has not read yet. So the server continues to
 * answer until nothing has arrived for this long: enough for requests in transit on a local network, short enough to be
 * unnoticeable.
 */
const QUIET_MS = 50;
/** Bounds the wait while a client keeps sending requests. */
const LONGEST_WAIT_FOR_QUIET_MS = SECOND_MS;

function listen(where: string, options: Bun.Serve.Options<undefined>): Bun.Server<undefined> {
  try {
    return Bun.serve(options);
  } catch (error) {
    // A port in use, an address of another machine, an unreadable certificate.
    throw new AppError("UNAVAILABLE", `${where} cannot be listened on: ${messageOf(error)}`, { cause: error });
  }
}

/** Throws if the port is in use or the certificate is unreadable, before the rest of a start. */
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
  // Bun has this setting only per process, under Node's name. It rejects larger headers itself, with 431 and no body.
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
  // Bun clears the port of a stopped server.
  const listening = { port: server.port ?? port, url: server.url.origin };
  /** Servers with an earlier certificate that still answer requests. */
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
