// Trunks in the settings: [trunks.NAME] in the file, RINGWARD_TRUNKS__NAME__KEY in the environment. The number of
// trunks is not limited.
import { Type, type Static } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";
import { readFileSync } from "node:fs";
import type { Table } from "./tables.ts";
import { E164_NUMBER, isCertificatePem, TRUNK_DEFAULTS, TrunkFields, trunkFaults } from "./trunk-fields.ts";

export const TrunkEntry = Type.Object(
  {
    ...TrunkFields,
    ca_file: Type.String(),
    secret_file: Type.String(),
    organisation: Type.String({ maxLength: 200 }),
    numbers: Type.Array(E164_NUMBER, { maxItems: 1_000, allowed: "a list of at most 1000 numbers" }),
  },
  { additionalProperties: false },
);
export type TrunkEntry = Static<typeof TrunkEntry>;

export const TrunkEntries = Type.Record(Type.String(), TrunkEntry);

/** Every key except the host, which each trunk must set. */
export const ENTRY_DEFAULTS: Omit<TrunkEntry, "host"> = {
  ...TRUNK_DEFAULTS,
  ca_file: "",
  secret_file: "",
  organisation: "",
  numbers: [],
};

const NAME = /^[a-z0-9][a-z0-9-]{0,59}$/;

/** The entry with this name, created if missing. Null, with a fault, if the name is invalid. */
export function trunkEntry(trunks: Table, name: string, faults: string[]): Table | null {
  if (!NAME.test(name)) {
    faults.push(`trunks.${name}: a trunk's name is lower-case letters, digits and "-", at most 60.`);
    return null;
  }
  const present = Object.hasOwn(trunks, name) ? trunks[name] : undefined;
  // The schema reports a value that is not a table.
  if (present !== undefined) return typeof present === "object" ? (present as Table | null) : null;
  const made: Table = { host: "", ...ENTRY_DEFAULTS };
  trunks[name] = made;
  return made;
}

/** Checks beyond the schema. Entries that already fail the schema are skipped. */
export function entryFaults(trunks: unknown): string[] {
  if (!Value.Check(TrunkEntries, trunks)) return [];
  const faults: string[] = [];
  const trunkOfNumber = new Map<string, string>();
  for (const [name, entry] of Object.entries(trunks)) {
    const { username, secret, secret_file, ca_file, transport, numbers } = entry;
    const hasSecret = secret !== "" || secret_file !== "";
    const own = trunkFaults({ ...entry, hasSecret });
    faults.push(...own.map(({ field, message }) => `trunks.${name}.${field}: ${message.replace(/^\w+ /, "")}`));
    if (secret !== "" && secret_file !== "") faults.push(`trunks.${name}: give secret or secret_file, not both.`);
    if (secret_file !== "" && username !== "") {
      const text = textOf(secret_file);
      if (text === null) faults.push(`trunks.${name}.secret_file: ${secret_file} cannot be read.`);
      else if (!Value.Check(TrunkFields.secret, text) || text === "") {
        faults.push(`trunks.${name}.secret_file: ${secret_file} must hold the secret alone, in one line.`);
      }
    }
    if (ca_file !== "" && transport !== "tls")
      faults.push(`trunks.${name}.ca_file: it is for the transport tls alone.`);
    else if (ca_file !== "") {
      const text = textOf(ca_file);
      if (text === null) faults.push(`trunks.${name}.ca_file: ${ca_file} cannot be read.`);
      else if (!isCertificatePem(text)) {
        faults.push(`trunks.${name}.ca_file: ${ca_file} must be PEM: one or more BEGIN CERTIFICATE blocks.`);
      }
    }
    for (const number of numbers) {
      const other = trunkOfNumber.get(number);
      if (other !== undefined && other !== name) {
        faults.push(`trunks.${name}.numbers: ${number} is on the trunk ${other} already.`);
      }
      trunkOfNumber.set(number, name);
    }
  }
  return faults;
}

/** The secret of an entry, from the settings or its file; null if it has none. */
export function secretOf({ secret, secret_file }: TrunkEntry): string | null {
  const text = secret_file === "" ? secret : (textOf(secret_file) ?? "");
  return text === "" ? null : text;
}

export function caPemOf({ ca_file }: TrunkEntry): string | null {
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
