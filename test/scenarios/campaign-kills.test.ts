// Durability of campaigns: the process is killed repeatedly while lists are written and while the next start removes
// the incomplete ones. No acknowledged campaign is lost. `./scripts/torture --campaign-kills 200` runs the long form.
import { expect, test } from "bun:test";
import { freePort, leaveNothingBehind, startBinary, tempFolder, type Running } from "../support/binary.ts";
import { storedCount, storedRows } from "../support/stored-rows.ts";
import { until } from "../support/until.ts";
import { createChance } from "../torture/seeded.ts";

leaveNothingBehind();

const KILLS = Number(process.env["RINGWARD_CAMPAIGN_KILLS"] ?? 6);
const SEED = Number(process.env["RINGWARD_CAMPAIGN_KILLS_SEED"] ?? 41);
/**
 * List lengths by client. A kill interrupts the long lists; the short ones complete while a start removes incomplete
 * long ones.
 */
const LIST_LENGTHS = [4_000, 4_000, 3, 3, 40, 3, 300, 3];
/** A run acknowledges at most this many before the kill. */
const MOST_MADE = 30;
const START_AT = new Date(Date.now() + 24 * 3_600_000).toISOString();
const DEADLINE_MS = 60_000 + KILLS * 15_000;

interface Attempt {
  idempotencyKey: string;
  rows: number;
}

/** Number of rows by campaign id. */
type Acknowledged = Map<string, number>;

type Hospital = Pick<Running, "url" | "demo">;

test(
  `campaigns acknowledged over HTTP survive ${KILLS} kills whole, and a list sent again is one campaign`,
  async () => {
    const chance = createChance(SEED);
    const dataDir = tempFolder();
    const port = await freePort();
    const acknowledged: Acknowledged = new Map();
    const env = {
      RINGWARD_PLANS__BASE__REQUESTS_PER_MINUTE: "unlimited",
      RINGWARD_CAMPAIGNS__AT_ONCE: "unlimited",
      RINGWARD_LOG__LEVEL: "warn",
    };
    const first = await startBinary({ dataDir, port, env });
    const hospital: Hospital = { url: first.url, demo: first.demo };
    await first.stop();
    let unanswered: Attempt[] = [];
    let retried = 0;
    for (let kill = 0; kill < KILLS; kill++) {
      retried += unanswered.length;
      const clients = startClients(hospital, unanswered, acknowledged);
      const server = await startBinary({ dataDir, port, env });
      const enough = acknowledged.size + chance.between(0, MOST_MADE);
      const isTime = () => acknowledged.size >= enough && isAnyHalfWritten(dataDir);
      await Promise.race([until(isTime, { everyMs: 1 }), clients.ended]);
      clients.expectNoAnswer();
      await server.kill();
      unanswered = await clients.ended;
      expect(brokenOf(dataDir, acknowledged)).toEqual([]);
    }
    const last = await startBinary({ dataDir, port, env });
    for (const attempt of unanswered) acknowledged.set(await send(hospital, attempt), attempt.rows);
    await until(() => storedCount(dataDir, "campaigns WHERE state = 'preparing'") === 0);
    await last.stop();
    console.log(`      seed ${SEED}: ${acknowledged.size} campaigns acknowledged, ${retried} lists sent again`);
    expect(acknowledged.size).toBeGreaterThan(KILLS);
    expect(retried).toBeGreaterThan(0);
    expect(brokenOf(dataDir, acknowledged)).toEqual([]);
    // No duplicates, and no campaign without an acknowledged request.
    const stored = storedRows<{ id: string }>(dataDir, "SELECT id FROM campaigns").map(({ id }) => id);
    expect(stored.toSorted()).toEqual([...acknowledged.keys()].toSorted());
    const rows = [...acknowledged.values()].reduce((sum, count) => sum + count, 0);
    expect(storedCount(dataDir, "campaign_rows")).toBe(rows);
  },
  DEADLINE_MS,
);

/** Campaigns that are missing, no longer ready, or incomplete, read from the database of a killed process. */
function brokenOf(dataDir: string, acknowledged: Acknowledged): string[] {
  const stored = storedRows<{ id: string; rows: number }>(
    dataDir,
    `SELECT id, (SELECT count(*) FROM campaign_rows WHERE campaign_id = campaigns.id AND state = 'waiting') AS rows
       FROM campaigns WHERE state = 'ready'`,
  );
  const rowsOf = new Map(stored.map(({ id, rows }) => [id, rows]));
  return [...acknowledged].filter(([id, rows]) => rowsOf.get(id) !== rows).map(([id]) => id);
}

/** The clients send before the server is up, because a start removes what an earlier run left behind. */
function startClients(hospital: Hospital, first: readonly Attempt[], acknowledged: Acknowledged) {
  const again = [...first];
  const answered = new Set<Attempt>();
  let isKilled = false;
  /** False before the start and after the kill; any status other than 201 is a server failure. */
  async function isAcknowledged(attempt: Attempt): Promise<boolean> {
    try {
      acknowledged.set(await send(hospital, attempt), attempt.rows);
      answered.add(attempt);
      return true;
    } catch (error) {
      if (error instanceof Refusal) throw error;
      return false;
    }
  }
  async function work(rows: number): Promise<Attempt> {
    for (;;) {
      const cutOff = again.findIndex((attempt) => attempt.rows === rows);
      const [attempt = { idempotencyKey: crypto.randomUUID(), rows }] = cutOff < 0 ? [] : again.splice(cutOff, 1);
      await until(async () => isKilled || (await isAcknowledged(attempt)), { everyMs: 1 });
      if (!answered.has(attempt)) return attempt;
    }
  }
  const attempts = Promise.all(LIST_LENGTHS.map(work));
  return {
    /** Resolves with the requests that the kill left unanswered. */
    ended: attempts.then((left) => [...left, ...again]),
    expectNoAnswer: () => void (isKilled = true),
  };
}

/** A long list is half written: a kill now leaves it to the next start. */
function isAnyHalfWritten(dataDir: string): boolean {
  const longest = Math.max(...LIST_LENGTHS);
  return storedCount(dataDir, `campaigns WHERE state = 'preparing' AND row_count = ${longest}`) > 0;
}

class Refusal extends Error {}

async function send({ url, demo }: Hospital, { idempotencyKey, rows }: Attempt): Promise<string> {
  const response = await fetch(`${url}/v1/campaigns`, {
    method: "POST",
    headers: {
      "x-api-key": demo["api_key"] ?? "",
      "content-type": "application/json",
      "idempotency-key": idempotencyKey,
    },
    body: bodyOf(demo["agent_id"] ?? "", rows),
  });
  const text = await response.text();
  if (response.status !== 201) throw new Refusal(`POST /v1/campaigns answered ${response.status}: ${text}`);
  return (JSON.parse(text) as { data: { campaign_id: string } }).data.campaign_id;
}

/** Identical for the same list, so that a retry is the same request. */
function bodyOf(agentId: string, count: number): string {
  const rows = Array.from({ length: count }, (_, i) => ({ user_number: `+9198100${10_000 + i}` }));
  return JSON.stringify({ name: "Reminders", agent_id: agentId, rows, start_at: START_AT });
}
