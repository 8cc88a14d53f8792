// A campaign retry of more rows than one transaction holds, interrupted between two transactions: the repeat resumes
// where it stopped.
import { afterEach, beforeEach, expect, test } from "bun:test";
import { MINUTE_MS } from "../../src/core/clock.ts";
import { AppError } from "../../src/core/errors.ts";
import { ROWS_PER_COMMAND } from "../../src/campaigns/preparations.ts";
import { createHospital, type Hospital } from "../support/hospital.ts";

const ROWS = 2 * ROWS_PER_COMMAND + 100;

let hospital: Hospital;
let id: string;
beforeEach(async () => {
  hospital = await createHospital();
  // Not started: no call is dialled, so each row keeps its given state.
  const rows = Array.from({ length: ROWS }, (_, i) => ({ user_number: `+9198100${String(10_000 + i)}` }));
  const body = { name: "Recall", agent_id: hospital.agentId, rows };
  const answer = await hospital.request("POST", "/v1/campaigns", { body });
  id = answer.json.data["campaign_id"]!;
  await fail(() => true);
  await hospital.db.write((tx) => tx.updateTable("campaigns").set({ state: "finished" }).execute());
});
afterEach(() => hospital.close());

/** Marks these rows as not answered. */
async function fail(isSo: (row: number) => boolean): Promise<void> {
  const numbers = Array.from({ length: ROWS }, (_, i) => i + 1).filter(isSo);
  await hospital.db.write((tx) =>
    tx
      .updateTable("campaign_rows")
      .set({ state: "done", outcome: "no_answer", attempts: 1 })
      .where("row_number", "in", numbers)
      .execute(),
  );
}

async function waiting(): Promise<number[]> {
  const rows = await hospital.db.reader
    .selectFrom("campaign_rows")
    .select("row_number")
    .where("state", "=", "waiting")
    .orderBy("row_number")
    .execute();
  return rows.map(({ row_number }) => row_number);
}

const retry = (key = "once", query = "") =>
  hospital.request("POST", `/v1/campaigns/${id}/retry${query}`, { headers: { "idempotency-key": key } });

/** Ends the process after `commits` of the retry; committed rows stay. */
async function cutOff(commits: number): Promise<void> {
  const { db } = hospital;
  const write = db.write;
  let begun = 0;
  db.write = (work) => (begun++ < commits ? write(work) : Promise.reject(new AppError("UNAVAILABLE", "Gone.")));
  const { status } = await retry().finally(() => void (db.write = write));
  expect(status).toBe(503);
}

const upTo = (last: number) => Array.from({ length: last }, (_, i) => i + 1);

test("a repeat with the same key resumes after the last batch, and calls no contact twice", async () => {
  // The first write clears the stopped rows.
  await cutOff(2);
  expect(await waiting()).toEqual(upTo(ROWS_PER_COMMAND));
  // Some were called meanwhile, and did not answer again.
  await fail((row) => row <= 10);
  const again = await retry();
  expect([again.status, again.headers.get("idempotent-replayed")]).toEqual([200, null]);
  expect(await waiting()).toEqual(upTo(ROWS).slice(10));

  await fail((row) => row <= 20);
  const replayed = await retry();
  expect([replayed.text, replayed.headers.get("idempotent-replayed")]).toEqual([again.text, "true"]);
  expect(await waiting()).toEqual(upTo(ROWS).slice(20));
});

test("interrupted after the last row, the repeat succeeds without a conflict", async () => {
  await cutOff(3);
  await fail((row) => row > 2 * ROWS_PER_COMMAND);
  await hospital.db.write((tx) =>
    tx
      .updateTable("campaign_rows")
      .set({ outcome: "answered" })
      .where("row_number", ">", 2 * ROWS_PER_COMMAND)
      .execute(),
  );
  expect((await retry()).status).toBe(200);
  expect(await waiting()).toEqual(upTo(2 * ROWS_PER_COMMAND));
});

test("a different request cannot use the key, and one with another key starts again", async () => {
  await cutOff(2);
  await fail((row) => row <= 10);
  expect((await retry("once", "?outcomes=busy")).json["error"]).toMatchObject({ code: "IDEMPOTENCY_KEY_REUSED" });
  expect((await retry("twice")).status).toBe(200);
  expect(await waiting()).toEqual(upTo(ROWS));
});

test("its progress expires with the key", async () => {
  await cutOff(2);
  hospital.clock.pass(25 * 60 * MINUTE_MS);
  await fail((row) => row <= 10);
  expect((await retry()).status).toBe(200);
  expect(await waiting()).toEqual(upTo(ROWS));
});
