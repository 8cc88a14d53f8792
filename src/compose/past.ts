// Generated history of the demo: the same services, calls and simulator as in app.ts, created per day on a past clock.
import { createCalling } from "./calls.ts";
import { createFeeder } from "../campaigns/feeder.ts";
import type { Config } from "../config/schema.ts";
import type { Logger } from "../core/logger.ts";
import { createMetrics } from "../core/metrics.ts";
import type { Database } from "../db/database.ts";
import { nestedDatabase } from "../db/nested.ts";
import type { Tx } from "../db/tables.ts";
import { createPastClock } from "../demo/past-clock.ts";
import { createReceiver, nowhere } from "../demo/receiver.ts";
import { createPastLoop } from "../demo/past-loop.ts";
import { DemoStaff, type DemoHospital } from "../demo/staff.ts";
import { actsOf, type StoryDay } from "../demo/story.ts";
import { createDeliveryLoop, type DeliveryLoop } from "../events/delivery.ts";
import type { ServiceDeps } from "./ground.ts";
import { createServices } from "./services.ts";

export interface PastDeps extends Pick<ServiceDeps, "config" | "rootKey"> {
  db: Database;
  logger: Logger;
  hospital: DemoHospital;
}

export async function liveThroughDay(deps: PastDeps, tx: Tx, day: StoryDay, isLast: boolean): Promise<void> {
  const { hospital, rootKey } = deps;
  const config = simulating(deps.config);
  const clock = createPastClock(day.from);
  const logger = quiet(deps.logger);
  const db = nestedDatabase(tx, deps.db);
  const metrics = createMetrics();
  const loop = createPastLoop(db.settled);
  const wake = () => loop.wake();

  const receiver = createReceiver({ db, clock, secretsOf: (endpoint) => services.endpoints.signingSecrets(endpoint) });
  const services = createServices(
    { config, db, clock, logger, rootKey, safePost: receiver.around(nowhere) },
    wake,
    () => {},
    () => calling.telephony.carrier,
  );
  const calling = createCalling({ config, db, clock, logger, services, metrics, given: undefined, wake });
  const { ids, preparations, stoppedRows, endpoints, safePost, shares } = services;
  const feeder = createFeeder({
    db,
    clock,
    ids,
    logger,
    preparations,
    stoppedRows,
    hoursAreEnforced: config.rules.enforce,
  });
  const deliveries: DeliveryLoop = createDeliveryLoop({
    db,
    clock,
    logger,
    metrics,
    endpoints,
    safePost,
    linksOf: shares.linksOf,
    // A delivered event only makes room for more deliveries.
    wake: () => loop.wake(deliveries),
  });
  const staff = new DemoStaff(hospital, services, db, clock);

  await loop.live({
    clock,
    makers: [feeder, services.dueReminders, services.waitingLoop],
    dispatcher: calling.dispatcher,
    others: [calling.analyses, deliveries],
    acts: actsOf(day, isLast, staff, hospital.timeZone),
    until: day.until,
  });
  await deliveries.stop();
  await db.close();
}

/** The history is always simulated, in its own time, whatever carrier this appliance uses now. */
function simulating(config: Config): Config {
  const { telephony } = config;
  return {
    ...config,
    telephony: { ...telephony, carrier: "simulator", simulator: { ...telephony.simulator, speed: 1 } },
  };
}

/** Suppresses log lines about generated history. */
const quiet = (logger: Logger): Logger => ({ ...logger, debug() {}, info() {} });
