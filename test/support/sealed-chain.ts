// Ends of calls without their lines, and the chain that is sealed from them.
import { expect } from "bun:test";
import { proofsFrom } from "../../src/rules/proof/proof-store.ts";
import { noteForProof } from "../../src/rules/proof/sealing.ts";
import { ProofChecker } from "../../src/rules/proof/verify.ts";
import type { Hospital } from "./hospital.ts";
import { endedCall } from "./proof-chain.ts";

/** Returns the calls' ids; `first` is the number of the first. */
export async function noteCalls(
  { db, organisationId }: Pick<Hospital, "db" | "organisationId">,
  count: number,
  first = 0,
): Promise<string[]> {
  const calls = Array.from({ length: count }, (_, at) => endedCall(first + at, organisationId));
  await db.write(async (tx) => {
    for (const call of calls) await noteForProof(tx, call);
  });
  return calls.map(({ callId }) => callId);
}

/** The call of every proof, checked from the first to the last. */
export async function checkedCalls({ app, db }: Pick<Hospital, "app" | "db">): Promise<string[]> {
  const rows = await proofsFrom(db.reader, 1, 10_000);
  const keys = new Set((await app.services.proofKeys.list()).map(({ public_key }) => public_key));
  const checker = new ProofChecker({ keys });
  const calls = rows.map(({ line }) => checker.add(line).call);
  expect(checker.gaps).toBe(0);
  return calls;
}
