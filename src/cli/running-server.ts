// Note of a running server in the data folder: it tells commands the server's addresses. The server may have been
// started with --port, or with settings that the command does not get.
import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Config } from "../config/schema.ts";

const NOTE_FILE = "server.json";

interface ServerNote {
  pid: number;
  base_url: string;
  dashboard_url: string;
  host: string;
  port: number;
  tls_cert_file: string;
}

export function noteServer({ data, base_url, dashboard_url, server }: Config, port: number): void {
  const { host, tls_cert_file } = server;
  const note: ServerNote = { pid: process.pid, base_url, dashboard_url, host, port, tls_cert_file };
  const file = join(data.dir, NOTE_FILE);
  writeFileSync(`${file}.new`, `${JSON.stringify(note, null, 2)}\n`, { mode: 0o600 });
  renameSync(`${file}.new`, file);
}

export function forgetServer({ data }: Config): void {
  rmSync(join(data.dir, NOTE_FILE), { force: true });
}

/** The settings, with the addresses of the running server if there is one. */
export function besideServer(config: Config): Config {
  const note = runningNote(config);
  if (!note) return config;
  const { base_url, dashboard_url, host, port, tls_cert_file } = note;
  return { ...config, base_url, dashboard_url, server: { ...config.server, host, port, tls_cert_file } };
}

export function runningServerPid(config: Config): number | null {
  return runningNote(config)?.pid ?? null;
}

const ANSWER_TIMEOUT_MS = 3_000;

export interface ServerAnswer {
  url: string;
  /** Null if no server answers. */
  response: Response | null;
}

/** Sends a request to the server that runs on these settings. */
export async function askServer(config: Config, path: string): Promise<ServerAnswer> {
  const { server } = besideServer(config);
  const scheme = server.tls_cert_file ? "https" : "http";
  const host = server.host === "0.0.0.0" || server.host === "::" ? "127.0.0.1" : server.host;
  const url = `${scheme}://${host.includes(":") ? `[${host}]` : host}:${server.port}${path}`;
  try {
    // The certificate names the public host, not this address. Only our own process can answer here.
    const response = await fetch(url, {
      signal: AbortSignal.timeout(ANSWER_TIMEOUT_MS),
      keepalive: false,
      tls: { rejectUnauthorized: false },
    });
    return { url, response };
  } catch {
    return { url, response: null };
  }
}

function runningNote({ data }: Config): ServerNote | null {
  const note = noteOf(join(data.dir, NOTE_FILE));
  return note && isAlive(note.pid) ? note : null;
}

/** Null if there is no readable note: the file belongs to another user, or was edited. */
function noteOf(file: string): ServerNote | null {
  if (!existsSync(file)) return null;
  try {
    const note: unknown = JSON.parse(readFileSync(file, "utf8"));
    return isNote(note) ? note : null;
  } catch {
    return null;
  }
}

function isNote(value: unknown): value is ServerNote {
  if (typeof value !== "object" || value === null) return false;
  const note = value as Record<string, unknown>;
  const texts = ["base_url", "dashboard_url", "host", "tls_cert_file"];
  const numbers = ["pid", "port"];
  return texts.every((key) => typeof note[key] === "string") && numbers.every((key) => Number.isSafeInteger(note[key]));
}

/**
 * A crashed server leaves its note behind. Checking with the folder's lock instead could block a server that is
 * starting.
 */
function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // EPERM: the process exists, but belongs to another user.
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}
