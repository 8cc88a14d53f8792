// A disk that fills up during a campaign import, HL7 messages and a holiday closure: acknowledged work is stored,
// rejected work leaves nothing behind, and all continue when there is space again.
import { Database } from "bun:sqlite";
import { afterAll, afterEach, beforeAll, expect, test } from "bun:test";
import { closeSync, mkdirSync, openSync, readdirSync, rmSync, statfsSync, writeSync } from "node:fs";
import { join } from "node:path";
import { ask, expectError } from "../support/api-client.ts";
import { leaveNothingBehind, startBinary, tempFolder, type Running } from "../support/binary.ts";
import { finished, talkative } from "../support/calls.ts";
import { reservedPort } from "../support/free-ports.ts";
import { fillDisk } from "../support/full-disk.ts";
import { siu } from "../support/hl7.ts";
import { codeOf, connectMllp, hl7PortOpened } from "../support/mllp-client.ts";
import { isRoot } from "../support/sandbox.ts";
import { storedRows } from "../support/stored-rows.ts";
import { until } from "../support/until.ts";
import { enterDemo } from "../support/demo-staff.ts";
import { skipsFor } from "../support/skips.ts";

/** Only root can mount a small disk. */
const test_ = test.skipIf(skipsFor(!isRoot, "needs root"));
const ROOM_KB = 192;
const ROWS = 3_000;

let disk: string;
let server: Running;
let isMounted = false;
const hl7Port = reservedPort();
beforeAll(async () => {
  if (!isRoot) return;
  disk = join(tempFolder(), "disk");
  mkdirSync(disk);
  expect(Bun.spawnSync(["mount", "-t", "tmpfs", "-o", "size=64m,mode=0700", "tmpfs", disk]).success).toBeTrue();
  isMounted = true;
  mkdirSync(join(disk, "data"));
  const env = {
    RINGWARD_DATA__MIN_FREE_MB: "0",
    RINGWARD_TELEPHONY__SIMULATOR__SPEED: "1000",
    RINGWARD_HL7__HOST: "127.0.0.1",
    RINGWARD_HL7__PORT: String(hl7Port),
    RINGWARD_HL7__ALLOW: "127.0.0.1",
    RINGWARD_PLANS__BASE__REQUESTS_PER_MINUTE: "unlimited",
  };
  server = await startBinary({ dataDir: join(disk, "data"), env });
});
afterAll(async () => {
  if (!isMounted) return;
  await server.kill();
  expect(Bun.spawnSync(["umount", disk]).success).toBeTrue();
});
// Registered after the small disk is gone, or its folder could not be removed.
leaveNothingBehind();

const ballast = () => join(disk, "ballast");
const freeBytes = () => {
  const { bavail, bsize } = statfsSync(disk);
  return bavail * bsize;
};
/**
 * Leaves space for a few small transactions. Fills in pieces, because the demo history is being written and takes space
 * too.
 */
function fill(): void {
  const piece = Buffer.alloc(64 * 1024);
  const file = openSync(ballast(), "w");
  while (freeBytes() > ROOM_KB * 1024 + piece.length) writeSync(file, piece);
  closeSync(file);
}
const makeRoom = () => rmSync(ballast(), { force: true });
// A test that fails must not leave the disk full for the next one.
afterEach(makeRoom);

/** False while a statement of the server blocks the checkpoint. */
function emptyLog(): boolean {
  const db = new Database(join(disk, "data", "ringward.db"));
  try {
    return db.query<{ busy: number }, []>("PRAGMA wal_checkpoint(TRUNCATE)").get()?.busy === 0;
  } finally {
    db.close();
  }
}

test_("a list that did not fit is not there in part, and is taken once there is room", async () => {
  const staff = await enterDemo(server);
  const body = {
    name: "Check-ups",
    agent_id: server.demo["agent_id"],
    start_at: new Date(Date.now() + 86_400_000).toISOString(),
    rows: Array.from({ length: ROWS }, (_, i) => ({
      user_number: `+9198${10_000_000 + i}`,
      user_name: `Patient ${i}`,
    })),
  };
  // The demo history grew the log, and its pages are reused: they would take the whole list.
  await until(emptyLog);
  fill();
  const refused = await staff("POST", "campaigns", body);
  expect(refused.status).toBe(503);
  makeRoom();
  // The same list can be imported again: the failed import left nothing behind.
  const made = await staff("POST", "campaigns", body);
  expect({ status: made.status, text: made.text }).toMatchObject({ status: 200 });
  const { data } = await ask(server, "GET", "/v1/campaigns");
  expect(data as unknown as object[]).toMatchObject([
    { name: "Check-ups", state: "ready", rows: ROWS, progress: { waiting: ROWS } },
  ]);
});

test_(
  "on a full disk a read of a person is refused, a DELETE leaves the recording, and both work once there is room",
  async () => {
    const created = await ask(server, "POST", "/v1/calls", {
      body: { agent_id: server.demo["agent_id"], user_number: talkative(), user_name: "Zelmira Quanfurth" },
    });
    const path = `/v1/calls/${String(created.data["call_id"])}`;
    const call = await finished(server, String(created.data["call_id"]));
    const media = new URL(call.call_recording!);
    const listen = () => ask(server, "GET", media.pathname + media.search, { key: null });
    expect((await listen()).status).toBe(200);
    const recordings = () => readdirSync(join(disk, "data", "recordings"));
    expect(recordings()).toHaveLength(1);
    // Reusable WAL pages would take many more entries.
    await until(emptyLog);
    // To the last byte, so that not even an audit entry fits.
    fillDisk(disk);
    await until(async () => (await ask(server, "GET", path)).status !== 200);
    const entries = () =>
      storedRows<{ request_id: string }>(
        join(disk, "data"),
        "SELECT request_id FROM audit_entries WHERE action = 'call.read'",
      );
    const refused = await ask(server, "GET", path);
    expectError(refused, 503, "UNAVAILABLE");
    expect(refused.text).not.toContain("Quanfurth");
    expectError(await ask(server, "GET", "/v1/calls"), 503, "UNAVAILABLE");
    expectError(await ask(server, "DELETE", path), 503, "UNAVAILABLE");
    expect(recordings()).toHaveLength(1);
    makeRoom();
    const read = await ask(server, "GET", path);
    expect(read.status).toBe(200);
    const noted = entries().map(({ request_id }) => request_id);
    expect(noted).toContain(read.headers.get("x-request-id")!);
    expect(noted).not.toContain(refused.headers.get("x-request-id")!);
    expect((await ask(server, "DELETE", path)).status).toBe(200);
    expect(recordings()).toEqual([]);
  },
);

test_("HL7 messages on a full disk are not acknowledged, and each is stored once when there is room", async () => {
  const branch_id = crypto.randomUUID();
  const settings = { application: "HIS", time_zone: "UTC", branches: [{ code: "CARD", branch_id }] };
  const made = await ask(server, "POST", "/v1/sources", { body: { name: "HIS", kind: "hl7", settings } });
  expect(`${made.status} ${made.text}`).toStartWith("201 ");
  const day = new Date(Date.now() + 3 * 86_400_000).toISOString().slice(0, 10).replaceAll("-", "");
  const sentAt = new Date().toISOString().slice(0, 19).replaceAll(/[-T:]/g, "");
  const messages = Array.from({ length: 400 }, (_, i) =>
    siu({ trigger: "S12", controlId: `M${i}`, id: `A${i}`, sentAt, startsAt: `${day}100000` }),
  );
  await hl7PortOpened(server);
  await until(emptyLog);
  fillDisk(disk);
  /** How many were acknowledged before the connection ended. */
  async function acknowledged(): Promise<number> {
    const client = await connectMllp(hl7Port);
    for (const [i, message] of messages.entries()) {
      const answer = await client.ask(message).catch(() => null);
      if (answer === null) return i;
      expect(codeOf(answer)).toBe("AA");
    }
    client.close();
    return messages.length;
  }
  const before = await acknowledged();
  expect(before).toBeLessThan(messages.length);
  const stored = async () => {
    const { text } = await ask(server, "GET", `/v1/appointments?limit=100&branch_id=${branch_id}`);
    return (JSON.parse(text) as { data: object[] }).data.length;
  };
  makeRoom();
  expect(await stored()).toBeGreaterThanOrEqual(Math.min(before, 100));
  expect(await acknowledged()).toBe(messages.length);
  const rows = storedRows<{ external_id: string }>(
    join(disk, "data"),
    "SELECT external_id FROM appointments WHERE external_id IS NOT NULL",
  );
  expect(rows.map(({ external_id }) => external_id).toSorted()).toEqual(messages.map((_, i) => `A${i}`).toSorted());
});

test_(
  "a day that is closed on a full disk is closed for everybody or for nobody, and goes on when there is room",
  async () => {
    const staff = await enterDemo(server);
    const branch_id = crypto.randomUUID();
    const window = { branch_id, day: "monday", session: "Morning", ai_slots: 0, max_slots: 100 };
    await ask(server, "POST", "/v1/appointment-slots", { body: window });
    const { data } = await ask(server, "GET", `/v1/appointment-slots/availability?branch_id=${branch_id}`);
    const [place] = data as unknown as { slot_id: string; date: string }[];
    for (let i = 0; i < 40; i++)
      await ask(server, "POST", "/v1/appointments", { body: { slot_id: place!.slot_id, contact_name: `P${i}` } });
    const close = () =>
      staff("POST", "calendar/closures", {
        branch_ids: [branch_id],
        ranges: [{ from: place!.date, to: place!.date }],
        otherwise: "move",
      });
    interface Closure {
      state: string;
      people: { moved: number; waiting: number; refused: number };
    }
    const closures = async () => JSON.parse((await staff("GET", "calendar/closures")).text) as Closure[];
    await until(emptyLog);
    fill();
    // A rejected request left nothing behind; an accepted one is stored.
    let taken = 0;
    for (let i = 0; i < 20; i++) if ((await close()).status === 200) taken += 1;
    expect((await closures()).length).toBe(taken);
    makeRoom();
    if (taken === 0) expect((await close()).status).toBe(200);
    await until(async () => (await closures()).every(({ state }) => state === "closed"), {
      withinMs: 90_000,
      everyMs: 50,
    });
    const counts = (await closures()).map(({ people }) => people);
    expect(counts.reduce((sum, { moved }) => sum + moved, 0)).toBe(40);
    expect(counts.every(({ waiting, refused }) => waiting + refused === 0)).toBeTrue();
    expect((await ask(server, "GET", "/readyz")).status).toBe(200);
  },
);
