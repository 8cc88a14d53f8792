// Loader for the configuration. Precedence: embedded defaults, file, environment, command line. All faults are reported
// at once, by key.
import { accessSync, constants, readFileSync } from "node:fs";
import { resolve } from "node:path";
import defaultToml from "../../config/default.toml" with { type: "text" };
import { messageOf } from "../core/errors.ts";
import { backupFaults, readBackupSecret } from "./backup-settings.ts";
import { isLoopbackHost } from "../net/host-name.ts";
import { findFaults } from "./faults.ts";
import { readCertificate } from "./certificate-files.ts";
import { ConfigSchema, type Config } from "./schema.ts";
import { modelEntry, modelEntryFaults } from "./model-entries.ts";
import { readSignInSecrets, SIGN_IN_FILES, signInFaults } from "./sign-in-settings.ts";
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
  /** Dotted keys that replace embedded defaults, e.g. in a demo. Every other source overrides them. */
  defaults?: Record<string, boolean>;
  file?: string | undefined;
  environment?: Record<string, string | undefined>;
  /** Dotted keys from command-line flags, e.g. `{ "server.port": 9000 }`. They override everything else. */
  flags?: Record<string, string | number>;
  /** Reads only these sections of the file and the environment; faults in others are ignored. */
  only?: readonly (keyof Config)[];
}

export function loadConfig(sources: ConfigSources = {}): Config {
  const { defaults = {}, file, environment = process.env, flags = {}, only } = sources;
  const faults: string[] = [];
  const settings = tablesOf(Bun.TOML.parse(DEFAULT_TOML));
  for (const [key, value] of Object.entries(defaults)) setPath(settings, key.split("."), () => value);

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

  for (const [section, key] of [
    ["metrics", "token"],
    ["mail", "password"],
  ] as const)
    faults.push(...secretFromFile(settings, section, key));
  faults.push(...readBackupSecret(settings), ...readSignInSecrets(settings));
  const misfits = findFaults(ConfigSchema, settings);
  if (!misfits.some((fault) => fault.startsWith("sign_in."))) faults.push(...signInFaults(settings));
  faults.push(...misfits, ...pairFaults(settings), ...fileFaults(settings));
  faults.push(...backupFaults(settings));
  faults.push(...entryFaults(settings["trunks"]), ...sipTlsFaults(settings), ...mailFaults(settings));
  faults.push(...modelEntryFaults(valueAt(settings, "models.servers")));
  if (faults.length > 0) throw new ConfigError(faults);
  return completed(settings as Config);
}

/** A variable that a file names as the source of a secret. */
export const environmentVariable = (name: string): string | undefined => process.env[name];

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
  if ((typeof present === "boolean" || present === "auto") && (text === "true" || text === "false"))
    return text === "true";
  if (Array.isArray(present) && text.startsWith("[{")) return listFromJson(text);
  if (Array.isArray(present)) return text === "" ? [] : text.split(",").map((item) => item.trim());
  return text;
}

/** A list of tables. The schema reports text that is none. */
function listFromJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
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
  const command = valueAt(settings, "security.key_command");
  const sources = [has("security.root_key"), has("security.key_file"), Array.isArray(command) && command.length > 0];
  if (sources.filter(Boolean).length > 1)
    faults.push("security.root_key, security.key_file and security.key_command: give one of them.");
  faults.push(...hl7Faults(settings, has), ...syslogFaults(settings, has));
  if (has("setup.owner_email") && !(has("setup.organisation") && has("setup.owner_password_file"))) {
    faults.push("setup.owner_email: also give setup.organisation and setup.owner_password_file.");
  }
  const rtp = numbersAt(settings, ["telephony.sip.rtp_port_from", "telephony.sip.rtp_port_to"]);
  if (rtp !== null && rtp[1] - rtp[0] < 1) {
    faults.push("telephony.sip.rtp_port_to: must lie above rtp_port_from: a call needs two ports.");
  }
  return faults;
}

function hl7Faults(settings: Table, has: (key: string) => boolean): string[] {
  if (has("hl7.tls_cert_file") !== has("hl7.tls_key_file"))
    return ["hl7.tls_cert_file and hl7.tls_key_file: give both, or neither."];
  if (has("hl7.client_ca_file") && !has("hl7.tls_cert_file"))
    return ["hl7.client_ca_file: also give hl7.tls_cert_file and hl7.tls_key_file."];
  if (has("hl7.client_crl_file") && !has("hl7.client_ca_file"))
    return ["hl7.client_crl_file: also give hl7.client_ca_file."];
  const allow = valueAt(settings, "hl7.allow");
  if (valueAt(settings, "hl7.port") !== 0 && Array.isArray(allow) && allow.length === 0)
    return ["hl7.allow: list the addresses of the systems that send to hl7.port."];
  return has("hl7.tls_cert_file") ? certificateFaults(settings, "hl7") : [];
}

function syslogFaults(settings: Table, has: (key: string) => boolean): string[] {
  if (has("syslog.tls_cert_file") !== has("syslog.tls_key_file"))
    return ["syslog.tls_cert_file and syslog.tls_key_file: give both, or neither."];
  const needsTls = ["syslog.ca_file", "syslog.tls_cert_file"].find(has);
  if (needsTls !== undefined && !textAt(settings, "syslog.address").startsWith("tls:"))
    return [`${needsTls}: it is for an address that begins with tls:// alone.`];
  return has("syslog.tls_cert_file") ? certificateFaults(settings, "syslog") : [];
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

function mailFaults(settings: Table): string[] {
  const mail = (key: string) => textAt(settings, `mail.${key}`);
  const host = mail("host");
  if (host === "") {
    const others = ["username", "password", "from"].filter((key) => mail(key) !== "");
    const to = valueAt(settings, "mail.alarms_to");
    return others.length > 0 || (Array.isArray(to) && to.length > 0) ? ["mail.host: give the SMTP server."] : [];
  }
  return [
    ...(mail("from") === "" ? ["mail.from: give the sender's address."] : []),
    ...(textAt(settings, "base_url") === ""
      ? ["mail.host: also give base_url, which links in e-mails begin with."]
      : []),
    ...((mail("username") === "") === (mail("password") === "")
      ? []
      : ["mail.username and mail.password: give both, or neither."]),
    ...(mail("security") === "plain" && !isLoopbackHost(host)
      ? ["mail.security: plain is accepted only for a server on this machine. Use starttls or tls."]
      : []),
  ];
}

/** Checked at load, before any listener uses the files. */
function certificateFaults(settings: Table, table: string): string[] {
  const certFile = textAt(settings, `${table}.tls_cert_file`);
  const keyFile = textAt(settings, `${table}.tls_key_file`);
  const read = readCertificate({ table, certFile, keyFile });
  return typeof read === "string" ? [read] : [];
}

/** A secret from a file replaces the one in the settings and is validated like it. */
function secretFromFile(settings: Table, table: string, key: string): string[] {
  const file = textAt(settings, `${table}.${key}_file`);
  if (file === "") return [];
  if (textAt(settings, `${table}.${key}`) !== "")
    return [`${table}.${key} and ${table}.${key}_file: give one, not both.`];
  try {
    const secret = readFileSync(file, "utf8").replace(/\r?\n$/, "");
    setPath(settings, [table, key], () => secret);
    // An empty file is a mistake, not a request to disable the secret.
    return secret === "" ? [`${table}.${key}_file: ${file} is empty.`] : [];
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
    "backup.s3.secret_access_key_file",
    "mail.password_file",
    "mail.ca_file",
    ...SIGN_IN_FILES,
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
