// Loss of the log: the reader disappears, its disk is full, or the pipe is not read. The appliance continues and
// reports what was lost.
import { expect, setDefaultTimeout, test } from "bun:test";
import { closeSync, constants, openSync } from "node:fs";
import { join } from "node:path";
import { ask, createCall } from "../support/api-client.ts";
import { leaveNothingBehind, startBinary, tempFolder, type Running } from "../support/binary.ts";
import { until } from "../support/until.ts";

leaveNothingBehind();
setDefaultTimeout(180_000);

const QUICK_CALLS = { RINGWARD_CALLS__DEFAULT_DELAY_SECONDS: "1", RINGWARD_TELEPHONY__SIMULATOR__SPEED: "100" };

const start = (redirection: string) =>
  startBinary({ wrapper: ["sh", "-c", `exec "$0" "$@" ${redirection}`], env: QUICK_CALLS });

function fifo(): string {
  const path = join(tempFolder(), "log");
  expect(Bun.spawnSync(["mkfifo", path]).success).toBeTrue();
  return path;
}

const lostLines = async (server: Running): Promise<number> =>
  Number(/ringward_log_lost_lines_total (\d+)/.exec((await ask(server, "GET", "/metrics")).text)?.[1]);

/** Creates a call and waits for its end. */
async function placeCall(server: Running): Promise<void> {
  const id = await createCall(server, { scheduled_time: undefined });
  const isCompleted = async () => (await ask(server, "GET", `/v1/calls/${id}`)).data["status"] === "completed";
  await until(isCompleted, { withinMs: 60_000, everyMs: 50, what: () => server.output() });
}

async function expectLossSaid(server: Running, why: string): Promise<void> {
  expect(await lostLines(server)).toBeGreaterThan(0);
  const ready = await ask(server, "GET", "/readyz");
  expect(ready.status).toBe(200);
  const { notes } = JSON.parse(ready.text) as { notes: { log: string } };
  expect(notes.log).toMatch(new RegExp(`^\\d+ log lines were lost since the start\\. .*${why}`));
}

test("a log on a full disk, from the first line on: calls are dialled, and the stop is clean", async () => {
  const server = await start(">/dev/full 2>/dev/full");
  await placeCall(server);
  await expectLossSaid(server, "ENOSPC");
  expect(await server.stop()).toBe(0);
});

test("a reader that disappears in the middle affects nothing else", async () => {
  const path = fifo();
  const reader = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  const server = await start(`>'${path}' 2>&1`);
  expect(await lostLines(server)).toBe(0);
  closeSync(reader);
  await placeCall(server);
  await expectLossSaid(server, "EPIPE");
  expect(await server.stop()).toBe(0);
});

test("an unread pipe blocks nothing, however much is logged", async () => {
  const server = await start(`1<>'${fifo()}'`);
  const most = 8_000;
  for (let asked = 0; asked < most && (asked % 1_000 > 0 || (await lostLines(server)) === 0); asked += 100)
    await Promise.all(Array.from({ length: 100 }, async () => (await fetch(`${server.url}/healthz`)).text()));
  await placeCall(server);
  await expectLossSaid(server, "not read fast enough");
  expect(await server.stop()).toBe(0);
});
