// Address and TLS settings of PostgreSQL, from the configuration. No text created here contains the password.
import { readFileSync } from "node:fs";
import { messageOf } from "../../core/errors.ts";
import { DatabaseError } from "../open-fault.ts";
import type { DatabaseSettings } from "../port.ts";

export interface Address {
  /** A host name, an IP address, or the directory of a Unix socket. */
  host: string;
  port: number;
  database: string;
  user: string;
  password: string;
  /** The CA that must have signed the certificate (null: the system's trust store); false: no TLS. */
  tls: { ca: string | null } | false;
}

const PARTS =
  /^postgres(?:ql)?:\/\/(?:(?<user>[^:@/?#]*)(?::(?<password>[^@/?#]*))?@)?(?<host>\[[0-9a-fA-F:.]+\]|[^:/?#@]*)(?::(?<port>\d{1,5}))?\/(?<database>[^/?#]+)(?:\?(?<query>[^#]*))?$/;

function partsOf(url: string) {
  const groups = PARTS.exec(url)?.groups;
  if (!groups)
    throw new DatabaseError("database.url: an address such as postgres://user@host:5432/database is needed.");
  const query = new URLSearchParams(groups["query"] ?? "");
  const strange = [...query.keys()].find((key) => key !== "host");
  if (strange !== undefined)
    throw new DatabaseError(`database.url: "${strange}" is not understood there, only host=/socket/folder.`);
  const host = query.get("host") ?? groups["host"] ?? "";
  if (host === "")
    throw new DatabaseError("database.url: it names no host, and no socket's folder with ?host=/folder.");
  return {
    host: host.replaceAll(/^\[|\]$/g, ""),
    port: Number(groups["port"] ?? 5432),
    database: decodeURIComponent(groups["database"] ?? ""),
    user: decodeURIComponent(groups["user"] ?? ""),
    password: decodeURIComponent(groups["password"] ?? ""),
  };
}

export function addressOf({ url, password_file, ca_file, tls }: DatabaseSettings): Address {
  const parts = partsOf(url);
  const password = password_file === "" ? parts.password : fileText("database.password_file", password_file).trimEnd();
  const isEncrypted = tls === "verify" || (tls === "auto" && !isOnThisMachine(parts.host));
  const ca = ca_file === "" ? null : fileText("database.ca_file", ca_file);
  return { ...parts, user: parts.user === "" ? "ringward" : parts.user, password, tls: isEncrypted ? { ca } : false };
}

function fileText(setting: string, path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    throw new DatabaseError(`${setting}: ${path} cannot be read (${messageOf(error)}).`, { cause: error });
  }
}

export const isSocket = (host: string): boolean => host.startsWith("/");

export function isOnThisMachine(host: string): boolean {
  return isSocket(host) || host === "localhost" || host === "::1" || /^127(?:\.\d{1,3}){3}$/.test(host);
}

/** For people and logs. */
export function placeOf({ host, port, database }: Address): string {
  return `PostgreSQL ${isSocket(host) ? host : `${host}:${port}`}/${database}`;
}
