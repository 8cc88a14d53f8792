// A receiver of HL7 messages with its port, on a real database, in front of the mirror's twin.
import { CLI_ACTOR } from "../../src/core/actor.ts";
import { SECOND_MS, systemClock } from "../../src/core/clock.ts";
import { createLogger } from "../../src/core/logger.ts";
import { listenForMllp, type ListenerOptions } from "../../src/exchange/hl7/listener/listener.ts";
import { Receiver, type Received } from "../../src/exchange/hl7/receiver.ts";
import type { Hl7Source } from "../../src/exchange/hl7/settings.ts";
import { SOURCE } from "./hl7.ts";
import { createMirrorTwin } from "./mirror-twin.ts";
import { createTestApp } from "./test-app.ts";

export async function createHl7World(options: Partial<ListenerOptions> = {}) {
  const test_ = await createTestApp();
  const { db, clock, organisationId } = test_;
  const { ids, secrets } = test_.app.services;
  const mirror = createMirrorTwin(clock.now);
  const given = { name: "HIS", kind: "hl7" as const, settings: { ...SOURCE.settings } };
  const { source_id: sourceId } = await test_.app.services.sources.create(organisationId, given, CLI_ACTOR);
  const sources: Hl7Source[] = [structuredClone({ ...SOURCE, id: sourceId, organisationId })];
  const receiver = new Receiver({
    db,
    clock,
    ids,
    secrets,
    mirror,
    zoneOf: async () => "Asia/Kolkata",
    sources: {
      ofSender: async (application, facility) =>
        sources.filter(({ settings }) => settings.application === application && settings.facility === facility),
      byId: async (_organisationId, id) => sources.find((each) => each.id === id) ?? null,
    },
  });
  const logLines: string[] = [];
  const received: Pick<Received, "code" | "outcome">[] = [];
  const begin = (changed: Partial<ListenerOptions> = {}) =>
    listenForMllp({
      host: "127.0.0.1",
      port: 0,
      tls: null,
      clients: null,
      isAllowed: (address) => address === "127.0.0.1",
      mostConnections: 32,
      clock: systemClock,
      logger: createLogger(systemClock, "debug", (line) => void logLines.push(line)),
      receiver,
      received: (each) => void received.push(each),
      limits: {
        mostBytes: 64 * 1024,
        perSecond: 10_000,
        idleMs: 60 * SECOND_MS,
        frameMs: 30 * SECOND_MS,
        quietMs: 30 * SECOND_MS,
      },
      ...options,
      ...changed,
    });
  const listeners = [begin()];
  return {
    ...test_,
    mirror,
    sources,
    sourceId,
    receiver,
    logLines,
    received,
    get port() {
      return listeners.at(-1)?.port ?? 0;
    },
    listener: () => listeners.at(-1)!,
    /** Another port with other options. */
    listen(changed: Partial<ListenerOptions>) {
      const listener = begin(changed);
      listeners.push(listener);
      return listener;
    },
    logged: () => db.reader.selectFrom("hl7_messages").selectAll().orderBy("id").execute(),
    async close() {
      for (const listener of listeners) await listener.stop();
      await test_.close();
    },
  };
}

export type Hl7World = Awaited<ReturnType<typeof createHl7World>>;
