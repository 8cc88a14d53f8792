// A campaign of thousands of rows, with the process killed repeatedly during import and during calling: no row is lost
// or duplicated, and no contact is dialled twice.
import { expect, test } from "bun:test";
import { ask } from "../support/api-client.ts";
import { leaveNothingBehind, tempFolder, type Running } from "../support/binary.ts";
import { command, dialled, numberEnding, startQuick } from "../support/calls.ts";
import { isOnPostgres } from "../support/engines.ts";
import { storedCount, storedRows } from "../support/stored-rows.ts";
import { until } from "../support/until.ts";
import { chanceOf } from "../support/chance.ts";

leaveNothingBehind();
const chance = chanceOf("campaigns");

/** Enough rows for a kill in the middle; PostgreSQL imports them more slowly. */
const ROWS = isOnPostgres ? 1_500 : 10_000;
const KILLS_WHILE_TAKING = 3;
const KILLS_WHILE_CALLING = 4;
/** Maximum number of calls between two kills. */
const MOST_CALLED = 80;
const ENV = {
  RINGWARD_PLANS__BASE__CONCURRENT_CALLS: "unlimited",
  RINGWARD_TELEPHONY__SIMULATOR__SPEED: "1000",
};

interface Campaign {
  state: string;
  rows: number;
  progress: Record<"waiting" | "calling" | "done" | "cancelled", number> & { outcomes: Record<string, number> };
}

/** Unique within the list. */
const contactOf = (row: number) => `+9198${String(10_000_000 + row)}`;

const list = (server: Running, count: number, first = 1) => ({
  name: "Check-ups",
  agent_id: server.demo["agent_id"],
  calls_per_minute: 6_000,
  retry: {},
  rows: Array.from({ length: count }, (_, i) => ({
    user_number: contactOf(first + i),
    user_name: `Patient ${first + i}`,
    additional_info: { doctor: "Dr. Example", visit: "annual check-up", room: i % 40 },
  })),
});

async function make(server: Running, body: object, key: string): Promise<string> {
  const answer = await ask(server, "POST", "/v1/campaigns", { body, headers: { "idempotency-key": key } });
  if (answer.status !== 201) throw new Error(`POST /v1/campaigns answered ${answer.status}: ${answer.text}`);
  return String(answer.data["campaign_id"]);
}

async function read(server: Running, id: string): Promise<Campaign> {
  return (await ask(server, "GET", `/v1/campaigns/${id}`)).data as unknown as Campaign;
}

const calledOnDisk = (dataDir: string) => storedCount(dataDir, "calls WHERE campaign_id IS NOT NULL");

/** Creates the campaign and kills the process after this many rows are written. */
async function killWhileTaking(server: Running, body: object, key: string, afterRows: number): Promise<void> {
  let isOver = false;
  const asked = make(server, body, key).then(
    () => (isOver = true),
    () => (isOver = true),
  );
  await until(() => isOver || storedCount(server.dataDir, "campaign_rows") >= afterRows, { everyMs: 1 });
  await server.kill();
  await asked;
}

async function killWhileCalling(server: Running, afterCalls: number): Promise<void> {
  await until(() => calledOnDisk(server.dataDir) >= afterCalls, { everyMs: 2 });
  await server.kill();
}

test(`${ROWS} rows, ${KILLS_WHILE_TAKING} kills during import and ${KILLS_WHILE_CALLING} during calling`, async () => {
  const dataDir = tempFolder();
  const runs: Running[] = [];
  const start = async (): Promise<Running> => {
    const server = await startQuick(ENV, { dataDir });
    runs.push(server);
    return server;
  };
  const key = crypto.randomUUID();
  let server = await start();
  const more = ["--agent", server.demo["agent_id"]!, "--lines", "500"];
  await command(server, "numbers", "add", "--number", numberEnding("0999"), ...more);
  const body = list(server, ROWS);
  for (let kill = 0; kill < KILLS_WHILE_TAKING; kill++) {
    await killWhileTaking(server, body, key, Math.floor(chance() * ROWS));
    server = await start();
  }
  const askedAt = performance.now();
  const id = await make(server, body, key);
  console.log(`      ${ROWS} rows taken in ${Math.round(performance.now() - askedAt)} ms`);
  for (let kill = 0; kill < KILLS_WHILE_CALLING; kill++) {
    await killWhileCalling(server, calledOnDisk(dataDir) + 1 + Math.floor(chance() * MOST_CALLED));
    server = await start();
  }
  // A repeated request returns the same campaign.
  expect(await make(server, body, key)).toBe(id);
  await ask(server, "POST", `/v1/campaigns/${id}/stop`);
  let campaign = await read(server, id);
  await until(async () => (campaign = await read(server, id)).progress.calling === 0, { everyMs: 50 });
  expect(campaign).toMatchObject({ state: "stopped", rows: ROWS, progress: { waiting: 0, calling: 0 } });
  expect(campaign.progress.done + campaign.progress.cancelled).toBe(ROWS);
  expect(await server.stop()).toBe(0);

  expect(storedCount(dataDir, "campaigns")).toBe(1);
  const rows = storedRows<{ row_number: number; contact_number: string; attempts: number; call_id: string | null }>(
    dataDir,
    "SELECT * FROM campaign_rows ORDER BY row_number",
  );
  expect(rows.map(({ contact_number }) => contact_number)).toEqual(body.rows.map(({ user_number }) => user_number));
  const calls = storedRows<{ id: string; contact_number: string }>(
    dataDir,
    "SELECT id, contact_number FROM calls WHERE campaign_id IS NOT NULL",
  );
  const called = rows.filter(({ call_id }) => call_id !== null);
  const joined = (pairs: readonly (readonly [string | null, string])[]) => pairs.map(String).toSorted();
  expect(joined(called.map((row) => [row.call_id, row.contact_number]))).toEqual(
    joined(calls.map((call) => [call.id, call.contact_number])),
  );
  expect(called.every(({ attempts }) => attempts === 1)).toBeTrue();
  const dials = dialled(...runs.map((run) => run.output()));
  console.log(`      ${called.length} called in ${runs.length} runs, ${dials.length} dialled`);
  expect(dials.length).toBe(new Set(dials).size);
  expect(called.length).toBeGreaterThanOrEqual(KILLS_WHILE_CALLING);
}, 300_000);

test("a list is called to its end, with progress figures and a CSV of the results", async () => {
  const server = await startQuick(ENV);
  const id = await make(server, list(server, 60, 5_000), crypto.randomUUID());
  let campaign = await read(server, id);
  await until(async () => (campaign = await read(server, id)).state === "finished", {
    everyMs: 50,
    what: () => `the campaign is ${JSON.stringify(campaign)}`,
  });
  expect(campaign.progress).toMatchObject({ waiting: 0, calling: 0, done: 60, cancelled: 0 });
  expect(Object.values(campaign.progress.outcomes).reduce((sum, count) => sum + count, 0)).toBe(60);
  const { text } = await ask(server, "GET", `/v1/campaigns/${id}/results`, { headers: { accept: "text/csv" } });
  expect(text.trim().split("\r\n")).toHaveLength(61);
  const calls = await ask(server, "GET", `/v1/calls?campaign_id=${id}&limit=100`);
  expect((JSON.parse(calls.text) as { data: object[] }).data).toHaveLength(60);
  await server.kill();
}, 180_000);
