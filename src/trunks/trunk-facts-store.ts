// Facts for the doctor: every trunk of the appliance with its last state, and the numbers without a trunk.
import type { Executor } from "../db/tables.ts";
import { trunkStateMeaning, type StoredTrunkState } from "./records.ts";

export interface TrunkFacts {
  trunks: { name: string; isEnabled: boolean; asksOptions: boolean; seen: StoredTrunkState | null }[];
  /** Numbers without a trunk, or on a disabled one. */
  numbersWithoutTrunk: string[];
}

export async function trunkFacts(executor: Executor): Promise<TrunkFacts> {
  const trunks = await executor
    .selectFrom("trunks")
    .innerJoin("organisations", "organisations.id", "trunks.organisation_id")
    .selectAll("trunks")
    .select("organisations.name as organisation_name")
    .orderBy("trunks.name")
    .orderBy("trunks.id")
    .execute();
  const isShared = new Set(trunks.map(({ organisation_id }) => organisation_id)).size > 1;
  const states = trunkStateMeaning.readAll(await executor.selectFrom("trunk_states").selectAll().execute());
  const numbers = await executor
    .selectFrom("phone_numbers")
    .leftJoin("trunks", "trunks.id", "phone_numbers.trunk_id")
    .select(["phone_numbers.number", "trunks.enabled"])
    .orderBy("phone_numbers.number")
    .execute();
  return {
    trunks: trunks.map((row) => ({
      // Names are unique per organisation only.
      name: isShared ? `${row.name} of ${row.organisation_name}` : row.name,
      isEnabled: row.enabled === 1,
      asksOptions: row.options_seconds > 0,
      seen: states.find(({ trunk_id }) => trunk_id === row.id) ?? null,
    })),
    numbersWithoutTrunk: numbers.filter(({ enabled }) => enabled !== 1).map(({ number }) => number),
  };
}

export interface TrunkProtection {
  id: string;
  hasTls: boolean;
  /** Audio is encrypted, or there is no call. */
  needsSrtp: boolean;
}

/** Of trunks that are in use. */
export async function trunkProtections(executor: Executor): Promise<TrunkProtection[]> {
  const query = executor.selectFrom("trunks").select(["id", "transport", "srtp"]).where("enabled", "=", 1);
  const rows = await query.orderBy("id").execute();
  return rows.map(({ id, transport, srtp }) => ({ id, hasTls: transport === "tls", needsSrtp: srtp === "required" }));
}
