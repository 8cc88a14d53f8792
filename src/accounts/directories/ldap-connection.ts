// Connections to an LDAP directory: encrypted before anything is said, within one deadline, closed after each use.
import { connect as connectPlain, isIP, type Socket } from "node:net";
import { connect as connectTls, getCACertificates, type ConnectionOptions, type TLSSocket } from "node:tls";
import { BerReader, Client, ResultCodeError } from "ldapts";
import type { LdapSettings } from "../../config/sign-in-settings.ts";
import { SECOND_MS, type Clock } from "../../core/clock.ts";
import { beforeDeadline, startDeadline, type Deadline } from "../../net/deadline.ts";
import { DirectoryFault } from "./model.ts";

export interface LdapConnector {
  /** Runs `work` on a connection to the first address that answers. Throws a DirectoryFault, or faults of `work`. */
  run<T>(work: (client: Client) => Promise<T>): Promise<T>;
}

/** All answers of one connection. A person with 10,000 groups has 1 MB of names. */
const MOST_BYTES = 4 * 1_024 * 1_024;
/** After all addresses failed, attempts fail at once for this long, so that waiting ones do not add up. */
const REST_MS = 5 * SECOND_MS;

export interface LdapConnectorDeps {
  settings: LdapSettings;
  clock: Pick<Clock, "after" | "elapsedMs">;
  caPem: string | null;
}

export function createLdapConnector({ settings, clock, caPem }: LdapConnectorDeps): LdapConnector {
  const timeoutMs = settings.timeout_seconds * SECOND_MS;
  const ca = caPem === null ? undefined : [...authorities(), caPem];
  let restsUntilMs = -Infinity;

  async function at<T>(address: string, deadline: Deadline, work: (client: Client) => Promise<T>): Promise<T> {
    const tls = tlsOptions(address, ca);
    const line = openLine(address, { timeoutMs, tls, isUpgraded: settings.start_tls });
    const upgradedWork = async (): Promise<T> => {
      if (settings.start_tls) await line.client.startTLS(tls).catch(asRefusedUpgrade);
      return work(line.client);
    };
    const late = () => new DirectoryFault("The directory did not answer in time.");
    try {
      return await beforeDeadline(deadline, Promise.race([upgradedWork(), line.broken]), late).catch(asFault);
    } finally {
      line.close();
    }
  }

  return {
    async run(work) {
      if (clock.elapsedMs() < restsUntilMs) throw new DirectoryFault("The directory did not answer a moment ago.");
      const deadline = startDeadline(timeoutMs, { clock });
      let fault = new DirectoryFault("No address of the directory is set.");
      for (const [i, address] of settings.urls.entries()) {
        try {
          return await at(address, deadline.share(settings.urls.length - i), work);
        } catch (error) {
          if (!(error instanceof DirectoryFault)) throw error;
          fault = error;
        }
      }
      if (!fault.isOfOne) restsUntilMs = clock.elapsedMs() + REST_MS;
      throw fault;
    },
  };
}

interface LinePlan {
  timeoutMs: number;
  tls: ConnectionOptions;
  isUpgraded: boolean;
}

interface Line {
  client: Client;
  /** Rejects once the connection ends or says too much. */
  broken: Promise<never>;
  /** Closes every socket, whatever the other side does. */
  close(): void;
}

/**
 * A client with one connection. Left to itself, the library opens another one between two operations if the first has
 * ended: without the bind, and in clear before StartTLS.
 */
function openLine(address: string, { timeoutMs, tls, isUpgraded }: LinePlan): Line {
  const opened: Socket[] = [];
  const broken = Promise.withResolvers<never>();
  // The work may be over by then.
  broken.promise.catch(() => {});
  let received = 0;
  /** Bytes that came before encryption. */
  let clear = Buffer.alloc(0);

  const keep = <S extends Socket>(socket: S, read: (part: Buffer) => void): S => {
    opened.push(socket);
    // The client takes its own listener away once it is connected; an error without one would end the process.
    socket.on("error", () => {});
    socket.on("close", () => broken.reject(new DirectoryFault("The directory closed the connection.")));
    socket.on("data", read);
    return socket;
  };
  const count = (part: Buffer) => {
    received += part.length;
    if (received <= MOST_BYTES) return;
    broken.reject(new DirectoryFault("The directory's answer is too long.", { isOfOne: true }));
    close();
  };
  const readClear = (part: Buffer) => {
    count(part);
    clear = Buffer.concat([clear, part]);
  };
  const close = () => {
    for (const socket of opened) socket.destroy();
  };

  function connectOnce(port: number, host: string): Socket {
    if (!isUpgraded || opened.length > 0) throw secondConnection();
    return keep(connectPlain(port, host), readClear);
  }

  function secureOnce(...given: [ConnectionOptions] | [number, string, ConnectionOptions]): TLSSocket {
    if (given.length === 3) {
      if (isUpgraded || opened.length > 0) throw secondConnection();
      return keep(connectTls({ ...given[2], port: given[0], host: given[1] }), count);
    }
    const [plain, other] = opened;
    if (!isUpgraded || !plain || other || given[0].socket !== plain) throw secondConnection();
    plain.off("data", readClear);
    // Bytes behind the answer were not encrypted, but the client would read them as if they were.
    if (!isOneMessage(clear)) throw new DirectoryFault("The directory says more than its answer to StartTLS.");
    return keep(connectTls(given[0]), count);
  }

  const client = new Client({
    url: address,
    // Behind our own deadline, which the caller's clock runs.
    timeout: timeoutMs + 5 * SECOND_MS,
    connectTimeout: timeoutMs + 5 * SECOND_MS,
    ...(!isUpgraded && { tlsOptions: tls }),
    createConnection: connectOnce as typeof connectPlain,
    createSecureConnection: secureOnce as typeof connectTls,
  });
  return { client, broken: broken.promise, close };
}

const secondConnection = () => new DirectoryFault("The directory closed the connection.");

function isOneMessage(bytes: Buffer): boolean {
  const reader = new BerReader(bytes);
  return reader.readSequence() !== null && reader.remain === reader.length;
}

function tlsOptions(address: string, ca: string[] | undefined): ConnectionOptions {
  const host = new URL(address).hostname.replace(/^\[(.*)\]$/, "$1");
  return {
    host,
    ...(isIP(host) === 0 && { servername: host }),
    ...(ca && { ca }),
    minVersion: "TLSv1.2",
    rejectUnauthorized: true,
  };
}

function authorities(): string[] {
  const system = getCACertificates("system");
  return system.length > 0 ? system : getCACertificates("bundled");
}

function asRefusedUpgrade(error: unknown): never {
  if (error instanceof ResultCodeError)
    throw new DirectoryFault(`The directory refuses StartTLS (code ${error.code}).`);
  throw error;
}

/** Answers of the directory are passed on; everything else is a fault. Its message could quote a name. */
function asFault(error: unknown): never {
  if (error instanceof ResultCodeError || error instanceof DirectoryFault) throw error;
  const code = typeof error === "object" && error && "code" in error ? String(error.code).replaceAll(/\W/g, "") : "";
  throw new DirectoryFault(`The directory cannot be reached${code && ` (${code})`}.`, { cause: error });
}
