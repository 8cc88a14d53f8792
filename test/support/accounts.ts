// Organisations, keys and people on a real database, without the rest of the app.
import { createAuditBatches } from "../../src/accounts/audit-batches.ts";
import { createAudit } from "../../src/accounts/audit.ts";
import { createClaims } from "../../src/accounts/claims.ts";
import { createKeyService } from "../../src/accounts/key-service.ts";
import { createOrganisationService } from "../../src/accounts/organisation-service.ts";
import { createPersonService } from "../../src/accounts/person-service.ts";
import { createReadNotes } from "../../src/accounts/read-notes.ts";
import { createSetupService } from "../../src/accounts/setup-service.ts";
import { loadConfig } from "../../src/config/load.ts";
import { silentLogger } from "../../src/core/logger.ts";
import { createIds } from "../../src/core/ids.ts";
import { createManualClock } from "./manual-clock.ts";
import { openTempDatabase } from "./temp.ts";

export async function createAccounts(settings: Record<string, string> = {}) {
  const { db, dataDir } = await openTempDatabase();
  const clock = createManualClock();
  const config = loadConfig({ environment: { RINGWARD_DATA__DIR: dataDir, ...settings } });
  const ids = createIds(clock);
  const audit = createAudit(clock, ids);
  const auditBatches = createAuditBatches({ db, clock, ids, audit, logger: silentLogger });
  const readNotes = createReadNotes({ clock, auditBatches });
  const claims = createClaims({ db, clock, audit });
  const organisations = createOrganisationService({ db, clock, ids, audit, config });
  const people = createPersonService({ db, clock, ids, audit, readNotes, claims });
  const keys = createKeyService({ db, clock, ids, audit, config });
  const setup = createSetupService({ db, clock, ids, organisations, people });
  return { db, dataDir, clock, config, ids, audit, auditBatches, organisations, people, keys, setup };
}

export type Accounts = Awaited<ReturnType<typeof createAccounts>>;
