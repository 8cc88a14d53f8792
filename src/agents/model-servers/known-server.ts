// A model server from the configuration or an organisation, in one shape, with its public view and its address for
// calls.
import { modelCaOf, modelKeyOf, type ModelEntry } from "../../config/model-entries.ts";
import type { ModelServer } from "../records.ts";
import type { CommandAddress, ServerAddress, ServerRole } from "../../speech/servers/port.ts";

export interface KnownServer {
  id: string;
  name: string;
  role: ServerRole;
  source: "settings" | "dashboard";
  /** Null: available to all organisations. */
  organisation: string | null;
  base_url: string | null;
  command: readonly string[];
  model: string;
  voice: string;
  languages: readonly string[];
  ca_pem: string | null;
  first_ms: number;
  total_ms: number;
  is_default: boolean;
  /** Decrypts the key; null if there is none. */
  key: () => string | null;
  hasKey: boolean;
}

export const SETTINGS_PREFIX = "settings:";

export function serverOfSettings(name: string, entry: ModelEntry, commonCa: string | null): KnownServer {
  const isCommand = entry.command.length > 0;
  return {
    ...entry,
    id: `${SETTINGS_PREFIX}${name}`,
    name,
    source: "settings",
    organisation: entry.organisation === "" ? null : entry.organisation,
    base_url: isCommand ? null : cleanUrl(entry.base_url),
    ca_pem: bothOf(modelCaOf(entry), commonCa),
    key: () => modelKeyOf(entry),
    hasKey: entry.key !== "" || entry.key_file !== "",
  };
}

export function serverOfRow(row: ModelServer, open: (row: ModelServer) => string | null): KnownServer {
  return {
    id: row.id,
    name: row.name,
    role: row.role,
    source: "dashboard",
    organisation: row.organisation_id,
    base_url: row.base_url,
    command: [],
    model: row.model,
    voice: row.voice,
    languages: row.languages,
    ca_pem: row.ca_pem,
    first_ms: row.first_ms,
    total_ms: row.total_ms,
    is_default: row.is_default,
    key: () => open(row),
    hasKey: row.sealed_key !== null,
  };
}

/** Public view: without the key and without a program's arguments, which may contain one. */
export function serverView(server: KnownServer) {
  return {
    server_id: server.id,
    name: server.name,
    role: server.role,
    source: server.source,
    base_url: server.base_url,
    program: server.command[0] ?? null,
    has_key: server.hasKey,
    model: server.model,
    voice: server.voice,
    languages: [...server.languages],
    ca_pem: server.source === "settings" ? null : server.ca_pem,
    first_ms: server.first_ms,
    total_ms: server.total_ms,
    is_default: server.is_default,
  };
}

export type ModelServerView = ReturnType<typeof serverView>;

/** For a call; null without a known and allowed address. */
export function addressOf(
  server: KnownServer,
  addresses: readonly string[],
  commonCa: string | null,
): ServerAddress | CommandAddress | null {
  const { id, name, languages, total_ms: totalMs } = server;
  if (server.base_url === null) return { kind: "command", id, name, command: server.command, languages, totalMs };
  if (addresses.length === 0) return null;
  return {
    kind: "openai",
    id,
    name,
    baseUrl: server.base_url,
    key: server.key(),
    model: server.model,
    voice: server.voice === "" ? null : server.voice,
    languages,
    caPem: server.source === "settings" ? server.ca_pem : bothOf(server.ca_pem, commonCa),
    addresses,
    firstMs: server.first_ms,
    totalMs,
  };
}

export function cleanUrl(text: string): string {
  return text.trim().replace(/\/+$/, "");
}

function bothOf(own: string | null, common: string | null): string | null {
  return own === null || common === null ? (own ?? common) : `${own}\n${common}`;
}
