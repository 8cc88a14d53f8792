// The list of all recurring jobs.
import { deleteExpiredHolds } from "../calendar/window-store.ts";
import { createContactIndexing } from "../calls/people/contact-indexing.ts";
import type { Database } from "../db/database.ts";
import { deleteExpiredAssertions } from "../exchange/fhir/smart/assertion-store.ts";
import type { Idempotency } from "../http/idempotency.ts";
import type { RecurringJob } from "../scheduler/recurring.ts";
import { folderJobs } from "./folders.ts";
import type { Services } from "./services.ts";

export function recurringJobs(deps: { db: Database; services: Services; idempotency: Idempotency }): RecurringJob[] {
  const { db, services, idempotency } = deps;
  const indexing = createContactIndexing(db);
  return [
    { name: "note when keys were last used", pattern: "* * * * *", run: () => services.keys.flushLastUsed() },
    {
      name: "forget expired idempotency keys",
      pattern: "7 * * * *",
      isDestructive: true,
      run: (now) => idempotency.forgetExpired(now),
    },
    { name: "look after the database", pattern: "*/15 * * * *", run: async () => void (await db.maintenance.upkeep()) },
    {
      name: "forget expired sessions",
      pattern: "11 * * * *",
      isDestructive: true,
      run: (now) => services.sessions.forgetExpired(now),
    },
    { name: "check people in their directory", pattern: "20 * * * * *", run: () => services.directories.recheck() },
    {
      name: "forget expired password links",
      pattern: "13 * * * *",
      isDestructive: true,
      run: (now) => services.passwordLinks.forgetExpired(now),
    },
    {
      name: "forget expired holds",
      pattern: "*/5 * * * *",
      isDestructive: true,
      run: (now) => db.write((tx) => deleteExpiredHolds(tx, now)),
    },
    {
      name: "forget used assertions",
      pattern: "23 * * * *",
      isDestructive: true,
      run: (now) => db.write((tx) => deleteExpiredAssertions(tx, now)),
    },
    {
      name: "expire waiting-list entries",
      pattern: "17 * * * *",
      isDestructive: true,
      run: async (now) => void (await services.waitingRetention.expire(now)),
    },
    {
      name: "put audit notes of reads in their places",
      pattern: "*/30 * * * * *",
      run: async () => services.auditBatches.start(),
    },
    services.auditSealing,
    services.auditHeads,
    services.auditStream,
    services.auditArchive.job,
    { name: "index new contacts", pattern: "*/30 * * * * *", run: async () => indexing.start() },
    // Resolves host names ahead of calls, because dialling has no time for it.
    { name: "look up model servers", pattern: "*/30 * * * * *", run: () => services.modelServers.refresh() },
    { name: "compare the worklist", pattern: "*/30 * * * * *", run: () => services.worklist.look() },
    ...folderJobs(services.folders),
    services.eventHistory,
    services.hl7Log.retention,
    services.proofHeads,
    services.reminderRetention,
    services.retention,
  ];
}
