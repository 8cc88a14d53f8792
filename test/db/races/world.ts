// The environment of one racing process: the whole app, unstarted, with a line on which nothing happens by itself.
import { isAbsolute } from "node:path";
import { createApp } from "../../../src/compose/app.ts";
import { createDialFacts } from "../../../src/calls/queue/dial-facts.ts";
import { createCalling, type CallingDeps } from "../../../src/compose/calls.ts";
import type { Services } from "../../../src/compose/services.ts";
import { createFeeder } from "../../../src/campaigns/feeder.ts";
import { loadConfig } from "../../../src/config/load.ts";
import { systemClock } from "../../../src/core/clock.ts";
import { silentLogger } from "../../../src/core/logger.ts";
import { createMetrics } from "../../../src/core/metrics.ts";
import { createSafePost } from "../../../src/events/safe-post/safe-post.ts";
import { OPEN_LINE } from "../../../src/telephony/port.ts";
import { createFakeCarrier } from "../../support/fake-carrier.ts";
import { openBeside, tempFolder } from "../../support/temp.ts";
import { ENFORCED } from "../../support/unenforced.ts";
import { SETTINGS } from "./settings.ts";

export const LINES_OF_THE_PLAN = 5;

/** `address`: see newAddress of ground.ts. */
export async function openRaceWorld(address: string) {
  const db = await (isAbsolute(address) ? openBeside(address) : openBeside(tempFolder(), address));
  const config = loadConfig({ environment: { RINGWARD_DATA__DIR: tempFolder(), ...SETTINGS } });
  const deps = { config, db, clock: systemClock, logger: silentLogger };
  const safePost = createSafePost({ allow: [], caPem: null, proxyUrl: null, resolve: async () => [] });
  const carrier = createFakeCarrier();
  const app = createApp({ ...deps, rootKey: new Uint8Array(32).fill(7), carrier: carrier.factory, safePost });
  const { services } = app;
  let wakes = 0;
  const calling = createCalling({
    ...deps,
    services,
    metrics: createMetrics(),
    given: carrier.factory,
    wake: () => void wakes++,
  });
  const lawful = lawfulDispatcher(deps, services);
  /** How often something was written of what the carrier reported. */
  const woken = (): number => wakes;
  return {
    woken,
    app,
    services,
    db,
    carrier,
    dispatcher: calling.dispatcher,
    lawful,
    feeder: createFeeder({ ...deps, ...services, hoursAreEnforced: config.rules.enforce }),
  };
}

/** Under the rules, on a line of its own. */
function lawfulDispatcher(deps: Pick<CallingDeps, "config" | "db" | "clock" | "logger">, services: Services) {
  const config = loadConfig({ environment: { RINGWARD_DATA__DIR: tempFolder(), ...SETTINGS, ...ENFORCED } });
  const carrier = createFakeCarrier();
  const { secrets } = services;
  const line = { carrier: () => OPEN_LINE, hasEarsBeside: () => true };
  const dialFacts = createDialFacts({ config, clock: deps.clock, secrets, ...line });
  let ends = 0;
  const { dispatcher } = createCalling({
    ...deps,
    config,
    services: { ...services, dialFacts },
    metrics: createMetrics(),
    given: carrier.factory,
    wake: () => void ends++,
  });
  return { dispatcher, carrier, ends: (): number => ends };
}

export type RaceWorld = Awaited<ReturnType<typeof openRaceWorld>>;
