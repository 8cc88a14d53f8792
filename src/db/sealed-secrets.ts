// What the database holds that only the root key opens, and what of it a given key does not: asked before a key is made or
// believed, so that a lost key is told in words and not by calls and deliveries that fail one by one.
import { createSecretBox } from "../core/secret-box.ts";
import { openReader, type Connection } from "./connection.ts";

/** What each sealed text is bound to; see SecretBox. */
export const ENDPOINT_PURPOSE = "webhook-endpoint";
export const HOOK_PURPOSE = "inbound-hook";
/** A sealed password moved to another trunk does not open. */
export const trunkPurpose = (id: string): string => `trunk/${id}`;
export const modelServerPurpose = (id: string): string => `model-server/${id}`;

const SEALED_KINDS = ["endpoints", "hooks", "trunks", "modelServers"] as const;
export type SealedCounts = Readonly<Record<(typeof SEALED_KINDS)[number], number>>;

interface SealedText {
  sealed: string;
  purpose: string;
}

/** Trunks of the settings are left out: their passwords are sealed anew at each start. */
const QUERIES: Readonly<Record<keyof SealedCounts, { table: string; sql: string }>> = {
  endpoints: {
    table: "webhook_endpoints",
    sql: `SELECT sealed_secret AS sealed, '${ENDPOINT_PURPOSE}' AS purpose FROM webhook_endpoints`,
  },
  hooks: {
    table: "inbound_hooks",
    sql: `SELECT sealed_signing_secret AS sealed, '${HOOK_PURPOSE}' AS purpose FROM inbound_hooks`,
  },
  trunks: {
    table: "trunks",
    sql:
      `SELECT sealed_secret AS sealed, '${trunkPurpose("")}' || id AS purpose FROM trunks ` +
      "WHERE sealed_secret IS NOT NULL AND source <> 'settings'",
  },
  modelServers: {
    table: "model_servers",
    sql:
      `SELECT sealed_key AS sealed, '${modelServerPurpose("")}' || id AS purpose FROM model_servers ` +
      "WHERE sealed_key IS NOT NULL",
  },
};

/** How many secrets the key does not open; without a key, how many there are. Reads, and changes nothing. */
export function shutSecrets(databaseFile: string, rootKey: Uint8Array | null): SealedCounts {
  const connection = openReader(databaseFile);
  try {
    const isShut = rootKey === null ? () => true : shutTo(rootKey);
    const count = (kind: keyof SealedCounts) => sealedTexts(connection, kind).filter(isShut).length;
    return {
      endpoints: count("endpoints"),
      hooks: count("hooks"),
      trunks: count("trunks"),
      modelServers: count("modelServers"),
    };
  } finally {
    connection.close();
  }
}

export function isAnyShut(counts: SealedCounts): boolean {
  return SEALED_KINDS.some((kind) => counts[kind] > 0);
}

/** For a sentence: "the signing secrets of 2 webhook endpoints and the passwords of 1 trunk". */
export function shutWords({ endpoints, hooks, trunks, modelServers }: SealedCounts): string {
  const parts = [
    ...(endpoints > 0 ? [`the signing secrets of ${counted(endpoints, "webhook endpoint")}`] : []),
    ...(hooks > 0 ? [`the signing secrets of ${counted(hooks, "inbound webhook")}`] : []),
    ...(trunks > 0 ? [`the passwords of ${counted(trunks, "trunk")}`] : []),
    ...(modelServers > 0 ? [`the keys of ${counted(modelServers, "model server")}`] : []),
  ];
  return parts.length < 2 ? parts.join("") : `${parts.slice(0, -1).join(", ")} and ${parts.at(-1)}`;
}

/** What a person does about each kind once the old key is given up. */
export function renewWords({ endpoints, hooks, trunks, modelServers }: SealedCounts): string[] {
  return [
    ...(endpoints > 0
      ? ['"ringward endpoints rotate ID" for each webhook endpoint, and the new secret at its receiver']
      : []),
    ...(hooks > 0 ? ['"ringward hook regenerate" for each inbound webhook, which also gives it a new address'] : []),
    ...(trunks > 0 ? ['"ringward trunks change NAME --secret-file FILE" for each trunk'] : []),
    ...(modelServers > 0 ? ['"ringward servers change NAME --key-file FILE" for each model server'] : []),
  ];
}

function counted(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? "" : "s"}`;
}

/** A backup of an early version has not every table. */
function sealedTexts(connection: Connection, kind: keyof SealedCounts): SealedText[] {
  const { table, sql } = QUERIES[kind];
  const isThere = connection.prepare("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?").get(table);
  return isThere === undefined ? [] : (connection.prepare(sql).all() as SealedText[]);
}

function shutTo(rootKey: Uint8Array): (text: SealedText) => boolean {
  const box = createSecretBox(rootKey);
  return ({ sealed, purpose }) => {
    try {
      box.open(sealed, purpose);
      return false;
    } catch {
      return true;
    }
  };
}
