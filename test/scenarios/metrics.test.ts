// Observability of the executable: its metrics, the age of its backup, and a log that an outage does not fill.
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ask, createCall } from "../support/api-client.ts";
import { leaveNothingBehind, runBinary, startBinary, tempFolder, type Running } from "../support/binary.ts";
import { finished, place, QUICK } from "../support/calls.ts";
import { isOnPostgres, onlySqlite } from "../support/engines.ts";
import { isRoot } from "../support/sandbox.ts";
import { until } from "../support/until.ts";
import { skipsFor } from "../support/skips.ts";

leaveNothingBehind();
setDefaultTimeout(180_000);

const CONFIG = join(import.meta.dir, "../../config");

let server: Running;
beforeAll(async () => {
  server = await startBinary({ env: { ...QUICK, RINGWARD_LOG__REQUESTS: "0" } });
});
afterAll(async () => void (await server.stop()));

const scrape = async () => (await ask(server, "GET", "/metrics", { key: null })).text;
const valueIn = (text: string, name: string) =>
  Number(
    text
      .split("\n")
      .find((line) => line.startsWith(`${name} `))
      ?.slice(name.length + 1) ?? "NaN",
  );

/** Metrics are updated every 15 seconds; beside busy neighbours once in a minute. */
async function untilTold(name: string, isRight: (value: number) => boolean): Promise<void> {
  const told = async () => isRight(valueIn(await scrape(), name));
  await until(told, { withinMs: 90_000, everyMs: 250, what: () => `${name} was not told. ${server.output()}` });
}

test("every metric named by rules and dashboard is exported, except those of trunks and their listeners", async () => {
  const text = `${readFileSync(join(CONFIG, "alerts.yml"), "utf8")}${readFileSync(join(CONFIG, "grafana-dashboard.json"), "utf8")}`;
  const named = new Set(text.match(/\b(?:ringward|process)_[a-z0-9_]+\b(?!-)/g));
  const families = [...(await scrape()).matchAll(/^# TYPE (\w+)/gm)].map((match) => match[1] ?? "");
  const isThere = (name: string) =>
    families.includes(name.replace(/_(?:bucket|sum|count)$/, "")) || families.includes(name);
  expect([...named].filter((name) => !isThere(name) && !/^ringward_(?:sip|speech)_/.test(name))).toEqual([]);
});

test("calls are counted by state, and once by outcome", async () => {
  const later = new Date(Date.now() + 86_400_000).toISOString();
  await createCall(server, { scheduled_time: later, user_number: "+15552010100" });
  await finished(server, await place(server));
  await untilTold('ringward_calls{state="scheduled"}', (value) => value >= 1);
  const ended = async () =>
    (await scrape())
      .split("\n")
      .filter((line) => line.startsWith('ringward_calls_ended_total{state="completed"'))
      .reduce((sum, line) => sum + Number(line.split(" ").at(-1)), 0);
  await until(async () => (await ended()) >= 1, { withinMs: 90_000, everyMs: 250 });
  const text = await scrape();
  expect(valueIn(text, "ringward_dial_lateness_seconds_count")).toBeGreaterThan(0);
  expect(valueIn(text, "ringward_event_loop_delay_seconds_count")).toBeGreaterThan(0);
  expect(valueIn(text, "ringward_audit_entries")).toBeGreaterThan(0);
  expect(valueIn(text, "ringward_data_free_bytes")).toBeGreaterThan(0);
  expect(valueIn(text, 'ringward_database_bytes{part="database"}')).toBeGreaterThan(0);
  expect(valueIn(text, "ringward_db_lock_held")).toBe(1);
  expect(text).not.toContain("+1555");
});

onlySqlite("PostgreSQL has its own backups")("a backup on another folder is told of with its time", async () => {
  const before = Math.floor(Date.now() / 1000) - 1;
  await untilTold("ringward_last_backup_at_seconds", (value) => value === 0);
  const { code } = await runBinary(["backup", join(tempFolder(), "backup.tar"), "--data", server.dataDir]);
  expect(code).toBe(0);
  await untilTold("ringward_last_backup_at_seconds", (value) => value >= before);
});

test("requests are not logged if the settings say so", async () => {
  await ask(server, "GET", "/v1/calls");
  await ask(server, "GET", "/none");
  expect(server.output()).toContain("Ringward is listening.");
  expect(server.output()).not.toContain("Request answered.");
});

// test/db/postgres/full-disk.test.ts fills the disk of a PostgreSQL.
(isOnPostgres ? () => {} : describe.skipIf(skipsFor(!isRoot, "needs root")))("a disk that stays full", () => {
  let disk: string;
  let full: Running | undefined;
  let isMounted = false;
  beforeAll(async () => {
    disk = join(tempFolder(), "disk");
    mkdirSync(disk);
    expect(Bun.spawnSync(["mount", "-t", "tmpfs", "-o", "size=64m,mode=0700", "tmpfs", disk]).success).toBeTrue();
    isMounted = true;
    mkdirSync(join(disk, "data"));
    full = await startBinary({
      dataDir: join(disk, "data"),
      env: { ...QUICK, RINGWARD_DATA__MIN_FREE_MB: "0", RINGWARD_DEMO__HISTORY: "false" },
    });
  });
  afterAll(async () => {
    await full?.kill();
    if (isMounted) expect(Bun.spawnSync(["umount", disk]).success).toBeTrue();
  });

  test("does not fill the log: one kind of error has five lines a minute, and the rest is summarised as a number", async () => {
    const running = full!;
    const create = async () => {
      const body = { agent_id: running.demo["agent_id"], user_number: "+15552010100", user_name: "x".repeat(190) };
      return (await ask(running, "POST", "/v1/calls", { body })).status;
    };
    expect(await create()).toBe(201);
    writeFileSync(join(disk, "ballast"), Buffer.alloc(1));
    Bun.spawnSync(["sh", "-c", `cat /dev/zero > '${join(disk, "ballast")}'`]);
    let refused = 0;
    while (refused < 100) if ((await create()) === 503) refused += 1;
    const failed = () => running.output().split("A commit failed and its commands were rolled back.").length - 1;
    expect(failed()).toBeGreaterThan(0);
    // The window may have restarted once, and summaries contain the message too.
    expect(failed()).toBeLessThan(40);
    rmSync(join(disk, "ballast"), { force: true });
    await until(async () => (await create()) === 201, { withinMs: 30_000, everyMs: 50 });
    await running.stop();
    const lines = running
      .output()
      .split("\n")
      .filter((line) => line.startsWith("{"));
    const parsed = lines.map((line) => JSON.parse(line) as { message: string; left_out?: number; of?: string });
    const leftOut = parsed.filter(({ message }) => message === "Repeated log lines were suppressed.");
    const sum = leftOut.reduce((all, { left_out = 0 }) => all + left_out, 0);
    expect(sum).toBeGreaterThan(50);
    expect(parsed.at(-1)?.message).not.toBe("Request answered.");
  });
});
