// All services on a test database with the system clock, as CLI commands use them.
import { loadConfig } from "../../../src/config/load.ts";
import { systemClock } from "../../../src/core/clock.ts";
import { silentLogger } from "../../../src/core/logger.ts";
import type { Database } from "../../../src/db/database.ts";
import { createServices, type Services } from "../../../src/compose/services.ts";
import { tempFolder } from "../../support/temp.ts";
import { UNENFORCED } from "../../support/unenforced.ts";

export function servicesOn(db: Database, settings: Record<string, string> = {}): Services {
  const config = loadConfig({ environment: { RINGWARD_DATA__DIR: tempFolder(), ...UNENFORCED, ...settings } });
  return createServices({ config, db, clock: systemClock, logger: silentLogger, rootKey: new Uint8Array(32).fill(7) });
}
