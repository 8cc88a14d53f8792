// The delivery pages: correct data, and an index for every query.
import { afterEach, beforeEach, describe, expect, spyOn, test, type Mock } from "bun:test";
import Sqlite from "better-sqlite3";
import { encodeCursor } from "../../src/core/pages.ts";
import { signedIn, type Visitor } from "../support/dashboard.ts";
import { onlySqlite } from "../support/engines.ts";
import { createHospital, type Hospital } from "../support/hospital.ts";
import { fileOf } from "../support/temp.ts";

let prepared: Mock<(sql: string) => unknown>;
let hospital: Hospital;
let staff: Visitor;
let endpointId: string;
beforeEach(async () => {
  prepared = spyOn(Sqlite.prototype, "prepare");
  hospital = await createHospital();
  staff = await signedIn(hospital.app, hospital.organisationId, "staff");
  endpointId = await hospital.subscribe();
});
afterEach(async () => {
  prepared.mockRestore();
  await hospital.close();
});

const BIG_TABLES = ["deliveries", "delivery_attempts", "events", "calls", "credit_entries"];

/** SQLite's plan for each query on a large table so far. */
function plans(kind = /^select/i): { sql: string; plan: string[] }[] {
  const texts = [...new Set(prepared.mock.calls.map(([sql]) => sql))];
  const asked = texts.filter((sql) => kind.test(sql) && BIG_TABLES.some((table) => sql.includes(`"${table}"`)));
  const db = new Sqlite(fileOf(hospital.db), { readonly: true });
  const found = asked.map((sql) => {
    const values = Array<number>(sql.split("?").length - 1).fill(1);
    const rows = db.prepare(`EXPLAIN QUERY PLAN ${sql}`).all(...values) as { detail: string }[];
    return { sql, plan: rows.map(({ detail }) => detail) };
  });
  db.close();
  return found;
}

/** An index of the live calls only: as many as there are lines. */
const isOfLiveCalls = (step: string) => step === "SCAN calls USING INDEX calls_live";

const readsMuch = (step: string) =>
  /TEMP B-TREE/.test(step) ||
  (step.startsWith("SCAN") && !isOfLiveCalls(step) && BIG_TABLES.some((table) => step.split(" ").includes(table)));

interface Shown {
  delivery_id: string;
  state: string;
  created_at: string;
}

async function shown(query: string): Promise<{ data: Shown[]; next_cursor: string | null }> {
  const { status, json } = await staff.ask("GET", `/dashboard/api/deliveries?${query}`);
  expect(status).toBe(200);
  return json as never;
}

/** `count` deliveries of one endpoint, two in each millisecond, every fifth exhausted. */
async function fill(count: number, endpoint = endpointId): Promise<void> {
  const at = hospital.clock.now();
  await hospital.db.write(async (tx) => {
    for (let i = 0; i < count; i++) {
      const id = `${endpoint}_${String(i).padStart(4, "0")}`;
      const created_at = at + Math.floor(i / 2);
      await tx
        .insertInto("events")
        .values({
          id: `evt_${id}`,
          organisation_id: hospital.organisationId,
          type: "call.completed",
          call_id: i === 7 ? "call_seven" : null,
          appointment_id: null,
          has_recording: 0,
          has_transcript: 0,
          created_at,
          data: "{}",
        })
        .execute();
      await tx
        .insertInto("deliveries")
        .values({
          id: `dlv_${id}`,
          organisation_id: hospital.organisationId,
          event_id: `evt_${id}`,
          endpoint_id: endpoint,
          order_key: id,
          state: i % 5 === 0 ? "exhausted" : "delivered",
          attempts: 1,
          next_at: at,
          created_at,
          updated_at: at,
          is_head: 0,
        })
        .execute();
    }
  });
}

const PLANS = "it reads SQLite's plans";

onlySqlite(PLANS)(
  "no question behind the settings, the endpoints and the deliveries reads through a table or sorts it",
  async () => {
    await fill(60);
    const { data, next_cursor } = await shown("");
    // A cursor is valid only for the filters of its own page.
    const narrow = `endpoint_id=${endpointId}&state=delivered`;
    const narrowed = encodeCursor(
      { createdAt: hospital.clock.now(), id: "dlv_" },
      { endpoint_id: endpointId, state: "delivered" },
    );
    const range = `from=${new Date(0).toISOString()}&to=${new Date(hospital.clock.now() + 1_000).toISOString()}`;
    for (const path of [
      "settings",
      "endpoints",
      `deliveries?endpoint_id=${endpointId}`,
      "deliveries?state=exhausted",
      "deliveries?state=pending",
      `deliveries?endpoint_id=${endpointId}&state=exhausted`,
      `deliveries?cursor=${next_cursor}`,
      `deliveries?${narrow}&cursor=${narrowed}`,
      `deliveries/${data[0]!.delivery_id}`,
      `endpoints/${endpointId}/range?${range}`,
    ]) {
      expect([path, (await staff.ask("GET", `/dashboard/api/${path}`)).status]).toEqual([path, 200]);
    }
    const found = plans();
    expect(found.length).toBeGreaterThan(8);
    expect(found.filter(({ plan }) => plan.some(readsMuch))).toEqual([]);
  },
);

onlySqlite(PLANS)("the indexes for the pages draw no question of the delivery loop away from its own", async () => {
  await hospital.app.start();
  const { endpoints, deliveries } = hospital.app.services;
  const { organisationId, clock } = hospital;
  await hospital.dial();
  await clock.advance(60_000);
  await endpoints.disable(organisationId, endpointId, { kind: "cli", id: null });
  await clock.advance(60_000);
  await endpoints.enable(organisationId, endpointId, true, { kind: "cli", id: null });
  await fill(5);
  const { data } = await shown("state=exhausted");
  await deliveries.replay(organisationId, data[0]!.delivery_id, { kind: "cli", id: null });
  await clock.advance(60_000);
  const found = plans(/^(select|update)/i).filter(({ sql }) => /order_key|is_head/.test(sql));
  expect(found.length).toBeGreaterThan(5);
  expect(found.filter(({ plan }) => plan.some((step) => step.includes("deliveries_newest_")))).toEqual([]);
});

test("pages are consecutive without gaps or duplicates, across endpoints and within a millisecond", async () => {
  const neighbour = await secondEndpoint();
  await fill(70);
  await fill(50, neighbour);
  for (const [query, most] of [
    ["", 120],
    ["state=exhausted", 24],
    [`endpoint_id=${endpointId}`, 70],
  ] as const) {
    const seen: Shown[] = [];
    for (let cursor: string | null = ""; cursor !== null;) {
      const page = await shown(`${query}${cursor && `&cursor=${encodeURIComponent(cursor)}`}`);
      seen.push(...page.data);
      cursor = page.next_cursor;
    }
    expect(new Set(seen.map(({ delivery_id }) => delivery_id)).size).toBe(most);
    expect(seen).toHaveLength(most);
    const order = seen.map(({ created_at, delivery_id }) => `${created_at} ${delivery_id}`);
    expect(order).toEqual(order.toSorted().toReversed());
  }
});

test("an endpoint of another organisation shows nothing", async () => {
  await fill(3);
  const other = await hospital.neighbour();
  const stranger = await signedIn(hospital.app, other.organisationId, "staff");
  const { json } = await stranger.ask("GET", `/dashboard/api/deliveries?endpoint_id=${endpointId}`);
  expect(json as unknown).toEqual({ data: [], next_cursor: null });
});

test("the deliveries of one call are found by the call", async () => {
  await fill(20);
  const rows = await hospital.app.services.deliveries.list({
    organisationId: hospital.organisationId,
    callId: "call_seven",
    limit: 10,
  });
  expect(rows.map(({ delivery_id }) => delivery_id)).toEqual([`dlv_${endpointId}_0007`]);
});

describe("the counts of an endpoint", () => {
  const counts = async () => {
    const { json } = await staff.ask("GET", "/dashboard/api/endpoints");
    const [endpoint] = json as unknown as { deliveries: Record<string, number> }[];
    return endpoint!.deliveries;
  };
  const counted = async () => {
    const rows = await hospital.db.reader
      .selectFrom("deliveries")
      .select(["state", (eb) => eb.fn.countAll<number>().as("count")])
      .where("endpoint_id", "=", endpointId)
      .groupBy("state")
      .execute();
    return Object.fromEntries(rows.map(({ state, count }) => [state, count]));
  };

  test("equal a count of the rows, after inserts, changes of state and deletes", async () => {
    expect(await counts()).toEqual({});
    await fill(25);
    expect(await counts()).toEqual({ exhausted: 5, delivered: 20 });
    await hospital.db.write((tx) =>
      tx.updateTable("deliveries").set({ state: "held" }).where("state", "=", "exhausted").execute(),
    );
    await hospital.db.write((tx) => tx.deleteFrom("deliveries").where("id", "like", "%_0003").execute());
    expect(await counts()).toEqual(await counted());
    expect(await counts()).toEqual({ held: 5, delivered: 19 });
  });

  test("are rolled back with a failed write", async () => {
    await fill(5);
    const failing = hospital.db.write(async (tx) => {
      await tx.updateTable("deliveries").set({ state: "pending" }).execute();
      throw new Error("no");
    });
    await expect(failing).rejects.toThrow("no");
    expect(await counts()).toEqual(await counted());
  });

  test("are deleted with the endpoint", async () => {
    await fill(5);
    await hospital.app.services.endpoints.remove(hospital.organisationId, endpointId, { kind: "cli", id: null });
    expect(await hospital.db.reader.selectFrom("delivery_counts").selectAll().execute()).toEqual([]);
  });

  test("of a range cover that range", async () => {
    await fill(20);
    const from = hospital.clock.now();
    const range = { from, to: from + 5 };
    expect(await hospital.app.services.deliveries.countRange(hospital.organisationId, endpointId, range)).toEqual({
      exhausted: 2,
      delivered: 8,
    });
  });
});

async function secondEndpoint(): Promise<string> {
  const { organisations, endpoints } = hospital.app.services;
  await organisations.setPlan(hospital.organisationId, "professional", { kind: "cli", id: null });
  const input = { url: "https://second.example/hook", eventTypes: ["call.completed"], description: "" };
  return (await endpoints.create(hospital.organisationId, input, { kind: "cli", id: null })).endpoint_id;
}
