// A complete app on its own folder, with webhook endpoints and pending events.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Sqlite from "better-sqlite3";
import { createApp } from "../../src/compose/app.ts";
import { loadConfig } from "../../src/config/load.ts";
import { CLI_ACTOR } from "../../src/core/actor.ts";
import { HOUR_MS, systemClock } from "../../src/core/clock.ts";
import { silentLogger } from "../../src/core/logger.ts";
import { openDatabase } from "../../src/db/database.ts";
import type { PostResult, SafePost } from "../../src/events/safe-post/safe-post.ts";
import { ALL_SCOPES } from "../../src/payloads/scopes.ts";
import { fileOf } from "../../test/support/temp.ts";

export type World = Awaited<ReturnType<typeof openWorld>>;

export async function inWorld<T>(safePost: SafePost, act: (world: World) => Promise<T>): Promise<T> {
  const dataDir = mkdtempSync(join(tmpdir(), "ringward-bench-"));
  try {
    const world = await openWorld(dataDir, safePost);
    try {
      return await act(world);
    } finally {
      if ("release" in safePost) (safePost as DeadPost).release();
      await world.stop();
    }
  } finally {
    rmSync(dataDir, { recursive: true, force: true });
  }
}

async function openWorld(dataDir: string, safePost: SafePost) {
  const config = loadConfig({
    environment: {
      RINGWARD_DATA__DIR: dataDir,
      RINGWARD_RULES__ENFORCE: "false",
      RINGWARD_PLANS__ENTERPRISE__REQUESTS_PER_MINUTE: "unlimited",
    },
  });
  const db = await openDatabase({ dataDir }, { logger: silentLogger, as: "server" });
  const rootKey = new Uint8Array(32);
  const app = createApp({ config, db, clock: systemClock, logger: silentLogger, rootKey, safePost });
  const { organisations, credits, agents, keys, endpoints, outbox } = app.services;
  const { id: organisationId } = await organisations.create({ name: "Bench", timeZone: "UTC" }, CLI_ACTOR);
  await organisations.setPlan(organisationId, "enterprise", CLI_ACTOR);
  await credits.setUnlimited(organisationId, true, CLI_ACTOR);
  const { agent_id: agentId } = await agents.create(
    organisationId,
    { name: "Asha", greeting: "Hello {{user_name}}.", calling_hours: null },
    CLI_ACTOR,
  );
  await agents.addNumber(organisationId, { number: "+15555550190", agentId }, CLI_ACTOR);
  const { key } = await keys.create(organisationId, { name: "bench", scopes: ALL_SCOPES }, CLI_ACTOR);

  // Opened once: opening takes as long as ten deliveries, and it is queried constantly.
  const counting = new Sqlite(fileOf(db), { readonly: true });
  const count = counting.prepare("SELECT sum(count) FROM delivery_counts WHERE state = ?").pluck();

  return {
    app,
    db,
    key,
    agentId,
    organisationId,
    async endpoint(url: string, eventTypes: string[] = ["call.initiated", "call.completed"]): Promise<string> {
      return (await endpoints.create(organisationId, { url, eventTypes }, CLI_ACTOR)).endpoint_id;
    },
    publish: (type: "call.initiated" | "slot.updated", id: string) =>
      db.write((tx) => outbox.publish(tx, { organisationId, type, callId: id, orderKey: id, data: callData(id) })),
    /** Two events per call, as in most calls. The first of each is due, or waits for its retry. */
    async fill(endpointId: string, count: number, first: "due" | "waiting"): Promise<void> {
      fill(fileOf(db), { organisationId, endpointId, count, first });
      // The server scans the whole file after a foreign write, which is not part of the measurement.
      await db.maintenance.wipe([]);
    },
    countOf: (state: "pending" | "delivered") => Number(count.get(state) ?? 0),
    async stop(): Promise<void> {
      counting.close();
      await app.stop();
    },
  };
}

export async function until(isSo: () => boolean, everyMs = 5): Promise<void> {
  while (!isSo()) await Bun.sleep(everyMs);
}

/** As large as the data of a finished call. */
export function callData(callId: string): object {
  return { call_id: callId, call_status: "completed", summary: "She confirmed the visit. ".repeat(36) };
}

/** Inserts rows directly: 100,000 events through the outbox would take 15 seconds and show nothing more. */
function fill(
  file: string,
  {
    organisationId,
    endpointId,
    count,
    first,
  }: { organisationId: string; endpointId: string; count: number; first: "due" | "waiting" },
): void {
  const connection = new Sqlite(file);
  const now = Date.now();
  const event = connection.prepare(
    `INSERT INTO events (id, organisation_id, type, call_id, has_recording, has_transcript, created_at, data)
     VALUES (?, ?, ?, ?, 0, 0, ?, ?)`,
  );
  const delivery = connection.prepare(
    `INSERT INTO deliveries (id, organisation_id, event_id, endpoint_id, order_key, state, attempts, next_at, is_head, created_at, updated_at)
     VALUES (?, ?, ?, ?, ?, 'pending', ?, ?, ?, ?, ?)`,
  );
  connection.transaction(() => {
    for (let i = 0; i < count; i++) {
      // In order, like real ids: events of the same time are neighbours in every index.
      const callId = `call_${endpointId}_${String(Math.floor(i / 2)).padStart(9, "0")}`;
      const id = `${endpointId}_${String(i).padStart(9, "0")}`;
      const isFirst = i % 2 === 0;
      const isWaiting = isFirst && first === "waiting";
      const type = isFirst ? "call.initiated" : "call.completed";
      event.run(`evt_${id}`, organisationId, type, callId, now, JSON.stringify(callData(callId)));
      const [attempts, nextAt] = isWaiting ? [4, now + HOUR_MS] : [0, now];
      const head = isFirst ? 1 : 0;
      delivery.run(`dlv_${id}`, organisationId, `evt_${id}`, endpointId, callId, attempts, nextAt, head, now, now);
    }
  })();
  connection.close();
}

export interface DeadPost extends SafePost {
  /** Ends hanging posts, so the app can stop. */
  release(): void;
}

/** Accepts the request and never answers. */
export function deadPost(): DeadPost {
  const hanging: ((result: PostResult) => void)[] = [];
  return {
    checkUrl() {},
    post: () => new Promise((resolve) => void hanging.push(resolve)),
    release() {
      for (const end of hanging.splice(0))
        end({ kind: "timeout", detail: "No answer came in time.", durationMs: 8_000 });
    },
  };
}

/** Answers immediately, without a connection. */
export const quickPost: SafePost = {
  checkUrl() {},
  post: async () => ({ kind: "answered", status: 204, excerpt: "", durationMs: 0 }),
};
