// The server's cache of settings sees its own changes and those of other commands.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { CLI_ACTOR } from "../../../src/core/actor.ts";
import type { Database } from "../../../src/db/database.ts";
import { agentById } from "../../../src/agents/store.ts";
import { databaseOf, newPostgresUrl, openAt, testCluster } from "../../support/postgres.ts";
import { until } from "../../support/until.ts";
import { servicesOn } from "./services-on.ts";

let url: string;
let db: Database;
let beside: Database;
let agent: { organisationId: string; id: string };

beforeAll(async () => {
  url = await newPostgresUrl();
  db = await openAt(url);
  beside = await openAt(url, "command");
  const { organisations, agents } = servicesOn(db);
  const { id: organisationId } = await organisations.create({ name: "Remembered", timeZone: "UTC" }, CLI_ACTOR);
  const made = { name: "Asha", greeting: "Hello.", calling_hours: null };
  agent = { organisationId, id: (await agents.create(organisationId, made, CLI_ACTOR)).agent_id };
});
afterAll(async () => {
  await beside.close();
  await db.close();
});

const nameNow = async (at: Database = db) => (await agentById(at.reader, agent.organisationId, agent.id))?.name;
const rename = (at: Database, name: string) =>
  at.write((tx) => tx.updateTable("agents").set({ name }).where("id", "=", agent.id).execute());

test("its own change is seen at once, and that of another process as soon as it is announced", async () => {
  expect(await nameNow()).toBe("Asha");
  await rename(db, "Bina");
  expect(await nameNow()).toBe("Bina");
  await rename(beside, "Chitra");
  await until(async () => (await nameNow()) === "Chitra");
});

test("it is a cache: a change made directly in SQL is not seen at once", async () => {
  expect(await nameNow()).toBe("Chitra");
  const cluster = await testCluster();
  cluster.psql(`UPDATE agents SET name = 'Devi' WHERE id = '${agent.id}'`, databaseOf(url));
  expect(await nameNow()).toBe("Chitra");
  expect(await nameNow(beside)).toBe("Devi");
  await rename(db, "Esha");
  expect(await nameNow()).toBe("Esha");
});

test("a command that changes what it has read sees the change, also after a rolled-back savepoint", async () => {
  const seen = await db.write(async (tx) => {
    const names: (string | undefined)[] = [];
    const look = async () => {
      const row = await agentById(tx, agent.organisationId, agent.id);
      names.push(row?.name);
    };
    await look();
    await tx.updateTable("agents").set({ name: "Farah" }).where("id", "=", agent.id).execute();
    await look();
    await look();
    return names;
  });
  expect(seen).toEqual(["Esha", "Farah", "Farah"]);
});
