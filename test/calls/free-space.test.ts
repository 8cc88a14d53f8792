// Remnants that secure_delete leaves when SQLite moves rows between pages, and their removal by the wipe.
import { afterEach, beforeEach, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import Sqlite from "better-sqlite3";
import { CLI_ACTOR } from "../../src/core/actor.ts";
import { deleteCallTraces } from "../../src/calls/life/erasure-store.ts";
import { insertCall } from "../../src/calls/call/store.ts";
import { callRow } from "../support/call-rows.ts";
import { createHospital, type Hospital } from "../support/hospital.ts";
import { fileOf } from "../support/temp.ts";

let hospital: Hospital;
beforeEach(async () => {
  hospital = await createHospital();
});
afterEach(() => hospital.close());

/** Seeded random numbers, so that SQLite moves the same rows in every run. */
function dice(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff;
    return (state >>> 8) % below;
  };
}

const idOf = (i: number) => `call_${String(i).padStart(26, "0")}`;
const nameOf = (i: number) => `Patient<${i}>`;

/** Rows that grow after they were written, as calls do: their pages overflow and are rebuilt. */
async function fill(count: number): Promise<void> {
  const { db, organisationId, agentId } = hospital;
  const roll = dice(7);
  for (let i = 0; i < count; i++) {
    await db.write(async (tx) => {
      await insertCall(
        tx,
        callRow({
          id: idOf(i),
          organisation_id: organisationId,
          agent_id: agentId,
          state: "completed",
          contact_name: nameOf(i),
          contact_number: `+91${1_000_000_000 + roll(9_000_000_00)}`,
          additional_info: JSON.stringify({ note: "n".repeat(roll(300)) }),
        }),
      );
      if (i % 2 === 0)
        await tx
          .updateTable("calls")
          .set({ error_message: "e".repeat(200) })
          .where("id", "=", idOf(roll(i + 1)))
          .execute();
    });
  }
}

const leftOf = (indexes: number[]) => {
  const bytes = readFileSync(fileOf(hospital.db));
  return indexes.filter((i) => bytes.includes(nameOf(i)));
};

test("remnants in the free space of pages are gone after a wipe, and the database is intact", async () => {
  const count = 3_000;
  await fill(count);
  const erased = Array.from({ length: count / 5 }, (_, i) => i * 5);
  for (const i of erased) await hospital.db.write((tx) => deleteCallTraces(tx, idOf(i)));
  expect(await hospital.db.maintenance.upkeep()).toBeTrue();
  // This is why the wipe exists. If SQLite ever cleans these remnants itself, remove the wipe.
  expect(leftOf(erased).length).toBeGreaterThan(0);

  expect(await hospital.db.maintenance.wipe([])).toBeTrue();
  expect(leftOf(erased)).toEqual([]);
  const kept = Array.from({ length: count }, (_, i) => i).filter((i) => i % 5 !== 0);
  expect(leftOf(kept)).toHaveLength(kept.length);

  // Pages cached before the wipe do not bring remnants back with later changes.
  for (const i of kept.slice(0, 500)) {
    await hospital.db.write((tx) =>
      tx.updateTable("calls").set({ error_message: null }).where("id", "=", idOf(i)).execute(),
    );
  }
  await hospital.app.services.credits.grant(hospital.organisationId, 1, CLI_ACTOR);
  expect(await hospital.db.maintenance.upkeep()).toBeTrue();
  expect(leftOf(erased)).toEqual([]);
  const other = new Sqlite(fileOf(hospital.db), { readonly: true });
  expect(other.pragma("integrity_check", { simple: true })).toBe("ok");
  expect(other.prepare("SELECT count(*) AS calls FROM calls").get()).toEqual({ calls: kept.length });
  other.close();
});

test("a wipe during concurrent writes loses nothing", async () => {
  await fill(500);
  const writes = Array.from({ length: 200 }, (_, i) =>
    hospital.db.write((tx) =>
      tx
        .updateTable("calls")
        .set({ contact_email: `p${i}@example.org` })
        .where("id", "=", idOf(i))
        .execute(),
    ),
  );
  expect(await hospital.db.maintenance.wipe([])).toBeTrue();
  await Promise.all(writes);
  await hospital.db.maintenance.wipe([]);
  const rows = await hospital.db.reader
    .selectFrom("calls")
    .select("contact_email")
    .where("contact_email", "is not", null)
    .execute();
  expect(rows).toHaveLength(200);
  const other = new Sqlite(fileOf(hospital.db), { readonly: true });
  expect(other.pragma("integrity_check", { simple: true })).toBe("ok");
  other.close();
});
