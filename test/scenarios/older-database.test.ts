// A database that was rolled back to an older state dials nothing by itself: a restored dump on PostgreSQL, a copied
// file on SQLite. An ordinary restart, also after a kill, continues normally.
import { afterAll, describe, expect, test } from "bun:test";
import { Database } from "bun:sqlite";
import { copyFileSync, existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { postgresPrograms, startPostgres, type PostgresCluster } from "../../scripts/postgres-cluster.ts";
import { ask, createCall } from "../support/api-client.ts";
import { leaveNothingBehind, runBinary, tempFolder, type Running } from "../support/binary.ts";
import { reservedPort } from "../support/free-ports.ts";
import { finished, readCall, startQuick, talkative } from "../support/calls.ts";
import { until } from "../support/until.ts";

leaveNothingBehind();

/** Operations on the database outside of Ringward. */
interface Engine {
  env: Record<string, string>;
  /** Copies the database of the running server. */
  save(dataDir: string): void;
  /** Replaces the database by the copy. */
  putBack(dataDir: string): void;
}

let cluster: PostgresCluster | undefined;
afterAll(() => cluster?.stop());

function onSqlite(): Engine {
  const copy = join(tempFolder(), "copy.db");
  return {
    env: {},
    save(dataDir) {
      const db = new Database(join(dataDir, "ringward.db"));
      db.run("VACUUM INTO ?", [copy]);
      db.close();
    },
    putBack(dataDir) {
      for (const end of ["", "-wal", "-shm"]) rmSync(join(dataDir, `ringward.db${end}`), { force: true });
      copyFileSync(copy, join(dataDir, "ringward.db"));
    },
  };
}

async function onPostgres(): Promise<Engine> {
  const on = (cluster ??= await startPostgres());
  const name = `older_${crypto.randomUUID().slice(0, 8)}`;
  on.createDatabase(name);
  const file = join(tempFolder(), "dump.sql");
  const there = ["-h", on.folder, "-U", "postgres", "-d", name];
  const run = (program: string, ...args: string[]) => {
    const { success, stderr } = Bun.spawnSync([join(postgresPrograms() ?? "", program), ...args, ...there]);
    if (!success) throw new Error(stderr.toString());
  };
  return {
    env: { RINGWARD_DATABASE__URL: on.url(name) },
    save: () => run("pg_dump", "--clean", "--if-exists", "-f", file),
    putBack: () => run("psql", "-X", "-q", "-v", "ON_ERROR_STOP=1", "-f", file),
  };
}

const ENGINES: [string, () => Engine | Promise<Engine>][] = [
  ["SQLite", onSqlite],
  ["PostgreSQL", onPostgres],
];

const notesOf = async (server: Running) =>
  ((await (await fetch(`${server.url}/readyz`)).json()) as { notes: Record<string, string> }).notes;

/** A closed port, so deliveries stay pending. */
const DEAD_RECEIVER = `https://127.0.0.1:${reservedPort()}/hook`;
const MANY = 20;

const stateOf = async (server: Running, id: string) => (await ask(server, "GET", `/v1/campaigns/${id}`)).data["state"];

/** A running campaign whose first call is an hour away. */
async function ongoingCampaign(server: Running): Promise<string> {
  const rows = [{ user_number: talkative(), scheduled_time: new Date(Date.now() + 3_600_000).toISOString() }];
  const body = { name: "Recall", agent_id: server.demo["agent_id"], rows };
  const id = String((await ask(server, "POST", "/v1/campaigns", { body })).data["campaign_id"]);
  await until(async () => (await stateOf(server, id)) === "running");
  return id;
}

describe.each(ENGINES)("on %s", (_name, engineOf) => {
  test("calls of an older state that were created since are not dialled again", async () => {
    const engine = await engineOf();
    const env = {
      ...engine.env,
      RINGWARD_WEBHOOKS__ALLOW_PRIVATE: "127.0.0.1",
      RINGWARD_CALLS__RELEASED_PER_MINUTE: "600",
    };
    const first = await startQuick(env);
    const { dataDir } = first;
    const cli = (...args: string[]) => runBinary([...args, "--data", dataDir], { env });
    expect((await cli("endpoints", "create", "--url", DEAD_RECEIVER)).code).toBe(0);
    const told = await createCall(first, { scheduled_time: undefined, user_number: talkative() });
    await finished(first, told);
    const campaign = await ongoingCampaign(first);
    const at = new Date(Date.now() + 4_000).toISOString();
    const ids = await Promise.all(
      Array.from({ length: MANY }, () => createCall(first, { scheduled_time: at, user_number: talkative() })),
    );
    engine.save(dataDir);
    for (const id of ids) await finished(first, id);
    await until(async () => {
      const { databases } = JSON.parse(readFileSync(join(dataDir, "lineage.json"), "utf8")) as {
        databases: { beat: number }[];
      };
      return (databases[0]?.beat ?? 0) > 2;
    });
    await first.kill();

    engine.putBack(dataDir);
    const again = await startQuick(env, { dataDir });
    expect(again.output()).toContain("The database is older than what this data folder has seen.");
    for (const id of ids)
      expect(await readCall(again, id)).toMatchObject({
        status: "queued",
        hold_reason: "restored_from_backup",
        call_triggered_at: null,
      });
    expect((await notesOf(again))["database"]).toMatch(/put back to an older state.* 21 calls and webhook endpoints/);
    const held = await cli("calls", "held", "--json");
    expect(JSON.parse(held.stdout)).toMatchObject({ total: MANY });
    expect((await cli("endpoints", "list")).stdout).toMatch(/ off +\d+ +0 +[1-9]/);
    // Its contacts may have been called since.
    expect(await stateOf(again, campaign)).toBe("paused");
    // A second start and a crash do not change that.
    await again.kill();
    const third = await startQuick(env, { dataDir });
    expect(third.output()).not.toContain("older than what this data folder has seen");
    expect((await notesOf(third))["database"]).toContain("put back to an older state");
    expect(await stateOf(third, campaign)).toBe("paused");

    const [one = "", ...others] = ids;
    expect(await cli("calls", "cancel", "--call", one)).toMatchObject({ code: 0, stdout: "Cancelled: 1.\n" });
    const released = await cli("calls", "release", "--reason", "restored_from_backup");
    expect(released.stdout).toMatch(/^Released: 19\. .*600 a minute/);
    // Wakes the server, which otherwise sees a command's change within 30 s.
    await createCall(third, { scheduled_time: undefined, user_number: talkative() });
    for (const id of others) expect((await finished(third, id)).status).toBe("completed");
    expect(await third.stop()).toBe(0);
  });

  test("a kill, an ordinary stop and a new data folder after one hold nothing", async () => {
    const engine = await engineOf();
    const first = await startQuick(engine.env);
    const { dataDir } = first;
    const at = new Date(Date.now() + 3_600_000).toISOString();
    const id = await createCall(first, { scheduled_time: at, user_number: talkative() });
    await first.kill();
    const second = await startQuick(engine.env, { dataDir });
    expect(await notesOf(second)).not.toHaveProperty("database");
    expect(await readCall(second, id)).toMatchObject({ status: "scheduled", hold_reason: null });
    expect(await second.stop()).toBe(0);
    // A regular move: the folder's lineage file is left behind or lost.
    rmSync(join(dataDir, "lineage.json"));
    const third = await startQuick(engine.env, { dataDir });
    expect(await notesOf(third)).not.toHaveProperty("database");
    expect(existsSync(join(dataDir, "lineage.json"))).toBe(true);
    await third.kill();
    // Without its lineage file, and killed, it could be a copy of an appliance that runs elsewhere.
    rmSync(join(dataDir, "lineage.json"));
    const fourth = await startQuick(engine.env, { dataDir });
    expect(fourth.output()).toContain("served last from another data folder");
    expect(await fourth.stop()).toBe(0);
  });

  test("all calls due before a given time can be held by hand, beside the running server", async () => {
    const engine = await engineOf();
    const server = await startQuick(engine.env);
    const cli = (...args: string[]) => runBinary([...args, "--data", server.dataDir], { env: engine.env });
    const inHours = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString();
    const soon = await createCall(server, { scheduled_time: inHours(1), user_number: talkative() });
    const later = await createCall(server, { scheduled_time: inHours(30), user_number: talkative() });
    const held = await cli("calls", "hold", "--due-before", inHours(2), "--json");
    expect(JSON.parse(held.stdout)).toMatchObject({ calls: 1, campaigns: 0, endpoints: 0, reminders: 0 });
    expect(await readCall(server, soon)).toMatchObject({ status: "queued", hold_reason: "restored_from_backup" });
    expect(await readCall(server, later)).toMatchObject({ status: "scheduled" });
    expect(await cli("calls", "hold", "--due-before", "tomorrow")).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("--due-before must"),
    });
    expect((await ask(server, "GET", "/v1/calls")).status).toBe(200);
    expect(await server.stop()).toBe(0);
  });
});
