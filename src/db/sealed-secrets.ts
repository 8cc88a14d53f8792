// Inventory of sealed secrets in the database, and which of them a given key does not open. Checked before a key is
// generated or accepted, so a lost key is reported clearly instead of by failing calls and deliveries.
import { createSecretBox } from "../core/secret-box.ts";
import { tableNames } from "./table-names.ts";
import type { Executor, Tables } from "./tables.ts";

/** The purposes that sealed texts are bound to; see SecretBox. */
export const ENDPOINT_PURPOSE = "webhook-endpoint";
export const QUESTION_PURPOSE = "call-question";
export const HOOK_PURPOSE = "inbound-hook";
export const PROOF_KEY_PURPOSE = "proof-key";
/** A sealed password moved to another trunk does not open. */
export const trunkPurpose = (id: string): string => `trunk/${id}`;
export const totpPurpose = (id: string): string => `totp/${id}`;
export const modelServerPurpose = (id: string): string => `model-server/${id}`;

const SEALED_KINDS = ["endpoints", "hooks", "questions", "trunks", "modelServers", "proofKeys", "totp"] as const;
export type SealedCounts = Readonly<Record<(typeof SEALED_KINDS)[number], number>>;

interface SealedText {
  sealed: string;
  purpose: string;
}

interface Kept {
  table: keyof Tables;
  texts(executor: Executor): Promise<SealedText[]>;
}

const KEPT: Readonly<Record<keyof SealedCounts, Kept>> = {
  endpoints: {
    table: "webhook_endpoints",
    async texts(executor) {
      const rows = await executor.selectFrom("webhook_endpoints").select("sealed_secret as sealed").execute();
      return rows.map(({ sealed }) => ({ sealed, purpose: ENDPOINT_PURPOSE }));
    },
  },
  hooks: {
    table: "inbound_hooks",
    async texts(executor) {
      const rows = await executor.selectFrom("inbound_hooks").select("sealed_signing_secret as sealed").execute();
      return rows.map(({ sealed }) => ({ sealed, purpose: HOOK_PURPOSE }));
    },
  },
  questions: {
    table: "call_questions",
    async texts(executor) {
      const rows = await executor.selectFrom("call_questions").select("sealed_secret as sealed").execute();
      return rows.map(({ sealed }) => ({ sealed, purpose: QUESTION_PURPOSE }));
    },
  },
  trunks: {
    table: "trunks",
    async texts(executor) {
      // Trunks from the settings are excluded: their passwords are sealed again at each start.
      const query = executor.selectFrom("trunks").select(["id", "sealed_secret as sealed"]);
      const rows = await query.where("sealed_secret", "is not", null).where("source", "<>", "settings").execute();
      return rows.flatMap(({ id, sealed }) => (sealed === null ? [] : [{ sealed, purpose: trunkPurpose(id) }]));
    },
  },
  modelServers: {
    table: "model_servers",
    async texts(executor) {
      const query = executor.selectFrom("model_servers").select(["id", "sealed_key as sealed"]);
      const rows = await query.where("sealed_key", "is not", null).execute();
      return rows.flatMap(({ id, sealed }) => (sealed === null ? [] : [{ sealed, purpose: modelServerPurpose(id) }]));
    },
  },
  totp: {
    table: "totp_secrets",
    async texts(executor) {
      const rows = await executor.selectFrom("totp_secrets").select(["id", "sealed_secret as sealed"]).execute();
      return rows.map(({ id, sealed }) => ({ sealed, purpose: totpPurpose(id) }));
    },
  },
  proofKeys: {
    table: "proof_keys",
    async texts(executor) {
      const query = executor.selectFrom("proof_keys").select("sealed_seed as sealed");
      const rows = await query.where("sealed_seed", "is not", null).where("retired_at", "is", null).execute();
      return rows.flatMap(({ sealed }) => (sealed === null ? [] : [{ sealed, purpose: PROOF_KEY_PURPOSE }]));
    },
  },
};

export const NOTHING_SHUT: SealedCounts = {
  endpoints: 0,
  hooks: 0,
  questions: 0,
  trunks: 0,
  modelServers: 0,
  proofKeys: 0,
  totp: 0,
};

/** Number of secrets the key does not open; without a key, the number of all secrets. */
export async function shutSecrets(executor: Executor, rootKey: Uint8Array | null): Promise<SealedCounts> {
  const isShut = rootKey === null ? () => true : shutTo(rootKey);
  // A backup of an early version may lack some tables.
  const tables = await tableNames(executor);
  const counts: Record<keyof SealedCounts, number> = { ...NOTHING_SHUT };
  for (const kind of SEALED_KINDS) {
    if (tables.has(KEPT[kind].table)) counts[kind] = (await KEPT[kind].texts(executor)).filter(isShut).length;
  }
  return counts;
}

export function isAnyShut(counts: SealedCounts): boolean {
  return SEALED_KINDS.some((kind) => counts[kind] > 0);
}

/** Fragment of a sentence: "the signing secrets of 2 webhook endpoints and the passwords of 1 trunk". */
export function shutWords({
  endpoints,
  hooks,
  questions,
  trunks,
  modelServers,
  proofKeys,
  totp,
}: SealedCounts): string {
  const parts = [
    ...(endpoints > 0 ? [`the signing secrets of ${counted(endpoints, "webhook endpoint")}`] : []),
    ...(hooks > 0 ? [`the signing secrets of ${counted(hooks, "inbound webhook")}`] : []),
    ...(questions > 0 ? [`the signing secrets of ${counted(questions, "question")} before calls`] : []),
    ...(trunks > 0 ? [`the passwords of ${counted(trunks, "trunk")}`] : []),
    ...(modelServers > 0 ? [`the keys of ${counted(modelServers, "model server")}`] : []),
    ...(proofKeys > 0 ? ["the key that signs proofs of calls"] : []),
    ...(totp > 0 ? [`the authenticator apps of ${totp === 1 ? "1 person" : `${totp} people`}`] : []),
  ];
  return parts.length < 2 ? parts.join("") : `${parts.slice(0, -1).join(", ")} and ${parts.at(-1)}`;
}

/** How a person renews each kind of secret after giving up the old key. */
export function renewWords({
  endpoints,
  hooks,
  questions,
  trunks,
  modelServers,
  proofKeys,
  totp,
}: SealedCounts): string[] {
  return [
    ...(endpoints > 0
      ? ['"ringward endpoints rotate ID" for each webhook endpoint, and the new secret at its receiver']
      : []),
    ...(hooks > 0 ? ['"ringward hook regenerate" for each inbound webhook, which also gives it a new address'] : []),
    ...(questions > 0 ? ['"ringward question rotate" for each organisation that asks before calls'] : []),
    ...(trunks > 0 ? ['"ringward trunks change NAME --secret-file FILE" for each trunk'] : []),
    ...(modelServers > 0 ? ['"ringward servers change NAME --key-file FILE" for each model server'] : []),
    ...(proofKeys > 0
      ? ['"ringward proof key" once the server seals proofs again with a new key, and publish the new public key']
      : []),
    ...(totp > 0 ? ['"ringward people reset-factor EMAIL" for each person with an authenticator app'] : []),
  ];
}

function counted(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? "" : "s"}`;
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
