// What alarms look at: the checks behind /readyz, /metrics and the worklist, each as troubles of one fault.
import { createAlarms, type Alarms, type AlarmsDeps } from "../alarms/alarms.ts";
import { CERTIFICATE_DAYS, FAULTS } from "../alarms/faults.ts";
import type { Facts, Sight, Trouble } from "../alarms/sight.ts";
import { allOrganisations } from "../accounts/organisation-store.ts";
import type { Config } from "../config/schema.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS, type Clock } from "../core/clock.ts";
import { within } from "../core/within.ts";
import type { Database } from "../db/database.ts";
import type { Readiness } from "../http/health.ts";
import type { FaultName } from "../payloads/alarm.ts";
import { endpointsDown, trunkNames, trunksDown } from "../worklist/worklist-store.ts";
import type { createAuthorities, Expiry } from "./authorities.ts";
import type { Calling } from "./calls.ts";
import type { createCertificates } from "./certificates.ts";
import { diskOf, type createFigures } from "./figures.ts";
import type { Services } from "./services.ts";

export interface ObservedDeps {
  config: Config;
  db: Database;
  clock: Clock;
  services: Pick<Services, "modelServers">;
  calling: Pick<Calling, "telephony">;
  readiness: () => Promise<Readiness>;
  figures: ReturnType<typeof createFigures>;
  certificates: Pick<ReturnType<typeof createCertificates>, "expiries">;
  authorities: ReturnType<typeof createAuthorities>;
  /** Why the clock is not trusted; null if it is. */
  clockNote: () => string | null;
  isDemo: boolean;
}

/** A source that takes longer is not known now. */
const LONGEST_LOOK_MS = 8 * SECOND_MS;
/** As in config/alerts.yml. */
const LOW_BYTES = 2e9;
const LOW_SHARE = 0.1;
const SLOW_SECONDS = 5;
const BACKUP_LATE_MS = 36 * HOUR_MS;
const ENDPOINT_OUTAGE_MS = 5 * MINUTE_MS;
const SERVERS_EVERY_MS = MINUTE_MS;
const MB = 1024 ** 2;

interface Found {
  subject?: string;
  step?: number;
  organisationId?: string | null;
  facts?: Facts;
}

export function createObserving(deps: ObservedDeps): AlarmsDeps["observe"] {
  const { clock, readiness } = deps;
  const sources = sourcesOf(deps);
  return async () => {
    const ready = await readiness();
    const entries = Object.entries(sources) as [FaultName, (ready: Readiness) => Promise<readonly Found[] | null>][];
    const sight = await Promise.all(
      entries.map(async ([fault, look]): Promise<[FaultName, readonly Trouble[] | null]> => {
        const found = await within(clock, LONGEST_LOOK_MS, () => look(ready), null);
        return [fault, found?.map((each) => troubleOf(fault, each)) ?? null];
      }),
    );
    return { sight: new Map(sight) satisfies Sight, canWrite: ready.checks.write === "ok" };
  };
}

function troubleOf(fault: FaultName, { subject = "", step = 1, organisationId = null, facts = {} }: Found): Trouble {
  const { audience } = FAULTS[fault];
  if (organisationId !== null) return { fault, subject, step, audience: "organisation", organisationId, facts };
  return { fault, subject, step, audience: audience === "organisation" ? "operator" : audience, organisationId, facts };
}

/** The single list of what is looked at. Null: not known now. */
function sourcesOf(deps: ObservedDeps): Record<FaultName, (ready: Readiness) => Promise<readonly Found[] | null>> {
  const { config, db, calling, figures, services, clock, clockNote } = deps;
  const { reader } = db;
  const usesSip = config.telephony.carrier === "sip" && !calling.telephony.isSimulated;
  const isDiskFull = ({ checks }: Readiness) => checks.disk !== "ok";
  const servers = rarely(clock, SERVERS_EVERY_MS, () => services.modelServers.down());
  return {
    async disk(ready) {
      const disk = await diskOf(config.data.dir);
      if (!disk) return isDiskFull(ready) ? [{ step: 2, facts: { free_mb: 0 } }] : null;
      const isLow = disk.freeBytes < LOW_BYTES || disk.freeBytes < disk.sizeBytes * LOW_SHARE;
      const facts = { free_mb: Math.floor(disk.freeBytes / MB) };
      return isDiskFull(ready) ? [{ step: 2, facts }] : isLow ? [{ facts }] : [];
    },
    async database(ready) {
      const { write, database } = ready.checks;
      // A full disk is told as such.
      return (write === "ok" && database === "ok") || isDiskFull(ready) ? [] : [{}];
    },
    async database_slow() {
      const found = figures.latest();
      if (!found) return null;
      const isWaiting = db.stats.pools.some(({ waiting }) => waiting > 0);
      return isWaiting || found.database.lockWaitSeconds > SLOW_SECONDS ? [{}] : [];
    },
    scheduler: async ({ checks }) => (checks.scheduler === "ok" ? [] : [{}]),
    async line() {
      const status = calling.telephony.status();
      return status === null || status.worker === "running" ? [] : [{}];
    },
    async trunk() {
      if (!usesSip) return [];
      const down = await trunksDown(reader);
      const names = await trunkNames(
        reader,
        down.map(({ subject_id }) => subject_id),
      );
      return down.map(({ organisation_id, subject_id }) => ({
        subject: subject_id,
        organisationId: organisation_id,
        facts: { name: names.get(subject_id) ?? subject_id },
      }));
    },
    async endpoint() {
      const down = await endpointsDown(reader, clock.now() - ENDPOINT_OUTAGE_MS);
      return down.map(({ organisation_id, subject_id }) => ({
        subject: subject_id,
        organisationId: organisation_id,
        facts: { name: subject_id },
      }));
    },
    backup: () => lateBackup(deps),
    clock: async () => (clockNote() === null ? [] : [{}]),
    async model_server() {
      const down = await servers();
      return down.map(({ id, name, organisationId }) => ({ subject: id, organisationId, facts: { name } }));
    },
    certificate: () => expiring(deps),
  };
}

/** PostgreSQL is backed up by its own means, and a demo is not. */
async function lateBackup({ db, figures, clock, isDemo }: ObservedDeps): Promise<readonly Found[] | null> {
  const found = figures.latest();
  if (!found) return null;
  const { backupAt } = found;
  if (backupAt === null || isDemo) return [];
  // Without any backup, the time since the appliance was set up counts.
  const [first] = backupAt === 0 ? await allOrganisations(db.reader) : [];
  const since = backupAt === 0 ? first?.created_at : backupAt;
  if (since === undefined || clock.now() - since < BACKUP_LATE_MS) return [];
  return [{ facts: { hours: backupAt === 0 ? 0 : Math.floor((clock.now() - backupAt) / HOUR_MS) } }];
}

async function expiring({ clock, certificates, authorities }: ObservedDeps): Promise<Found[]> {
  const all: Expiry[] = [...certificates.expiries(), ...authorities.ofFiles(), ...(await authorities.ofTrunks())];
  return all.flatMap(({ name, expiresAt, organisationId = null }) => {
    const daysLeft = (expiresAt - clock.now()) / DAY_MS;
    const step = CERTIFICATE_DAYS.filter((days) => daysLeft <= days).length;
    if (step === 0) return [];
    const facts = { name, day: new Date(expiresAt).toISOString().slice(0, 10) };
    return [{ subject: name, step, organisationId, facts }];
  });
}

/** Repeats the last answer until it is this old. */
function rarely<Answer>(clock: Clock, everyMs: number, ask: () => Promise<Answer>): () => Promise<Answer> {
  let kept: { atMs: number; answer: Promise<Answer> } | null = null;
  return () => {
    const now = clock.elapsedMs();
    if (kept === null || now - kept.atMs >= everyMs) kept = { atMs: now, answer: ask() };
    return kept.answer;
  };
}

export const createApplianceAlarms = (deps: ObservedDeps & Omit<AlarmsDeps, "observe">): Alarms =>
  createAlarms({ ...deps, observe: createObserving(deps) });
