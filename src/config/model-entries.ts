// Model servers in the settings: [models.servers.NAME] in the file, RINGWARD_MODELS__SERVERS__NAME__KEY in the
// environment. Only here may a server also be a local program.
import { Type, type Static } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";
import { readFileSync } from "node:fs";
import { MODEL_DEFAULTS, ModelFields, modelFaults } from "./model-fields.ts";
import type { Table } from "./tables.ts";
import { isCertificatePem } from "./trunk-fields.ts";

export const ModelEntry = Type.Object(
  {
    ...ModelFields,
    command: Type.Array(Type.String({ minLength: 1, maxLength: 1_000 }), {
      maxItems: 50,
      allowed: "a program and its arguments, each in quotes",
    }),
    key_file: Type.String(),
    ca_file: Type.String(),
    organisation: Type.String({ maxLength: 200 }),
  },
  { additionalProperties: false },
);
export type ModelEntry = Static<typeof ModelEntry>;

export const ModelEntries = Type.Record(Type.String(), ModelEntry);

export const MODEL_ENTRY_DEFAULTS: ModelEntry = {
  role: "language",
  base_url: "",
  ...MODEL_DEFAULTS,
  command: [],
  key_file: "",
  ca_file: "",
  organisation: "",
};

const NAME = /^[a-z0-9][a-z0-9-]{0,59}$/;

/** The entry with this name, created if missing. Null, with a fault, if the name is invalid. */
export function modelEntry(servers: Table, name: string, faults: string[]): Table | null {
  if (!NAME.test(name)) {
    faults.push(`models.servers.${name}: a server's name is lower-case letters, digits and "-", at most 60.`);
    return null;
  }
  const present = Object.hasOwn(servers, name) ? servers[name] : undefined;
  if (present !== undefined) return typeof present === "object" ? (present as Table | null) : null;
  const made: Table = { ...MODEL_ENTRY_DEFAULTS };
  servers[name] = made;
  return made;
}

/** Checks beyond the schema. Entries that already fail the schema are skipped. */
export function modelEntryFaults(servers: unknown): string[] {
  if (!Value.Check(ModelEntries, servers)) return [];
  return Object.entries(servers).flatMap(([name, entry]) =>
    faultsOf(entry).map((fault) => `models.servers.${name}${fault}`),
  );
}

function faultsOf(entry: ModelEntry): string[] {
  const faults: string[] = [];
  if (entry.command.length > 0) {
    if (entry.role === "language")
      faults.push(".command: a program can be a recogniser or a voice, no language model.");
    if (entry.base_url !== "") faults.push(": give base_url or command, not both.");
  } else {
    faults.push(...modelFaults(entry).map(({ field, message }) => `.${field}: ${message.replace(/^\w+ /, "")}`));
  }
  if (entry.key !== "" && entry.key_file !== "") faults.push(": give key or key_file, not both.");
  if (entry.key_file !== "") {
    const text = textOf(entry.key_file);
    if (text === null) faults.push(`.key_file: ${entry.key_file} cannot be read.`);
    else if (text === "" || !Value.Check(ModelFields.key, text)) {
      faults.push(`.key_file: ${entry.key_file} must hold the key alone, in one line.`);
    }
  }
  if (entry.ca_file !== "") {
    const text = textOf(entry.ca_file);
    if (text === null) faults.push(`.ca_file: ${entry.ca_file} cannot be read.`);
    else if (!isCertificatePem(text)) {
      faults.push(`.ca_file: ${entry.ca_file} must be PEM: one or more BEGIN CERTIFICATE blocks.`);
    }
  }
  return faults;
}

/** The key of an entry, from the settings or its file; null if it has none. */
export function modelKeyOf({ key, key_file }: ModelEntry): string | null {
  const text = key_file === "" ? key : (textOf(key_file) ?? "");
  return text === "" ? null : text;
}

export function modelCaOf({ ca_file }: Pick<ModelEntry, "ca_file">): string | null {
  return ca_file === "" ? null : textOf(ca_file);
}

/** Without a trailing line break; null if the file cannot be read. */
function textOf(file: string): string | null {
  try {
    return readFileSync(file, "utf8").replace(/\r?\n$/, "");
  } catch {
    return null;
  }
}
