// Two organisations on a real database with all services, and everything that was logged; no app and no carrier.
import { CLI_ACTOR } from "../../src/core/actor.ts";
import { loadConfig, type ConfigSources } from "../../src/config/load.ts";
import { createLogger } from "../../src/core/logger.ts";
import { createServices } from "../../src/compose/services.ts";
import { createManualClock } from "../support/manual-clock.ts";
import { openTempDatabase } from "../support/temp.ts";

export const SECRET = "tr0ub4dor-and-3";

export async function applianceWithTrunks(sources: ConfigSources = {}) {
  const { db, dataDir } = await openTempDatabase();
  const clock = createManualClock();
  const logLines: string[] = [];
  let changes = 0;
  const config = loadConfig({ ...sources, environment: { RINGWARD_DATA__DIR: dataDir, ...sources.environment } });
  const services = createServices(
    {
      config,
      db,
      clock,
      logger: createLogger(clock, "debug", (line) => void logLines.push(line)),
      rootKey: new Uint8Array(32).fill(7),
    },
    () => {},
    () => void changes++,
  );
  const organisation = async (name: string) =>
    (await services.organisations.create({ name, timeZone: "Asia/Kolkata" }, CLI_ACTOR)).id;
  return {
    ...services,
    db,
    clock,
    dataDir,
    config,
    logLines,
    ours: await organisation("Ours"),
    theirs: await organisation("Theirs"),
    /** How often the carrier was told. */
    changes: () => changes,
    async audited(action: string) {
      const rows = await db.reader.selectFrom("audit_entries").selectAll().where("action", "=", action).execute();
      return rows.map(({ subject_id, actor_kind, detail }) => ({
        subject_id,
        actor_kind,
        detail: JSON.parse(detail) as unknown,
      }));
    },
    close: () => db.close(),
  };
}

export type ApplianceWithTrunks = Awaited<ReturnType<typeof applianceWithTrunks>>;
