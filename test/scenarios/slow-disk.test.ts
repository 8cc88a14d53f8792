// A disk with slow or failing fsync: commands wait for it, and requests without writes do not.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { ask, createCall, newCall } from "../support/api-client.ts";
import { leaveNothingBehind, startBinary, tempFolder, type Running } from "../support/binary.ts";
import { until } from "../support/until.ts";
import { buildOutside, type Outside } from "../torture/outside.ts";

let outside: Outside;
let server: Running;
beforeAll(async () => {
  const built = buildOutside(tempFolder());
  if ("missing" in built) throw new Error(built.missing);
  outside = built;
  server = await startBinary({ env: { ...built.env, RINGWARD_PLANS__BASE__REQUESTS_PER_MINUTE: "unlimited" } });
}, 180_000);
afterAll(() => outside.close());
leaveNothingBehind();

/** Creates calls one after the other for this long. Returns the duration of each in milliseconds. */
async function creatingFor(ms: number): Promise<number[]> {
  const took: number[] = [];
  for (const endsMs = performance.now() + ms; performance.now() < endsMs;) {
    const startedMs = performance.now();
    await createCall(server);
    took.push(performance.now() - startedMs);
  }
  return took;
}

/** A read of personal data would write to the audit trail. */
const readWindows = () => ask(server, "GET", "/v1/appointment-slots");

/** Duration of each read-only request during `work`. */
async function readsDuring(work: Promise<unknown>): Promise<number[]> {
  let isOver = false;
  void work.finally(() => (isOver = true));
  const took: number[] = [];
  while (!isOver) {
    for (const read of [() => fetch(`${server.url}/healthz`), readWindows]) {
      const startedMs = performance.now();
      expect((await read()).status).toBe(200);
      took.push(performance.now() - startedMs);
    }
  }
  return took;
}

const median = (values: readonly number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? NaN;

async function withSlowSyncs(ms: number, work: () => Promise<void>): Promise<void> {
  outside.slowSyncs(ms);
  await work().finally(() => outside.slowSyncs(0));
}

test.each([50, 1_000])(
  "with an fsync of %d ms creates wait for it, and reads do not",
  async (fsyncMs) => {
    await withSlowSyncs(fsyncMs, async () => {
      const creating = creatingFor(Math.max(3 * fsyncMs, 1_000));
      const reads = await readsDuring(creating);
      // The commands did wait, so each 201 is on disk.
      expect(Math.min(...(await creating))).toBeGreaterThanOrEqual(fsyncMs);
      expect(reads.length).toBeGreaterThan(20);
      expect(median(reads)).toBeLessThan(25);
      if (fsyncMs >= 1_000) expect(Math.max(...reads)).toBeLessThan(fsyncMs);
    });
  },
  180_000,
);

test("reads do not wait during a checkpoint or while free space is wiped", async () => {
  // Enough pages for both.
  await Promise.all(Array.from({ length: 800 }, () => createCall(server)));
  const id = await createCall(server);
  expect((await ask(server, "POST", `/v1/calls/${id}/cancel`)).status).toBe(200);
  // A checkpoint, wipe or commit on the main thread would block it for several of these.
  await withSlowSyncs(400, async () => {
    const erasing = ask(server, "DELETE", `/v1/calls/${id}?any=true`);
    const reads = await readsDuring(Promise.all([erasing, creatingFor(2_000)]));
    expect((await erasing).status).toBe(200);
    expect(median(reads)).toBeLessThan(25);
    expect(Math.max(...reads)).toBeLessThan(1_000);
  });
}, 180_000);

/** The readiness result is cached for a second. */
const isReady = async () => (await fetch(`${server.url}/readyz`)).status === 200;

test("when fsync fails, commands are answered 503 and reads continue; afterwards everything works again", async () => {
  outside.failSyncs("EIO");
  try {
    for (let i = 0; i < 2; i++) {
      const { status, error } = await ask(server, "POST", "/v1/calls", { body: newCall(server) });
      expect([status, error.code]).toEqual([503, "UNAVAILABLE"]);
      expect(error.message).toStartWith("The disk failed");
    }
    expect((await readWindows()).status).toBe(200);
    await until(async () => !(await isReady()), { what: () => "still ready" });
  } finally {
    outside.failSyncs(null);
  }
  // A command that shares its commit with one from before is refused once more, and told to try again.
  let id = "";
  await until(async () => {
    const answer = await ask(server, "POST", "/v1/calls", { body: newCall(server) });
    expect([201, 503]).toContain(answer.status);
    if (answer.status === 201) id = answer.data["call_id"] as string;
    return answer.status === 201;
  });
  expect((await ask(server, "GET", `/v1/calls/${id}`)).status).toBe(200);
  await until(isReady, { what: () => "not ready again" });
}, 180_000);
