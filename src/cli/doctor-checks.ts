// Individual checks of the doctor. Each returns one finding and changes nothing.
import { accessSync, constants, existsSync, statSync } from "node:fs";
import { statfs } from "node:fs/promises";
import { join } from "node:path";
import type { Config } from "../config/schema.ts";
import { messageOf } from "../core/errors.ts";
import { isLoopbackHost } from "../net/host-name.ts";
import { isRestorePending } from "../db/archive/pending-restore.ts";
import { isDamage, RESTORE_WORDS } from "../db/open-fault.ts";
import { presentSealingKey } from "../db/folder-keys.ts";
import { settingOf } from "../db/key-source.ts";
import { missingKeyWords, ROOT_KEY_FILE, RootKeyError, wrongKeyWords } from "../db/root-key.ts";
import { isAnyShut, NOTHING_SHUT, renewWords, shutSecrets } from "../db/sealed-secrets.ts";
import { placeOf } from "./context.ts";
import { lookingAt } from "./database-look.ts";
import { fileLimit, RAISE_LIMIT } from "./file-limit.ts";
import { runningServerPid } from "./running-server.ts";

export interface Finding {
  check: string;
  state: "ok" | "warn" | "FAIL";
  message: string;
}

export async function checkDataFolder({ data }: Config): Promise<Finding> {
  const check = "data folder";
  if (!existsSync(data.dir))
    return { check, state: "ok", message: `${data.dir} is not there yet; the first start makes it.` };
  try {
    accessSync(data.dir, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch {
    return {
      check,
      state: "FAIL",
      message: `${data.dir} cannot be written by this user. Give it to the user who runs Ringward.`,
    };
  }
  const { bavail, bsize } = await statfs(data.dir);
  const freeMb = Math.floor((bavail * bsize) / 1024 ** 2);
  if (freeMb < data.min_free_mb)
    return { check, state: "FAIL", message: `${freeMb} MB free; at least ${data.min_free_mb} MB are needed.` };
  if ((statSync(data.dir).mode & 0o077) !== 0) {
    return { check, state: "warn", message: `Others may look into ${data.dir}: run "chmod 700 ${data.dir}".` };
  }
  return { check, state: "ok", message: `${data.dir}, ${freeMb} MB free.` };
}

export async function checkDatabase(config: Config): Promise<Finding> {
  const check = "database";
  if (isRestorePending(config.data.dir))
    return { check, state: "warn", message: "A restore was interrupted; the next start completes it." };
  try {
    const inspection = await lookingAt(config, (look) => look.inspect());
    if (!inspection) return { check, state: "ok", message: "None yet; the first start creates it." };
    const { problem, schema, latest } = inspection;
    if (problem) return { check, state: "FAIL", message: `${problem} ${RESTORE_WORDS}` };
    if (schema > latest)
      return {
        check,
        state: "FAIL",
        message: `Schema ${schema} is newer than this binary (${latest}). Run the newer binary.`,
      };
    if (schema < latest)
      return {
        check,
        state: "warn",
        message: `Schema ${schema}; the next start upgrades it to ${latest}. Back up first.`,
      };
    return { check, state: "ok", message: `Sound, schema ${schema}.` };
  } catch (error) {
    const words = `It cannot be read: ${messageOf(error)}`;
    return { check, state: "FAIL", message: isDamage(error) ? `${words}. ${RESTORE_WORDS}` : words };
  }
}

export async function checkRootKey(config: Config): Promise<Finding> {
  const { data, security } = config;
  const check = "secret key";
  try {
    const key = presentSealingKey(placeOf(config));
    const shut = (await lookingAt(config, ({ reader }) => shutSecrets(reader, key))) ?? NOTHING_SHUT;
    if (isAnyShut(shut)) {
      const message = key ? `${wrongKeyWords(shut)} ${renewWords(shut).join("; ")}.` : missingKeyWords(data.dir, shut);
      return { check, state: "FAIL", message };
    }
    if (key === null) return { check, state: "ok", message: "None yet; the next start creates it." };
  } catch (error) {
    // The database check reports an unreadable database.
    if (error instanceof RootKeyError) return { check, state: "FAIL", message: error.message };
  }
  const setting = settingOf(security);
  if (setting !== null)
    return { check, state: "ok", message: setting === "security.root_key" ? "From the settings." : `From ${setting}.` };
  const file = join(data.dir, ROOT_KEY_FILE);
  if (!existsSync(file)) return { check, state: "warn", message: `${file} is missing. Put it back from your backup.` };
  const readableByOthers = (statSync(file).mode & 0o077) !== 0;
  return readableByOthers
    ? { check, state: "warn", message: `Others may read it: run "chmod 600 ${file}".` }
    : { check, state: "ok", message: `${file}. Back it up apart from the database.` };
}

export async function checkPort({ server }: Config): Promise<Finding> {
  const check = "port";
  const where = `${server.host}:${server.port}`;
  try {
    const probe = Bun.serve({ hostname: server.host, port: server.port, fetch: () => new Response() });
    await probe.stop(true);
    return { check, state: "ok", message: `${where} is free.` };
  } catch {
    if (await isRingwardAnswering(server)) return { check, state: "ok", message: `A Ringward answers at ${where}.` };
    return {
      check,
      state: "FAIL",
      message: `${where} cannot be listened on. Another program has it, or the address is not this machine's.`,
    };
  }
}

export async function isRingwardAnswering({ host, port, tls_cert_file }: Config["server"]): Promise<boolean> {
  const at = host === "0.0.0.0" || host === "::" ? "127.0.0.1" : host;
  const url = `${tls_cert_file ? "https" : "http"}://${at.includes(":") ? `[${at}]` : at}:${port}/healthz`;
  // The certificate names the public host, not this address.
  const options = { signal: AbortSignal.timeout(2_000), tls: { rejectUnauthorized: false } };
  const answer = await fetch(url, options).catch(() => null);
  return answer?.headers.get("x-request-id")?.startsWith("req_") ?? false;
}

/** An https base URL without a certificate, or a public one on a loopback address, implies a reverse proxy in front. */
export function checkProxy({ base_url, server }: Config): Finding {
  const check = "proxy";
  const isProxied =
    !server.tls_cert_file &&
    (base_url.startsWith("https://") || (isLoopbackHost(server.host) && !isLocalAddress(base_url)));
  const header = server.client_address_header;
  if (isProxied && header === "") {
    return {
      check,
      state: "warn",
      message:
        "Requests arrive through a proxy, and all clients share its address. Set server.client_address_header to the header in which the proxy sends the client's address, such as x-forwarded-for.",
    };
  }
  if (!isProxied && header !== "") {
    return {
      check,
      state: "warn",
      message: `${header} is believed, but nothing seems to stand in front: callers can write what they like into it. Empty server.client_address_header.`,
    };
  }
  return { check, state: "ok", message: isProxied ? `The proxy sends the client's address in ${header}.` : "None." };
}

/** Metrics without a token are fine on loopback. On the network they need a token. */
export function checkMetrics({ base_url, server, metrics }: Config): Finding {
  const check = "metrics";
  if (metrics.token !== "") return { check, state: "ok", message: "/metrics wants its token." };
  // A proxy in front forwards /metrics like every other path.
  if (isLoopbackHost(server.host) && isLocalAddress(base_url))
    return { check, state: "ok", message: "Reachable only from this machine." };
  return {
    check,
    state: "warn",
    message: `/metrics is open to everybody who reaches ${base_url}. Set metrics.token or metrics.token_file, or keep it from the network.`,
  };
}

/** The limit of the running server; without one, the limit of the doctor's own shell. */
export function checkFileLimit(config: Config): Finding {
  const check = "open files";
  const limit = fileLimit(config, runningServerPid(config) ?? "self");
  if (limit === null) return { check, state: "ok", message: "No limit is known." };
  const { allowed, needed, calls } = limit;
  if (allowed >= needed) return { check, state: "ok", message: `${allowed} at once; ${needed} are enough.` };
  const forCalls = config.telephony.carrier === "sip" ? ` That is enough for about ${calls} calls at once.` : "";
  const message = `${allowed} at once, but the settings may need ${needed}.${forCalls} ${RAISE_LIMIT}`;
  return { check, state: "warn", message };
}

export function checkPublicAddress({ base_url, server }: Config): Finding {
  const check = "address";
  if (isLocalAddress(base_url))
    return {
      check,
      state: "warn",
      message: `base_url is ${base_url}: links in events work on this machine alone. Set base_url.`,
    };
  if (base_url.startsWith("http://") && !server.tls_cert_file) {
    return {
      check,
      state: "warn",
      message: "base_url is http: put TLS in front, or set server.tls_cert_file and tls_key_file.",
    };
  }
  return { check, state: "ok", message: base_url };
}

function isLocalAddress(url: string): boolean {
  return isLoopbackHost(new URL(url).hostname);
}
