// The clock is set back while the appliance is off: later events are still delivered later.
import { afterAll, expect, test } from "bun:test";
import { createApp } from "../../src/compose/app.ts";
import { HOUR_MS } from "../../src/core/clock.ts";
import { CLI_ACTOR } from "../../src/core/actor.ts";
import { silentLogger } from "../../src/core/logger.ts";
import { createManualClock } from "../support/manual-clock.ts";
import { openBeside } from "../support/temp.ts";
import { createTestApp } from "../support/test-app.ts";

const before = await createTestApp();
afterAll(() => before.close());

test("an event of a call stays behind one that an earlier run could not deliver", async () => {
  const { db, config, clock, dataDir, organisationId } = before;
  const { endpoints } = before.app.services;
  await endpoints.create(
    organisationId,
    { url: "https://receiver.example/", eventTypes: ["call.initiated"] },
    CLI_ACTOR,
  );
  const tell = (app: typeof before.app, data: object) =>
    db.write((tx) =>
      app.services.outbox.publish(tx, { organisationId, type: "call.initiated", data, orderKey: "call-1" }),
    );
  await tell(before.app, { sequence: 1 });
  const again = await openBeside(dataDir);
  const after = createApp({
    config,
    db: again,
    clock: createManualClock(clock.now() - 5 * HOUR_MS),
    logger: silentLogger,
    rootKey: new Uint8Array(32).fill(7),
    demoHospital: null,
  });
  await tell(after, { sequence: 2 });
  const told = await db.reader
    .selectFrom("deliveries")
    .innerJoin("events", "events.id", "deliveries.event_id")
    .select(["events.data", "deliveries.is_head"])
    .orderBy("deliveries.id")
    .execute();
  expect(told.map(({ data, is_head }) => [JSON.parse(data), is_head])).toEqual([
    [{ sequence: 1 }, 1],
    [{ sequence: 2 }, 0],
  ]);
  await again.close();
});
