// Connections to one model server, limited to its verified addresses; proxies of the environment are ignored.
// Certificates are checked against the URL's host name, never the address.
import { connect as connectPlain, isIP, type Socket } from "node:net";
import { checkServerIdentity, connect as connectTls, type SecureContext } from "node:tls";
import type { Clock } from "../../../core/clock.ts";
import { trustedBy } from "../../../net/http/open-connection.ts";
import { ServerFault, type ServerAddress } from "../port.ts";
import { readServerUrl, type HttpUrl } from "../../../net/http-url.ts";

export interface Connections {
  /** An idle or new connection. `mostMs` bounds the whole operation. Throws a ServerFault. */
  take(mostMs: number, signal: AbortSignal): Promise<{ socket: Socket; wasWaiting: boolean }>;
  /** Always a new connection. */
  open(mostMs: number, signal: AbortSignal): Promise<Socket>;
  /** Returns a connection to the pool. */
  put(socket: Socket): void;
  close(): void;
}

/** A conversation sends one request at a time, or two clauses while the next question warms up. */
const MOST_WAITING = 4;
/** More would leave each attempt too little time. */
const MOST_ADDRESSES_TRIED = 4;
/** Any event on an idle connection makes it unusable, unsolicited bytes above all. */
const ENDINGS = ["data", "end", "close", "error"] as const;

/** Creating a TLS context reads every system authority, which takes milliseconds. */
const TRUSTS = new Map<string | null, SecureContext>();
const MOST_TRUSTS = 64;

export function createConnections(clock: Clock, address: ServerAddress): Connections {
  const url = readServerUrl(address.baseUrl);
  const waiting: { socket: Socket; letGo: () => void }[] = [];
  let isClosed = false;

  const open = async (mostMs: number, signal: AbortSignal): Promise<Socket> => {
    const addresses = address.addresses.slice(0, MOST_ADDRESSES_TRIED);
    const startedMs = clock.elapsedMs();
    let fault = new ServerFault("refused");
    for (const [i, host] of addresses.entries()) {
      const leftMs = mostMs - (clock.elapsedMs() - startedMs);
      try {
        return await connected(clock, url, host, address.caPem, leftMs / (addresses.length - i), signal);
      } catch (error) {
        fault = error instanceof ServerFault ? error : new ServerFault("refused");
        if (fault.kind === "aborted") break;
      }
    }
    throw fault;
  };

  return {
    open,
    async take(mostMs, signal) {
      const kept = waiting.pop();
      kept?.letGo();
      if (kept && !kept.socket.destroyed) return { socket: kept.socket, wasWaiting: true };
      return { socket: await open(mostMs, signal), wasWaiting: false };
    },
    put(socket) {
      if (isClosed || socket.destroyed || waiting.length >= MOST_WAITING) {
        socket.destroy();
        return;
      }
      const onEnding = () => {
        const at = waiting.indexOf(entry);
        if (at !== -1) waiting.splice(at, 1);
        socket.destroy();
      };
      const entry = {
        socket,
        letGo: () => {
          for (const ending of ENDINGS) socket.off(ending, onEnding);
        },
      };
      for (const ending of ENDINGS) socket.on(ending, onEnding);
      waiting.push(entry);
    },
    close() {
      isClosed = true;
      for (const { socket } of waiting.splice(0)) socket.destroy();
    },
  };
}

function trustOf(caPem: string | null): SecureContext {
  const known = TRUSTS.get(caPem);
  if (known) return known;
  if (TRUSTS.size >= MOST_TRUSTS) TRUSTS.clear();
  const trust = trustedBy(caPem);
  TRUSTS.set(caPem, trust);
  return trust;
}

function connected(
  clock: Clock,
  url: HttpUrl,
  host: string,
  caPem: string | null,
  mostMs: number,
  signal: AbortSignal,
): Promise<Socket> {
  if (signal.aborted) return Promise.reject(new ServerFault("aborted"));
  const socket = url.isTls
    ? connectTls({
        host,
        port: url.port,
        // RFC 6066, section 3: an address is never sent as server name.
        ...(isIP(url.host) === 0 ? { servername: url.host } : {}),
        checkServerIdentity: (_, certificate) => checkServerIdentity(url.host, certificate),
        // Explicit, because NODE_TLS_REJECT_UNAUTHORIZED in the environment disables the default.
        rejectUnauthorized: true,
        secureContext: trustOf(caPem),
      })
    : connectPlain({ host, port: url.port });
  const opened = url.isTls ? "secureConnect" : "connect";
  return new Promise((resolve, reject) => {
    const end = (fault: ServerFault | null) => {
      cancelTimer();
      signal.removeEventListener("abort", onAbort);
      socket.off(opened, onOpened).off("error", onRefused).off("close", onRefused);
      // The next owner adds its own listener; an error in between must not crash the process.
      socket.on("error", () => {});
      if (fault) {
        socket.destroy();
        reject(fault);
        return;
      }
      socket.setNoDelay(true);
      resolve(socket);
    };
    const onOpened = () => end("authorized" in socket && !socket.authorized ? new ServerFault("refused") : null);
    const onRefused = () => end(new ServerFault("refused"));
    const onAbort = () => end(new ServerFault("aborted"));
    const cancelTimer = clock.after(mostMs, () => end(new ServerFault("timeout")));
    signal.addEventListener("abort", onAbort, { once: true });
    socket.on(opened, onOpened).on("error", onRefused).on("close", onRefused);
  });
}
