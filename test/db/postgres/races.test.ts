// Four processes on one database: what leans on a single writer elsewhere comes out exactly, as isolation promises.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { join } from "node:path";
import { CLI_ACTOR } from "../../../src/core/actor.ts";
import { DAY_MS } from "../../../src/core/clock.ts";
import type { Database } from "../../../src/db/database.ts";
import type { Services } from "../../../src/services.ts";
import { newPostgresUrl, openAt } from "../../support/postgres.ts";
import { servicesOn } from "./services-on.ts";

const PROCESSES = 4;
const BRANCH = "0190a1b2-0000-7000-8000-00000000000b";

let url: string;
let db: Database;
let services: Services;
let organisationId: string;

beforeAll(async () => {
  url = await newPostgresUrl();
  db = await openAt(url);
  services = servicesOn(db);
  const made = await services.organisations.create({ name: "Test Hospital", timeZone: "UTC" }, CLI_ACTOR);
  organisationId = made.id;
});
afterAll(() => db.close());

interface Told {
  outcomes: string[];
  repeats: number;
}

/** All of them begin at once; answers what came of each try, and how many were made again. */
async function race(work: string, subject = ""): Promise<Told> {
  const children = Array.from({ length: PROCESSES }, () =>
    Bun.spawn([process.execPath, join(import.meta.dir, "racer.ts"), url, organisationId, work, subject], {
      stdin: "pipe",
      stdout: "pipe",
      stderr: "inherit",
    }),
  );
  const outputs = children.map(({ stdout }) => linesOf(stdout));
  for (const output of outputs) expect((await output.next()).value).toBe("ready");
  for (const { stdin } of children) await stdin.end();
  const told = await Promise.all(
    outputs.map(async (output) => JSON.parse((await output.next()).value ?? "{}") as Told),
  );
  await Promise.all(children.map(({ exited }) => exited));
  return {
    outcomes: told.flatMap(({ outcomes }) => outcomes),
    repeats: told.reduce((sum, each) => sum + each.repeats, 0),
  };
}

async function* linesOf(stream: ReadableStream<Uint8Array>): AsyncGenerator<string, undefined> {
  const decoder = new TextDecoder();
  let text = "";
  for await (const chunk of stream) {
    text += decoder.decode(chunk, { stream: true });
    for (let end = text.indexOf("\n"); end >= 0; end = text.indexOf("\n")) {
      yield text.slice(0, end);
      text = text.slice(end + 1);
    }
  }
  return undefined;
}

const counted = (outcomes: readonly string[]) =>
  Object.fromEntries([...Map.groupBy(outcomes, (each) => each)].map(([outcome, all]) => [outcome, all.length]));

test("20 places are booked 20 times by 80 who try, and the counter is what the appointments say", async () => {
  const date = new Date(Date.now() + 7 * DAY_MS).toISOString().slice(0, 10);
  const day = new Intl.DateTimeFormat("en", { weekday: "long", timeZone: "UTC" }).format(new Date(date)).toLowerCase();
  const window = await services.windows.create(
    organisationId,
    { branch_id: BRANCH, day: day as "monday", session: "Morning", ai_slots: 0, max_slots: 20 },
    CLI_ACTOR,
  );
  const { outcomes, repeats } = await race("book", `${window.calendar_id}||${date}`);
  expect(counted(outcomes)).toEqual({ done: 20, SLOT_FULL: 60 });
  const rows = await db.reader.selectFrom("appointments").select(["id"]).where("status", "<>", "cancelled").execute();
  const dates = await db.reader.selectFrom("window_dates").select(["filled"]).where("date", "=", date).execute();
  expect([rows.length, dates]).toEqual([20, [{ filled: 20 }]]);
  expect(repeats).toBeGreaterThan(0);
});

test("a plan's keys are as many as the plan has", async () => {
  const { outcomes } = await race("key");
  const { keys } = await db.reader
    .selectFrom("api_keys")
    .select((eb) => eb.fn.countAll<number>().as("keys"))
    .executeTakeFirstOrThrow();
  expect(counted(outcomes)).toEqual({ done: keys, PLAN_LIMIT_REACHED: 80 - keys });
  expect(keys).toBeGreaterThan(0);
  expect(keys).toBeLessThan(80);
});

test("a balance is the sum of its entries", async () => {
  const { outcomes } = await race("credit");
  expect(counted(outcomes)).toEqual({ done: 80 });
  const { sum } = await db.reader
    .selectFrom("credit_entries")
    .select((eb) => eb.fn.sum<number>("amount").as("sum"))
    .executeTakeFirstOrThrow();
  const { credit_balance } = await db.reader
    .selectFrom("organisations")
    .select("credit_balance")
    .executeTakeFirstOrThrow();
  expect(credit_balance).toBe(sum);
});

test("a plan's endpoints are as many as the plan has", async () => {
  const { outcomes } = await race("endpoint");
  const rows = await db.reader.selectFrom("webhook_endpoints").select("id").execute();
  expect(rows).toHaveLength(1);
  expect(counted(outcomes)).toEqual({ done: 1, PLAN_LIMIT_REACHED: 79 });
});

test("80 edits of an agent are 80 versions, without a gap", async () => {
  const { agent_id } = await services.agents.create(organisationId, { name: "Asha", greeting: "Hello." }, CLI_ACTOR);
  const { outcomes } = await race("version", agent_id);
  expect(counted(outcomes)).toEqual({ done: 80 });
  const rows = await db.reader.selectFrom("agent_versions").select("version").orderBy("version").execute();
  expect(rows.map(({ version }) => version)).toEqual(Array.from({ length: 81 }, (_, i) => i + 1));
});
