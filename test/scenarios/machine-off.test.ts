// The machine is off for three hours. After its start, calls wait for the clock, overdue calls wait for a person on
// Today, and released calls are dialled at a limited rate. Runs the executable with a controlled clock.
import { afterAll, beforeAll, expect } from "bun:test";
import { Database } from "bun:sqlite";
import { join } from "node:path";
import { ask } from "../support/api-client.ts";
import { leaveNothingBehind, runBinary, tempFolder, type Running } from "../support/binary.ts";
import { dialled, finished, place, readCall, startQuick } from "../support/calls.ts";
import { onlySqlite } from "../support/engines.ts";
import { rest } from "../support/pace.ts";
import { until } from "../support/until.ts";
import { buildOutside, type Outside } from "../torture/outside.ts";

leaveNothingBehind();

const MINUTE_MS = 60_000;
const OFF_MS = 180 * MINUTE_MS;
/** Each new call wakes the dispatcher, which dials due calls within milliseconds. */
const LOOKED_AT_MS = 1_500;
const PACE = { RINGWARD_CALLS__RELEASED_PER_MINUTE: "60" };

let outside: Outside;
let server: Running;
const dataDir = tempFolder();
beforeAll(async () => {
  const built = buildOutside(tempFolder());
  if ("missing" in built) throw new Error(`The clock cannot be moved here: ${built.missing}.`);
  outside = built;
  server = await start();
});
afterAll(async () => {
  await server.kill();
  outside.close();
});

const start = () => startQuick({ ...outside.env, ...PACE }, { dataDir });
const cli = (...args: string[]) => runBinary([...args, "--data", dataDir], { env: { ...outside.env, ...PACE } });
const inMinutes = (minutes: number) => new Date(Date.now() + outside.clockMs() + minutes * MINUTE_MS).toISOString();
const placeIn = (minutes: number) => place(server, { scheduled_time: inMinutes(minutes) });
const holdOf = async (id: string) => (await readCall(server, id)).hold_reason;

/** Simulates a reboot since the database was last used: the kernel's boot id differs. */
function forgetTheStart(): void {
  const db = new Database(join(dataDir, "ringward.db"));
  const { changes } = db.run(`UPDATE heartbeats SET at = (at + 1) % 4294967296 WHERE name = 'clock kept boot'`);
  db.close();
  expect(changes).toBe(1);
}

interface Today {
  data: { kind: string; held: { reason: string; count: number; calls: { call_id: string }[] } | null }[];
}
async function today(): Promise<Today["data"]> {
  const headers = { "x-ringward-dashboard": "1" };
  const login = await fetch(`${server.url}/dashboard/api/demo-login`, { method: "POST", headers });
  const cookie = login.headers.getSetCookie()[0]?.split(";")[0] ?? "";
  const answer = await fetch(`${server.url}/dashboard/api/worklist`, { headers: { ...headers, cookie } });
  return ((await answer.json()) as Today).data;
}

onlySqlite("it writes into the file of the database")(
  "after three hours off nothing rings by itself that is overdue, and released calls go out one after the other",
  async () => {
    await finished(server, await place(server));
    const overdue = [await placeIn(10), await placeIn(60), await placeIn(110)];
    const timely = await placeIn(150);
    const later = await placeIn(400);
    await server.kill();
    outside.setClock(OFF_MS);
    forgetTheStart();
    server = await start();

    // Two minutes for time synchronisation, or a person's confirmation.
    const next = await place(server);
    await rest(LOOKED_AT_MS);
    for (const id of [...overdue, timely, next]) expect(await holdOf(id)).toBe("clock_not_trusted");
    expect((await ask(server, "GET", "/readyz")).text).toContain("The machine was off. Calls wait until its clock");
    expect((await cli("clock", "confirm")).code).toBe(0);
    const last = await place(server);
    for (const id of [timely, next, last]) expect((await finished(server, id)).status).toBe("completed");
    for (const id of overdue) expect(await holdOf(id)).toBe("overdue");
    expect((await readCall(server, later)).status).toBe("scheduled");

    await until(async () => (await today()).some(({ kind }) => kind === "calls_overdue"));
    const line = (await today()).find(({ kind }) => kind === "calls_overdue");
    expect(line?.held).toMatchObject({ reason: "overdue", count: 3, calls: overdue.map((call_id) => ({ call_id })) });

    const before = dialled(server.output()).length;
    expect((await cli("calls", "release", "--reason", "overdue")).stdout).toMatch(/^Released: 3\. .*60 a minute/);
    await place(server);
    const done = await Promise.all(overdue.map((id) => finished(server, id)));
    const times = done.map(({ call_triggered_at }) => Date.parse(call_triggered_at ?? "")).toSorted((a, b) => a - b);
    for (const [i, at] of times.slice(1).entries()) expect(at - times[i]!).toBeGreaterThanOrEqual(950);
    // Each once, plus the call that woke the server.
    expect(dialled(server.output()).slice(before).toSorted()).toHaveLength(4);
  },
  180_000,
);
