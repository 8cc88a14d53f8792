// Plan of the test files: tier, engine and priority of each. Their durations are in test-seconds.json.
import { DEBIAN_PACKAGES, needs } from "./debian-packages.ts";
import { secondsOf } from "./test-seconds.ts";

/** Black-box tests of the executable; all others are unit tests. */
const BLACK_BOX = ["test/scenarios/**", "test/browser/**"];

/** Tests with speech in real time: one at a time, with priority over other jobs. */
const TALKS = [
  "test/telephony/same-agent.test.ts",
  "test/scenarios/hl7-reminder.test.ts",
  "test/scenarios/sip-{emergency,hindi,listening,model-led,notices,recording-words,reminder,talk*}.test.ts",
];

/** Tests with real-time timeouts and phones: with priority over other jobs. */
const REAL_TIME = [
  ...TALKS,
  "test/telephony/sip/baresip*.test.ts",
  "test/scenarios/{hostile-clients,hostile-input,postgres-silent,slow-disk,trunks-try,webhooks,webhooks-loss}.test.ts",
  "test/scenarios/sip-failures.test.ts",
];

/** Slower unit tests run only with --all; those on PostgreSQL repeat what SQLite already covers. */
const EVERYDAY_SECONDS = { sqlite: 2.9, postgres: 1 };

/** The everyday tier has one executable test of each kind. */
const EVERYDAY = [
  "test/scenarios/{first-start,calls,calls-errors,calls-idempotency}.test.ts",
  "test/scenarios/{appointments,calendar,dashboard,hooks,organisations,share,webhooks}.test.ts",
  "test/scenarios/{sip-outcomes,sip-talk}.test.ts",
  "test/browser/journey.test.ts",
];

/** Those of them that also run on PostgreSQL. */
const EVERYDAY_ON_POSTGRES = ["test/scenarios/{calls-idempotency,organisations}.test.ts"];

/**
 * Tests that use a database also run on PostgreSQL: unit tests by their imports (database-tests.ts), and every
 * scenario. The tests listed here cannot, with the reason. A single test in a file uses onlySqlite() of
 * test/support/engines.ts.
 */
export const SQLITE_ONLY: Readonly<Record<string, string>> = {
  "test/db/{database,disk-thread,durable-commits,inspect,personal-data,remembered,root-key,soundness}.test.ts":
    "about SQLite's file, its writer, and what is remembered there; test/db/postgres has its twin",
  "test/{cli/missing-since,db/backup/*,db/kept-backups/*}.test.ts":
    "a backup is one of SQLite's file; PostgreSQL has its own",
  "test/db/{compiling,prepared,prepared-list}.test.ts":
    "about the statements of SQLite; test/db/postgres has its twin of each",
  "test/db/postgres/*.test.ts": "on PostgreSQL by itself",
  "test/calls/{free-space,scale}.test.ts": "about the pages and the speed of SQLite's file",
  "test/calls/{life/erasure-plans,queue/cut-off}.test.ts": "reads SQLite's plans",
  "test/campaigns/list-stores.test.ts": "reads SQLite's plans",
  "test/calls/life/erasure.test.ts":
    "about the bytes of SQLite's file; test/scenarios/erasure.test.ts looks for the same words on both",
  "test/calls/held-calls.test.ts": "a backup of SQLite's file was restored",
  "test/calendar/capacity-holds.test.ts":
    "triggers of its own, in SQLite's words, are its witness; test/db/races/races.test.ts counts the same",
  "test/waiting-list/order.test.ts":
    "triggers of its own, in SQLite's words, are its witness; test/db/races/races.test.ts counts the same",
  "test/dashboard/changes.test.ts":
    "on PostgreSQL what is told waits for every transaction of the run; test/db/postgres/changes.test.ts has one for itself",
  "test/scenarios/{older-database,postgres,postgres-silent,torture-postgres}.test.ts": "on PostgreSQL by itself",
  "test/scenarios/{audit-chain,backup,boot,erased-backups,kept-backups,sealing-cut-off,damaged-database,foreign-lock,full-disk,slow-disk,update,upgrade}.test.ts":
    "about SQLite's file on the disk",
  "test/config/alerts.test.ts":
    "about rules that are shipped; test/compose/figures.test.ts counts what they ask for on both",
  "test/scenarios/doctor.test.ts":
    "about SQLite's file; the PostgreSQL of the tests is none to keep data in, and a doctor who looks at it says so",
  "test/scenarios/{durability,torture}.test.ts":
    "kills beside SQLite's file; test/db/postgres/reconnect.test.ts kills PostgreSQL",
};

/**
 * These would take minutes and repeat what others cover on both engines: `./scripts/nightly` runs them on PostgreSQL
 * too.
 */
export const LEFT_OUT_FOR_TIME: Readonly<Record<string, string>> = {
  "test/calendar/{appointment-reads,availability,desk}.test.ts":
    "asks the windows and appointments that test/calendar/appointments.test.ts asks",
  "test/calls/{create-dry-run,create-fields,long-words,near-misses,odd-input,one-dial-rule}.test.ts":
    "rules that are decided before a database is asked",
  "test/agents/{library,model-servers,pronunciations,recorded-words,service}.test.ts":
    "asks one table each, as test/agents/versions does",
  "test/dashboard/{agents,calendar,call-line,call-work,developers,prompt-preview,security,settings,setup,sign-in,trunks,walk,walls}.test.ts":
    "routes over the services that the other rooms' tests ask",
  "test/reminders/{by-hand,clock-change,properties}.test.ts":
    "rules of clocks and of the dashboard, over the rows that test/reminders/reminders.test.ts asks for",
  "test/events/outage.test.ts": "about resolvers and receivers that are down",
  "test/events/history.test.ts": "days of history, which take minutes there",
  "test/handbook/*.test.ts": "about pages; the database is made for the table of routes alone",
  "test/hooks/{actions,token-and-signature}.test.ts":
    "what a hook may do; test/hooks/quota.test.ts counts, and test/scenarios/hooks.test.ts does it on both",
  "test/http/{docs,every-route,faults,guard,handler,metrics-token,odd-addresses,odd-bodies,personal-data}.test.ts":
    "about HTTP; what is stored of it is in test/http/idempotency.test.ts",
  "test/media/share.test.ts": "about links and their pages; test/scenarios/share.test.ts asks for them on both",
  "test/scheduler/trusted-clock.test.ts": "hours of a clock; one row is all that is stored of them",
  "test/{exchange/hl7/generated,scenarios/hl7-reminder}.test.ts":
    "thousands of messages and a minute of waiting; test/exchange/hl7/peers and test/scenarios/hl7 ask both",
  "test/**/{routes,*-routes}.test.ts": "routes over services that other tests ask on both",
  "test/{accounts/directories/*,scenarios/{directories,sign-in-commands}}.test.ts":
    "about directories and their protocols; test/accounts/people asks what is stored of them",
  "test/{alarms/*,audit/{archive,chain-sweep,heads,restored,stream},mail/mail-queue}.test.ts":
    "about files, collectors and messages; test/audit/chain asks the rows on both",
  "test/calendar/{appointment-identifiers,contact-places}.test.ts":
    "asks the appointments that test/calendar/appointments asks",
  "test/calls/{identifiers,test-call,queue/question,life/recording-retention,talks/*}.test.ts":
    "rules of one call, whose rows test/calls/life/lifecycle asks",
  "test/{cli/apply/*,cli/hardening/*,scenarios/{apply,doctor-security}}.test.ts":
    "commands over services that other tests ask on both",
  "test/dashboard/{audit-page,consent-list,now,passkeys,password-links,question,registry,rules,rules-shown,second-factor,sessions,reach/*}.test.ts":
    "routes over the services that the other rooms' tests ask",
  "test/exchange/fhir/{access,faults,mirrored,odd-writes.property,operations,page,reads,search.property,smart,subscriptions,writes}.test.ts":
    "about FHIR's form; test/exchange/fhir/{race,search} ask the database",
  "test/exchange/{folder/{complete-list,people,sample},mirror/order.property}.test.ts":
    "about files and orders of messages; test/exchange/{folder/intake,mirror/mirror} ask both",
  "test/{media/single-shares,hooks/documented,rights/breach-report,compose/unenforced}.test.ts": "asks one table each",
  "test/rules/{book/*,consent/refusals,holds/whole-organisation,proof/chain-state,proof/heads,question/asker}.test.ts":
    "rules that are decided in memory; test/rules/{consent,holds,proof,registry} ask the database",
  "test/scenarios/{consents,fhir,hospital-data,identifiers,lines-by-api,manage-by-api,own-tls,python-client,recipes,typescript-client}.test.ts":
    "about HTTP and its clients; the database is asked what the others ask",
  "test/browser/**": "pages ask the same routes; test/dashboard and test/scenarios ask them on both",
  "test/scenarios/{contract-fuzz,handbook,http,hostile-clients,hostile-input,hostile-set,life,lost-log,slim,stranger-cost}.test.ts":
    "about HTTP, the process and its log; the database is asked what the others ask",
  "test/scenarios/{campaigns,demo,drop-folder,holidays,recovery,reminders}.test.ts":
    "many rows and kills; test/scenarios/{waiting-list,worklist}.test.ts kill on both",
  "test/scenarios/{analysis,calendar-load,calls-waiting}.test.ts":
    "the rules of test/calls and test/calendar under load; test/db/races/races.test.ts has the races",
  "test/scenarios/{cli,cli-campaigns,proof-verify}.test.ts":
    "about the commands' words; test/scenarios/postgres.test.ts types those that differ",
  "test/scenarios/{model-servers,sip-*,trunks,trunks-try}.test.ts":
    "about trunks, telephones and model servers; the database is asked what the others ask",
  "test/scenarios/{hooks-signature,question,webhooks-dead,webhooks-loss}.test.ts":
    "about signatures and receivers; the database is asked what hooks and webhooks ask",
};

const matcher = (globs: readonly string[]) => {
  const matching = globs.map((glob) => new Bun.Glob(glob));
  return (file: string) => matching.some((glob) => glob.match(file));
};

export const isBlackBox = matcher(BLACK_BOX);
export const isTalk = matcher(TALKS);
export const isRealTime = matcher(REAL_TIME);
const isEverydayScenario = matcher(EVERYDAY);
const isEverydayOnPostgres = matcher(EVERYDAY_ON_POSTGRES);

const isSqliteOnly = matcher(Object.keys(SQLITE_ONLY));
const isLeftOutForTime = matcher(Object.keys(LEFT_OUT_FOR_TIME));

/** Whether a database test also runs on PostgreSQL; `all`: includes those left out for time. */
export const isOnBoth = (file: string, all = false): boolean => !isSqliteOnly(file) && (all || !isLeftOutForTime(file));

const forAllOnly = DEBIAN_PACKAGES.filter(({ isForAll }) => isForAll).map(needs);

/** Whether `./scripts/test` runs it on this engine; --all runs the others too. */
export function isEveryday(file: string, engine: "sqlite" | "postgres" = "sqlite"): boolean {
  if (isBlackBox(file)) return engine === "sqlite" ? isEverydayScenario(file) : isEverydayOnPostgres(file);
  // A file without a measurement is new or was just moved.
  const isQuick = (secondsOf(file, engine) ?? 0) <= EVERYDAY_SECONDS[engine];
  return isQuick && !forAllOnly.some((isNeeded) => isNeeded(file));
}

/** Globs that match no file; after a rename this plan must be updated. */
export function globsWithoutFile(files: readonly string[]): string[] {
  const all = [
    ...REAL_TIME,
    ...EVERYDAY,
    ...EVERYDAY_ON_POSTGRES,
    ...Object.keys({ ...SQLITE_ONLY, ...LEFT_OUT_FOR_TIME }),
  ];
  return all.filter((glob) => !files.some((file) => new Bun.Glob(glob).match(file)));
}
