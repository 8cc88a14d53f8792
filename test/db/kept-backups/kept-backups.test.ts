// The server's side: starts a backup when it is due, retries, remembers over a restart, and says when it is late.
import { beforeEach, describe, expect, test } from "bun:test";
import { silentLogger } from "../../../src/core/logger.ts";
import { createMetrics } from "../../../src/core/metrics.ts";
import { changeBackupState } from "../../../src/db/kept-backups/backup-state.ts";
import { createKeptBackups } from "../../../src/db/kept-backups/kept-backups.ts";
import { createManualClock, type ManualClock } from "../../support/manual-clock.ts";
import { tempFolder } from "../../support/temp.ts";
import { settingsOf } from "./kept.ts";

const HOUR = 3_600_000;

let clock: ManualClock;
let dataDir: string;
/** What the process does: nothing, fail, or never end. */
let outcome: "good" | "bad" | "hangs";
let begun: { now: number; mayRemove: boolean }[];
let trusted: boolean;
const errors: string[] = [];
/** Of the keys of people in the database; each renewal stores it, unless `renewalFails`. */
let revision: number | null;
let renewals: number;
let renewalFails: boolean;

async function renew(): Promise<void> {
  renewals++;
  if (renewalFails) throw new Error("the folder is full");
  changeBackupState(dataDir, clock.now(), { keysRevision: revision ?? 0 });
}

function server(every = "24h") {
  const metrics = createMetrics();
  const kept = createKeptBackups({
    settings: settingsOf({ every, to: "/backups" }),
    dataDir,
    clock,
    logger: { ...silentLogger, error: (message, fields) => void errors.push(`${message}: ${fields?.["error"]}`) },
    metrics,
    trustedNow: () => (trusted ? clock.now() : null),
    personKeys: { revision: async () => revision, renew },
    make(order, signal) {
      begun.push(order);
      if (outcome === "bad") return Promise.reject(new Error("no room"));
      if (outcome === "hangs")
        return new Promise((_, reject) => signal.addEventListener("abort", () => reject(new Error("killed"))));
      const lastGood = { name: "x", where: "/backups", madeAt: order.now, bytes: 7 };
      changeBackupState(dataDir, order.now, { lastGood, failures: 0, failedAt: null });
      return Promise.resolve();
    },
  });
  /** As the scheduler does: asked at least every half minute. */
  const live = async (ms: number) => {
    for (let lived = 0; lived < ms; lived += 10 * 60_000) {
      await kept.source.runDue();
      await clock.advance(Math.min(10 * 60_000, ms - lived));
    }
    await kept.source.runDue();
  };
  return { kept, live, metrics };
}

beforeEach(() => {
  clock = createManualClock();
  dataDir = tempFolder();
  outcome = "good";
  begun = [];
  trusted = true;
  errors.length = 0;
  revision = null;
  renewals = 0;
  renewalFails = false;
});

describe("backups by themselves", () => {
  test("are off without an interval: no notes, no view, no gauges", async () => {
    const { kept, live, metrics } = server("");
    await live(48 * HOUR);
    expect([begun.length, kept.notes(), kept.view()]).toEqual([0, {}, null]);
    expect(metrics.render()).not.toMatch(/^ringward_backup_late /m);
  });

  test("come once an interval, and not in the first minute of the server", async () => {
    const { kept, live } = server();
    await kept.source.runDue();
    expect(begun).toEqual([]);
    await live(49 * HOUR);
    expect(begun.map(({ mayRemove }) => mayRemove)).toEqual([true, true, true]);
    expect(kept.notes()["backup_late"]).toBeNull();
    expect(kept.notes()["backup"]).toStartWith("Last verified backup: 2026-11-1");
  });

  test("are known after a restart", async () => {
    await server().live(HOUR);
    await server().live(HOUR);
    expect(begun).toHaveLength(1);
  });

  test("that fail are tried again, are logged, and are late in the end", async () => {
    await server().live(HOUR);
    outcome = "bad";
    const { kept, live, metrics } = server();
    await live(24 * HOUR);
    const tries = begun.length - 1;
    expect(tries).toBeGreaterThan(1);
    expect(errors[0]).toBe("backup failed; it is tried again: no room");
    expect(kept.notes()["backup_late"]).toBeNull();
    await live(12 * HOUR);
    expect(kept.notes()["backup_late"]).toContain("too long ago");
    expect(kept.notes()["backup_late"]).not.toContain("no room");
    expect(kept.view()).toMatchObject({ is_late: true, last_drill_at: null });
    const shown = metrics.render();
    expect(shown).toMatch(/^ringward_backup_late 1$/m);
    expect(shown).toMatch(new RegExp(`^ringward_backup_failures_total ${begun.length - 1}$`, "m"));
    // At most one an hour, after the first few.
    expect(begun.length).toBeLessThan(20);
    outcome = "good";
    await live(2 * HOUR);
    expect(kept.notes()["backup_late"]).toBeNull();
    expect(metrics.render()).toMatch(/^ringward_backup_bytes 7$/m);
  });

  test("are late where none was ever made", async () => {
    outcome = "bad";
    const { kept, live } = server();
    await live(37 * HOUR);
    expect(kept.notes()["backup_late"]).toStartWith("No backup has been made yet.");
  });

  test("remove nothing while the clock is not trusted", async () => {
    trusted = false;
    await server().live(HOUR);
    expect(begun.map(({ mayRemove }) => mayRemove)).toEqual([false]);
  });

  test("are one at a time, and end with the server", async () => {
    outcome = "hangs";
    const { kept, live } = server("1h");
    await live(5 * HOUR);
    expect(begun).toHaveLength(1);
    await kept.stop();
    await live(5 * HOUR);
    expect(begun).toHaveLength(1);
    expect(errors).toEqual([]);
  });
});

describe("the key file of people beside the backups", () => {
  const made = async () => {
    const running = server();
    revision = 1;
    await running.live(2 * HOUR);
    // The process of a backup writes the file, too.
    changeBackupState(dataDir, clock.now(), { keysRevision: 1 });
    renewals = 0;
    return running;
  };

  test("is written again as soon as an erasure changed the keys, and then left alone", async () => {
    const { kept, live } = await made();
    await live(HOUR);
    expect(renewals).toBe(0);
    revision = 2;
    // At most one look a second.
    await clock.advance(1_000);
    await kept.source.runDue();
    expect(renewals).toBe(1);
    await live(HOUR);
    expect(renewals).toBe(1);
    expect(kept.notes()["backup_keys"]).toBeNull();
  });

  test("that cannot be written is tried again, and /readyz says so until it was", async () => {
    const { kept, live } = await made();
    renewalFails = true;
    revision = 2;
    await live(HOUR);
    expect(renewals).toBeGreaterThan(1);
    expect(kept.notes()["backup_keys"]).toContain("erased");
    renewalFails = false;
    await live(HOUR);
    expect(kept.notes()["backup_keys"]).toBeNull();
    await live(HOUR);
    errors.length = 0;
  });
});
