// A hospital whose scheduler speaks HL7: the whole app with its real mirror, an HL7 source, and the MLLP port.
import { CLI_ACTOR } from "../../src/core/actor.ts";
import { SECOND_MS, systemClock } from "../../src/core/clock.ts";
import { silentLogger } from "../../src/core/logger.ts";
import { listenForMllp } from "../../src/exchange/hl7/listener/listener.ts";
import type { Hl7Settings } from "../../src/exchange/hl7/settings.ts";
import { SOURCE } from "./hl7.ts";
import { createTestApp } from "./test-app.ts";

const LIMITS = {
  mostBytes: 64 * 1024,
  perSecond: 10_000,
  idleMs: 60 * SECOND_MS,
  frameMs: 30 * SECOND_MS,
  quietMs: 30 * SECOND_MS,
};

export async function createHl7Hospital(settings: Partial<Hl7Settings> = {}) {
  const test_ = await createTestApp({ settings: { RINGWARD_HL7__ALLOW: "127.0.0.1" } });
  const { organisationId, db } = test_;
  const { services } = test_.app;
  const given = { name: "HIS", kind: "hl7" as const, settings: { ...SOURCE.settings, ...settings } };
  const { source_id: sourceId } = await services.sources.create(organisationId, given, CLI_ACTOR);
  const listener = listenForMllp({
    host: "127.0.0.1",
    port: 0,
    tls: null,
    clients: null,
    isAllowed: () => true,
    mostConnections: 32,
    clock: systemClock,
    logger: silentLogger,
    receiver: services.hl7Receiver,
    received: () => {},
    limits: LIMITS,
  });
  return {
    ...test_,
    services,
    sourceId,
    listener,
    receive: (text: string) => services.hl7Receiver.receive(Buffer.from(text, "utf8"), { address: "127.0.0.1" }),
    appointments: () => db.reader.selectFrom("appointments").selectAll().orderBy("external_id").execute(),
    async close() {
      await listener.stop();
      await test_.close();
    },
  };
}

export type Hl7Hospital = Awaited<ReturnType<typeof createHl7Hospital>>;
