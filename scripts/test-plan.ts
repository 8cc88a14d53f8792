// Which test files run when: first, beside the others, or not in the daily round. Seconds are of two quiet arm64 cores.

/** Against the executable, seen from outside; all others are unit tests. */
const BLACK_BOX = ["test/scenarios/**", "test/browser/**"];

/** Each takes a lane for itself, before the others, so that none is left alone at the end. */
const LONG = [
  "test/calls/scale.test.ts", // 53 s
  "test/calendar/capacity-holds.test.ts", // 14 s
  "test/db/races/races.test.ts", // 9 s
  "test/telephony/sip/carrier/contract.test.ts", // 14 s
  "test/telephony/sip/baresip.test.ts", // 16 s
  "test/telephony/sip/matrix.test.ts", // 35 s
  "test/calls/{free-space,properties}.test.ts", // 9 s
  "test/scenarios/{durability,torture}.test.ts", // 44 s
  "test/scenarios/torture-postgres.test.ts", // 14 s
  "test/scenarios/campaign-kills.test.ts", // 12 s, on PostgreSQL 20 s
  "test/browser/calls.test.ts", // 28 s
  "test/browser/{settings,trunks}.test.ts", // 43 s
];

/**
 * Most of their time nothing happens: they wait for time-outs that a hospital has too, or for people to have spoken.
 */
const WAITING = [
  "test/telephony/same-agent.test.ts", // 36 s, of which 22 until an agent gives up on somebody who is silent
  "test/scenarios/webhooks-loss.test.ts", // 43 s, of which 30 until what failed is tried again
  "test/scenarios/sip-failures.test.ts", // 45 s, of which 20 until a trunk is taken for gone
  "test/scenarios/hostile-clients.test.ts", // 25 s, of which 12 until an idle connection is closed
  "test/scenarios/hostile-set.test.ts", // 60 s of simulated talk
  "test/scenarios/slow-disk.test.ts", // 13 s, of which most until a slow disk has written
  "test/scenarios/webhooks.test.ts", // 13 s, of which 8 until a receiver is timed out
  "test/scenarios/sip-{emergency,hindi,listening,model-led,reminder,talk,talk-servers}.test.ts", // 300 s of talk
  "test/scenarios/postgres-silent.test.ts", // 25 s, of which most until a silent database is given up
  "test/scenarios/trunks-try.test.ts", // 40 s, of which most until a trunk is taken for gone
];

/** Unit tests that the daily round leaves out: the long ones, and those that need a program from elsewhere. */
const NOT_DAILY = [
  ...LONG,
  "test/db/postgres/{changes,commands,full-disk,heavy,maintenance,move,prepared,reconnect,round-trips,schema,soundness,values}.test.ts",
  "test/events/verifier/snippet-*.test.ts",
  "test/telephony/same-agent.test.ts",
  "test/telephony/sip/{call,trunk}/sipp-*.test.ts",
  "test/telephony/sip/carrier/{contract,phone-agent,worker}.test.ts",
  "test/telephony/sip/baresip-{ipv6,srtp,wideband}.test.ts",
  "test/telephony/sip/trunk/failover.test.ts",
  "test/calls/held-calls.test.ts",
  "test/speech/tts/speech-workers.test.ts",
  "test/speech/{asr/role,spotter/spotter,killed-workers}.test.ts",
  // Seconds each: real time on the line, networks that are loaded, many random histories.
  "test/telephony/sip/call/{replaces,srtp-calls}.test.ts",
  "test/telephony/sip/transport/both-ways.test.ts",
  "test/telephony/sip/trunk/trunk-away.test.ts",
  "test/telephony/trial/trunk-trial.test.ts",
  "test/cli/doctor-speech.test.ts",
  "test/speech/{asr/moonshine,servers/audio-servers}.test.ts",
  "test/reminders/properties.test.ts",
  "test/db/{remembered,free-space/upkeep}.test.ts",
];

/** One scenario of each kind: it starts, calls, books, tells, shares, and lets people in. */
const DAILY_SCENARIOS = [
  "test/scenarios/{first-start,calls,calls-errors,calls-idempotency}.test.ts",
  "test/scenarios/{appointments,calendar,dashboard,hooks,organisations,share,webhooks}.test.ts",
  "test/scenarios/sip-outcomes.test.ts",
  "test/browser/journey.test.ts",
];

/**
 * Tests that ask a database run on PostgreSQL, too: unit tests by what they import (database-tests.ts), and every
 * scenario. These cannot, and each says why. A single test of a file says it by onlySqlite() of
 * test/support/engines.ts.
 */
export const SQLITE_ONLY: Readonly<Record<string, string>> = {
  "test/db/{database,disk-thread,durable-commits,inspect,personal-data,remembered,root-key,soundness}.test.ts":
    "about SQLite's file, its writer, and what is remembered there; test/db/postgres has its twin",
  "test/db/backup/*.test.ts": "a backup is one of SQLite's file; PostgreSQL has its own",
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
  "test/scenarios/{backup,boot,damaged-database,foreign-lock,full-disk,slow-disk,upgrade}.test.ts":
    "about SQLite's file on the disk",
  "test/config/alerts.test.ts":
    "about rules that are shipped; test/compose/figures.test.ts counts what they ask for on both",
  "test/scenarios/doctor.test.ts":
    "about SQLite's file; the PostgreSQL of the tests is none to keep data in, and a doctor who looks at it says so",
  "test/scenarios/{durability,torture}.test.ts":
    "kills beside SQLite's file; test/db/postgres/reconnect.test.ts kills PostgreSQL",
};

/**
 * These would cost minutes, and ask what others ask on both: `./scripts/test --all-on-postgres`, for a night, runs them
 * there as well.
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
  "test/browser/**": "pages ask the same routes; test/dashboard and test/scenarios ask them on both",
  "test/scenarios/{contract-fuzz,handbook,http,hostile-clients,hostile-input,hostile-set,life,lost-log,slim,stranger-cost}.test.ts":
    "about HTTP, the process and its log; the database is asked what the others ask",
  "test/scenarios/{campaigns,demo,holidays,recovery,reminders}.test.ts":
    "many rows and kills; test/scenarios/{waiting-list,worklist}.test.ts kill on both",
  "test/scenarios/{analysis,calendar-load,calls-waiting}.test.ts":
    "the rules of test/calls and test/calendar under load; test/db/races/races.test.ts has the races",
  "test/scenarios/{cli,cli-campaigns}.test.ts":
    "about the commands' words; test/scenarios/postgres.test.ts types those that differ",
  "test/scenarios/{model-servers,sip-*,trunks,trunks-try}.test.ts":
    "about trunks, telephones and model servers; the database is asked what the others ask",
  "test/scenarios/{hooks-signature,webhooks-dead,webhooks-loss}.test.ts":
    "about signatures and receivers; the database is asked what hooks and webhooks ask",
};

const matcher = (globs: readonly string[]) => {
  const matching = globs.map((glob) => new Bun.Glob(glob));
  return (file: string) => matching.some((glob) => glob.match(file));
};

export const isBlackBox = matcher(BLACK_BOX);
export const isLong = matcher(LONG);
export const isWaiting = matcher(WAITING);
const isDailyScenario = matcher(DAILY_SCENARIOS);
const isNotDaily = matcher(NOT_DAILY);

const isSqliteOnly = matcher(Object.keys(SQLITE_ONLY));
const isLeftOutForTime = matcher(Object.keys(LEFT_OUT_FOR_TIME));

/** Whether a test that asks a database asks PostgreSQL as well; `all`: also where it is left out for time alone. */
export const isOnBoth = (file: string, all = false): boolean => !isSqliteOnly(file) && (all || !isLeftOutForTime(file));

/** Whether `./scripts/test --quick` runs it. */
export const isDaily = (file: string): boolean => (isBlackBox(file) ? isDailyScenario(file) : !isNotDaily(file));

/** Globs that match no file are a rename that nobody told this plan of. */
export function globsWithoutFile(files: readonly string[]): string[] {
  const all = [
    ...LONG,
    ...WAITING,
    ...NOT_DAILY,
    ...DAILY_SCENARIOS,
    ...Object.keys({ ...SQLITE_ONLY, ...LEFT_OUT_FOR_TIME }),
  ];
  return all.filter((glob) => !files.some((file) => new Bun.Glob(glob).match(file)));
}
