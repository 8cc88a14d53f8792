// Loader for the configuration. Precedence: embedded defaults, file, environment, command line. All faults are reported
// at once, by key.
import { accessSync, constants, readFileSync } from "node:fs";
import { resolve } from "node:path";
import defaultToml from "../../config/default.toml" with { type: "text" };
import { messageOf } from "../core/errors.ts";
import { findFaults } from "./faults.ts";
import { readCertificate } from "./certificate-files.ts";
import { ConfigSchema, type Config } from "./schema.ts";
import { modelEntry, modelEntryFaults } from "./model-entries.ts";
import { setPath, tablesOf, type Table } from "./tables.ts";
import { entryFaults, trunkEntry } from "./trunk-entries.ts";

/** Bun's types declare a .toml import as a table; imported as text it is a string. */
const DEFAULT_TOML = String(defaultToml);

const ENV_PREFIX = "RINGWARD_";

export class ConfigError extends Error {
  constructor(readonly faults: readonly string[]) {
    super(
      `The configuration has ${faults.length} fault${faults.length === 1 ? "" : "s"}:\n${faults.map((fault) => `  - ${fault}`).join("\n")}`,
    );
    this.name = "ConfigError";
  }
}

export interface ConfigSources {
  file?: string | undefined;
  environment?: Record<string, string | undefined>;
  /** Dotted keys from command-line flags, e.g. `{ "server.port": 9000 }`. They override everything else. */
  flags?: Record<string, string | number>;
  /** Reads only these sections of the file and the environment; faults in others are ignored. */
  only?: readonly (keyof Config)[];
}

export function loadConfig({ file, environment = process.env, flags = {}, only }: ConfigSources = {}): Config {
  const faults: string[] = [];
  const settings = tablesOf(Bun.TOML.parse(DEFAULT_TOML));

  const isWanted = ([key]: readonly string[]) => only === undefined || only.some((wanted) => wanted === key);

  if (file !== undefined) {
    const wanted = Object.entries(readTomlFile(file, faults)).filter(([key]) => isWanted([key]));
    overlay(settings, Object.fromEntries(wanted), [], faults);
  }
  for (const [name, text] of Object.entries(environment)) {
    if (!name.startsWith(ENV_PREFIX) || text === undefined) continue;
    const path = name.slice(ENV_PREFIX.length).toLowerCase().split("__");
    if (!isWanted(path)) continue;
    if (path[0] === "trunks" && path.length === 3 && !namesTrunk(settings, path[1] ?? "", faults)) continue;
    if (isOfModelServer(path, 4) && !namesModelServer(settings, path[2] ?? "", faults)) continue;
    const known = setPath(settings, path, (present) => fromText(text, present));
    if (!known) faults.push(`${name}: no such key (it would be ${path.join(".")}).`);
  }
  for (const [key, value] of Object.entries(flags)) setPath(settings, key.split("."), () => value);

  faults.push(...readMetricsToken(settings));
  faults.push(...findFaults(ConfigSchema, settings), ...pairFaults(settings), ...fileFaults(settings));
  faults.push(...entryFaults(settings["trunks"]), ...sipTlsFaults(settings));
  faults.push(...modelEntryFaults(valueAt(settings, "models.servers")));
  if (faults.length > 0) throw new ConfigError(faults);
  return completed(settings as Config);
}

function readTomlFile(file: string, faults: string[]): Table {
  try {
    return tablesOf(Bun.TOML.parse(readFileSync(file, "utf8")));
  } catch (error) {
    // The parser quotes the offending text, which may be a secret without quotation marks.
    faults.push(`${file}: cannot be read as TOML: ${messageOf(error).replace(/"[^"]*"/g, "…")}`);
    return {};
  }
}

function overlay(settings: Table, changes: Table, path: string[], faults: string[]): void {
  for (const [key, value] of Object.entries(changes)) {
    const here = [...path, key];
    if (path[0] === "trunks" && path.length === 1 && isTable(value)) {
      const entry = trunkEntry(settings, key, faults);
      if (entry) overlay(entry, value, here, faults);
      continue;
    }
    if (isOfModelServer(here, 3) && isTable(value)) {
      const entry = modelEntry(settings, key, faults);
      if (entry) overlay(entry, value, here, faults);
      continue;
    }
    const present = Object.hasOwn(settings, key) ? settings[key] : undefined;
    if (present === undefined) faults.push(`${here.join(".")}: no such key.`);
    else if (isTable(present) && isTable(value)) overlay(present, value, here, faults);
    else settings[key] = value;
  }
}

/** Trunk names are free: the first mention of a trunk creates it with the defaults. */
function namesTrunk(settings: Table, name: string, faults: string[]): boolean {
  const { trunks } = settings;
  return isTable(trunks) && trunkEntry(trunks, name, faults) !== null;
}

const isOfModelServer = (path: readonly string[], length: number) =>
  path[0] === "models" && path[1] === "servers" && path.length === length;

function namesModelServer(settings: Table, name: string, faults: string[]): boolean {
  const servers = valueAt(settings, "models.servers");
  return isTable(servers) && modelEntry(servers, name, faults) !== null;
}

/** Environment values are text; the type of the default decides how the text is parsed. */
function fromText(text: string, present: unknown): unknown {
  const isNumber = /^-?[0-9]+(\.[0-9]+)?$/.test(text);
  // A limit may default to "unlimited", or a count to "auto", so numeric text becomes a number unless text is expected.
  if (isNumber && (typeof present === "number" || present === "unlimited" || present === "auto")) return Number(text);
  if (typeof present === "boolean" && (text === "true" || text === "false")) return text === "true";
  if (Array.isArray(present)) return text === "" ? [] : text.split(",").map((item) => item.trim());
  return text;
}

function isTable(value: unknown): value is Table {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The text at a key, or "" if the key is invalid, which is reported elsewhere. */
function textAt(settings: Table, key: string): string {
  const value = valueAt(settings, key);
  return typeof value === "string" ? value : "";
}

function valueAt(settings: Table, key: string): unknown {
  let value: unknown = settings;
  for (const part of key.split(".")) value = isTable(value) ? value[part] : undefined;
  return value;
}

function numbersAt(settings: Table, [first, second]: readonly [string, string]): readonly [number, number] | null {
  const low = valueAt(settings, first);
  const high = valueAt(settings, second);
  return typeof low === "number" && typeof high === "number" ? [low, high] : null;
}

function pairFaults(settings: Table): string[] {
  const has = (key: string) => textAt(settings, key) !== "";
  const faults: string[] = [];
  if (has("server.tls_cert_file") !== has("server.tls_key_file")) {
    faults.push("server.tls_cert_file and server.tls_key_file: give both, or neither.");
  } else if (has("server.tls_cert_file")) {
    faults.push(...certificateFaults(settings, "server"));
  }
  if (has("setup.owner_email") && !(has("setup.organisation") && has("setup.owner_password_file"))) {
    faults.push("setup.owner_email: also give setup.organisation and setup.owner_password_file.");
  }
  const rtp = numbersAt(settings, ["telephony.sip.rtp_port_from", "telephony.sip.rtp_port_to"]);
  if (rtp !== null && rtp[1] - rtp[0] < 1) {
    faults.push("telephony.sip.rtp_port_to: must lie above rtp_port_from: a call needs two ports.");
  }
  return faults;
}

function sipTlsFaults(settings: Table): string[] {
  const at = (key: string) => `telephony.sip.${key}`;
  const port = valueAt(settings, at("tls_port"));
  const certFile = textAt(settings, at("tls_cert_file"));
  const keyFile = textAt(settings, at("tls_key_file"));
  if (port === 0 && certFile === "" && keyFile === "") return [];
  if (port === 0) return [`${at("tls_port")}: give the port that the certificate is for, usually 5061.`];
  if (certFile === "" || keyFile === "") {
    return [`${at("tls_port")}: also give ${at("tls_cert_file")} and ${at("tls_key_file")}.`];
  }
  if (port === valueAt(settings, at("port"))) {
    return [`${at("tls_port")}: must be another port than ${at("port")}, which serves TCP.`];
  }
  return certificateFaults(settings, "telephony.sip");
}

/** Checked at load, before any listener uses the files. */
function certificateFaults(settings: Table, table: string): string[] {
  const certFile = textAt(settings, `${table}.tls_cert_file`);
  const keyFile = textAt(settings, `${table}.tls_key_file`);
  const read = readCertificate({ table, certFile, keyFile });
  return typeof read === "string" ? [read] : [];
}

/** A token from a file replaces the one in the settings and is validated like it. */
function readMetricsToken(settings: Table): string[] {
  const file = textAt(settings, "metrics.token_file");
  if (file === "") return [];
  if (textAt(settings, "metrics.token") !== "") return ["metrics.token and metrics.token_file: give one, not both."];
  try {
    const token = readFileSync(file, "utf8").replace(/\r?\n$/, "");
    setPath(settings, ["metrics", "token"], () => token);
    // An empty file is a mistake, not a request to disable the token.
    return token === "" ? [`metrics.token_file: ${file} is empty.`] : [];
  } catch {
    // Unreadable files are reported by fileFaults.
    return [];
  }
}

/** Files named in the settings are checked at start, not when they are first needed. */
function fileFaults(settings: Table): string[] {
  return [
    "database.password_file",
    "database.ca_file",
    "webhooks.ca_file",
    "models.ca_file",
    "metrics.token_file",
  ].flatMap((key) => {
    const file = textAt(settings, key);
    if (file === "") return [];
    try {
      accessSync(file, constants.R_OK);
      return [];
    } catch {
      return [`${key}: ${file} cannot be read.`];
    }
  });
}

function completed(config: Config): Config {
  const { tls_cert_file, port } = config.server;
  const base_url = (config.base_url || `${tls_cert_file ? "https" : "http"}://localhost:${port}`).replace(/\/+$/, "");
  return {
    ...config,
    base_url,
    dashboard_url: (config.dashboard_url || `${base_url}/dashboard`).replace(/\/+$/, ""),
    data: { ...config.data, dir: resolve(config.data.dir) },
  };
}
