// Ten thousand people waiting for one slot: the right one is called, and no round takes long.
import { afterEach, expect, test } from "bun:test";
import { CLI_ACTOR } from "../../src/core/actor.ts";
import type { Row } from "../../src/db/tables.ts";
import { MONDAY } from "../calendar/clinic.ts";
import { createWard, type Ward } from "./ward.ts";

let ward: Ward;
afterEach(() => ward.close());

const CROWD = 10_000;
const ROWS_A_COMMAND = 250;

/** Each person has a different waiting time, in the order of their numbers. */
async function crowd(changes: (i: number) => Partial<Row<"waiting_list">> = () => ({})): Promise<void> {
  const template = await ward.entry(await ward.waits("Template", { from: MONDAY, to: MONDAY }));
  const rows = Array.from({ length: CROWD }, (_, i) => ({
    ...template,
    id: `wtl_${String(i).padStart(6, "0")}`,
    contact_name: `Person ${i}`,
    contact_number: `+9197${String(10_000_000 + i)}`,
    created_at: template.created_at + i + 1,
    ...changes(i),
  }));
  await ward.app.services.waitingList.remove(ward.organisationId, template.id, CLI_ACTOR);
  for (let from = 0; from < CROWD; from += ROWS_A_COMMAND)
    await ward.db.write((tx) =>
      tx
        .insertInto("waiting_list")
        .values(rows.slice(from, from + ROWS_A_COMMAND))
        .execute(),
    );
  ward.clock.pass(CROWD + 1);
}

test("the first are called first, and the last is found even behind people whom the slot does not suit", async () => {
  ward = await createWard();
  // Ten available at any time, many in the evening only, and one who has waited the shortest.
  await crowd((i) => (i < 10 || i === CROWD - 1 ? {} : { sessions: "Evening" }));
  const window = await ward.createWindow({ ai_slots: 11, max_slots: 11 });
  await ward.look();
  const began = performance.now();
  await ward.look();
  console.log(`      a look among ${CROWD}: ${Math.round(performance.now() - began)} ms`);
  for (let i = 0; i < 3; i++) await ward.look();
  const called = [...Array.from({ length: 10 }, (_, i) => i), CROWD - 1].map((i) => `Person ${i} calling`);
  expect((await ward.offers()).slice(0, 11)).toEqual(called);
  const held = await ward.db.reader
    .selectFrom("slot_holds")
    .selectAll()
    .where("window_id", "=", window.calendar_id)
    .where("date", "=", MONDAY)
    .execute();
  expect(held).toHaveLength(11);
});
