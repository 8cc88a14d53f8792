// Round trips to PostgreSQL per call: most of their cost is waiting.
import { afterEach, beforeEach, expect, test } from "bun:test";
import { openPostgres } from "../../../src/db/postgres/open.ts";
import { openWire, type Wire } from "../../../src/db/postgres/wire.ts";
import { createHospital, DIAL_DELAY_MS, type Hospital } from "../../support/hospital.ts";
import { settle } from "../../support/manual-clock.ts";
import { heardOf } from "../../support/open-databases.ts";
import { newPostgresUrl, settingsFor } from "../../support/postgres.ts";

const SENDING = new Set<string | symbol>(["ask", "askAll", "query"]);
/** Of connections that write. */
let trips: string[];
let hospital: Hospital;

/** Records each message that is sent and answered. */
function counted(wire: Wire): Wire {
  return new Proxy(wire, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name, target);
      if (typeof value !== "function") return value;
      return (...given: unknown[]) => {
        if (SENDING.has(name)) trips.push(textOf(given[0]));
        return value.apply(target, given) as unknown;
      };
    },
  });
}

const textOf = (sent: unknown): string =>
  Array.isArray(sent) ? sent.map(({ text }: { text: string }) => text).join("; ") : String(sent);

beforeEach(async () => {
  trips = [];
  hospital = await createHospital({
    settings: { RINGWARD_PLANS__BASE__CONCURRENT_CALLS: "unlimited" },
    async open(dataDir, logger) {
      const place = { dataDir, database: settingsFor(await newPostgresUrl()) };
      const db = await openPostgres(place, { logger, as: "server" }, async (address, options) => {
        const wire = await openWire(address, options);
        return options.settings?.includes("enable_seqscan=off") ? counted(wire) : wire;
      });
      return heardOf(db, () => {});
    },
  });
  await hospital.subscribe();
  await hospital.app.start();
});
afterEach(() => hospital.close());

/** Messages sent during `act`. */
async function during(act: () => void): Promise<string[]> {
  await settle();
  trips = [];
  act();
  await settle();
  return trips;
}

async function dialled(count: number): Promise<string[]> {
  const ids: string[] = [];
  for (let i = 0; i < count; i++) ids.push(await hospital.schedule({ user_number: `+9198100${20_000 + i}` }));
  await hospital.clock.advance(DIAL_DELAY_MS);
  expect(hospital.carrier.live.size).toBe(count);
  return ids;
}

test("the end of a failed call takes four round trips", async () => {
  const [id = ""] = await dialled(1);
  expect(await during(() => hospital.carrier.fail(id, "busy"))).toHaveLength(4);
  expect((await hospital.row(id)).state).toBe("failed");
});

test("the end of a conversation takes at most six", async () => {
  const [id = ""] = await dialled(1);
  await during(() => hospital.carrier.answer(id));
  expect((await during(() => hospital.carrier.complete(id))).length).toBeLessThanOrEqual(6);
  expect((await hospital.row(id)).state).toBe("completed");
  expect((await hospital.eventsOf(id)).map(({ type }) => type)).toEqual(["call.initiated", "call.completed"]);
});

test("ringing and answers of eight concurrent calls are stored in at most two groups", async () => {
  const ids = await dialled(8);
  expect((await during(() => ids.forEach((id) => hospital.carrier.ring(id)))).length).toBeLessThanOrEqual(6);
});

test("the ends of nine concurrent calls take eight: the first goes ahead of the others", async () => {
  const ids = await dialled(9);
  expect(await during(() => ids.forEach((id) => hospital.carrier.fail(id, "busy")))).toHaveLength(8);
  for (const id of ids) expect((await hospital.row(id)).state).toBe("failed");
});

test("twenty calls that are due at once are claimed in ten, plus the scheduler's own queries", async () => {
  for (let i = 0; i < 20; i++) await hospital.schedule({ user_number: `+9198100${30_000 + i}` });
  await settle();
  trips = [];
  await hospital.clock.advance(DIAL_DELAY_MS);
  expect(hospital.carrier.live.size).toBe(20);
  const claim = trips.slice(trips.findIndex((text) => text.includes('update "calls"')));
  expect(claim.length).toBeLessThanOrEqual(10);
});

test("a new call takes one", async () => {
  await hospital.schedule();
  await settle();
  trips = [];
  await hospital.schedule({ user_number: "+919810040000" });
  expect(trips).toHaveLength(1);
});

test("settings that were inserted are read in the same transaction", async () => {
  const counts = await hospital.db.write(async (tx) => {
    const read = () => tx.selectFrom("webhook_endpoints").selectAll().execute();
    const before = await read();
    await tx
      .insertInto("webhook_endpoints")
      .values({ ...before[0]!, id: "whe_another" })
      .execute();
    return [before.length, (await read()).length];
  });
  expect(counts).toEqual([1, 2]);
});
