// Dependencies shared by nearly every service.
import { createAuditBatches } from "../accounts/audit-batches.ts";
import { createAudit } from "../accounts/audit.ts";
import { createClaims } from "../accounts/claims.ts";
import type { ZoneWatcher } from "../accounts/organisation-service.ts";
import { createReadNotes } from "../accounts/read-notes.ts";
import type { AppointmentWatcher } from "../calendar/appointment-changes.ts";
import type { ClosedDayWatcher } from "../calendar/closure-work.ts";
import type { ClosureWatcher } from "../calendar/closure-service.ts";
import type { Config } from "../config/schema.ts";
import type { Clock } from "../core/clock.ts";
import { readHere, type Files } from "../core/file-job.ts";
import { createIds } from "../core/ids.ts";
import type { Logger } from "../core/logger.ts";
import type { FileKeys } from "../core/sealed-frames.ts";
import { createSecretBox } from "../core/secret-box.ts";
import type { Database } from "../db/database.ts";
import type { SourceServiceDeps, SourceWatcher } from "../exchange/sources/service.ts";
import { createOutbox } from "../events/outbox.ts";
import type { SafePost } from "../events/safe-post/safe-post.ts";
import { deleteResponsesAbout } from "../http/idempotency-store.ts";
import { createKeeping } from "../rules/holds/keeping.ts";
import { createMailQueue } from "../mail/mail-queue.ts";

export interface ServiceDeps {
  config: Config;
  db: Database;
  clock: Clock;
  logger: Logger;
  /** Encrypts stored secrets and signs links; see db/root-key.ts. */
  rootKey: Uint8Array;
  /** Encrypts files; null or absent: they are plain. */
  dataKeys?: FileKeys | null;
  /** Sender of events; the real one unless a test supplies its own. */
  safePost?: SafePost;
  /** Parser of uploaded files; in this process unless the server supplies its own. */
  files?: Files;
  /** The checked time, or null while the clock is not trusted; the clock itself unless the server supplies it. */
  trustedNow?: () => number | null;
  /** Wraps the sender: the demo's own receiver. */
  aroundPost?: (post: SafePost) => SafePost;
}

/** Each service takes the dependencies it names. */
export function groundOf(deps: ServiceDeps, wake: () => void) {
  const { config, db, clock, logger, rootKey, dataKeys = null, files = readHere, trustedNow } = deps;
  // Ids order the deliveries, even if the clock was set back while nothing ran.
  const ids = createIds(clock, undefined, db.newestDeliveryId);
  const audit = createAudit(clock, ids);
  const secrets = createSecretBox(rootKey);
  const auditBatches = createAuditBatches({ db, clock, ids, audit, logger });
  return {
    config,
    db,
    clock,
    logger,
    wake,
    files,
    ids,
    audit,
    auditBatches,
    dataKeys,
    forgetAnswers: deleteResponsesAbout,
    secrets,
    readNotes: createReadNotes({ clock, auditBatches }),
    keeping: createKeeping({ clock, leastDays: config.retention.least_days, trustedNow }),
    claims: createClaims({ db, clock, audit }),
    outbox: createOutbox(clock, ids),
    mails: createMailQueue({ ...deps, ids, secrets, wake }),
    /** Filled by watchers.ts, when every room is there. */
    appointmentWatchers: new Array<AppointmentWatcher>(),
    closureWatchers: new Array<ClosureWatcher>(),
    closedDayWatchers: new Array<ClosedDayWatcher>(),
    zoneWatchers: new Array<ZoneWatcher>(),
    /** Checks of a source's settings, by its kind. */
    settingsChecks: {} as SourceServiceDeps["settingsChecks"],
    sourceWatchers: new Array<SourceWatcher>(),
  };
}

export type Ground = ReturnType<typeof groundOf>;
