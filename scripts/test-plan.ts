// Which test files run when: first, beside the others, or not in the daily round. Seconds are of two quiet arm64 cores.

/** Against the executable, seen from outside; all others are unit tests. */
const BLACK_BOX = ["test/scenarios/**", "test/browser/**"];

/** Each takes a lane for itself, before the others, so that none is left alone at the end. */
const LONG = [
  "test/calls/scale.test.ts", // 53 s
  "test/calendar/capacity-holds.test.ts", // 14 s
  "test/telephony/sip/carrier/contract.test.ts", // 14 s
  "test/telephony/sip/baresip.test.ts", // 16 s
  "test/telephony/sip/matrix.test.ts", // 35 s
  "test/calls/{free-space,properties}.test.ts", // 9 s
  "test/scenarios/{durability,torture}.test.ts", // 44 s
  "test/browser/calls.test.ts", // 28 s
  "test/browser/{settings,trunks}.test.ts", // 43 s
];

/** Most of their time nothing happens: they wait for time-outs that a hospital has too, or for people to have spoken. */
const WAITING = [
  "test/telephony/same-agent.test.ts", // 36 s, of which 22 until an agent gives up on somebody who is silent
  "test/scenarios/webhooks-loss.test.ts", // 43 s, of which 30 until what failed is tried again
  "test/scenarios/sip-failures.test.ts", // 45 s, of which 20 until a trunk is taken for gone
  "test/scenarios/hostile-clients.test.ts", // 25 s, of which 12 until an idle connection is closed
  "test/scenarios/webhooks.test.ts", // 13 s, of which 8 until a receiver is timed out
  "test/scenarios/sip-{hindi,listening,model-led,reminder,talk,talk-servers}.test.ts", // 300 s of talk
  "test/scenarios/trunks-try.test.ts", // 40 s, of which most until a trunk is taken for gone
];

/** Unit tests that the daily round leaves out: the long ones, and those that need a program from elsewhere. */
const NOT_DAILY = [
  ...LONG,
  "test/db/postgres/{changes,commands,maintenance,move,prepared,races,reconnect,schema,values}.test.ts",
  "test/events/verifier/snippet-*.test.ts",
  "test/telephony/same-agent.test.ts",
  "test/telephony/sip/{call,trunk}/sipp-*.test.ts",
  "test/telephony/sip/carrier/{contract,phone-agent,worker}.test.ts",
  "test/telephony/sip/baresip-{ipv6,srtp,wideband}.test.ts",
  "test/telephony/sip/trunk/failover.test.ts",
  "test/calls/queue/restored-calls.test.ts",
  "test/speech/tts/speech-workers.test.ts",
  "test/speech/{asr/role,spotter/spotter,killed-workers}.test.ts",
  // Seconds each: real time on the line, networks that are loaded, many random histories.
  "test/telephony/sip/call/{replaces,srtp-calls}.test.ts",
  "test/telephony/sip/transport/both-ways.test.ts",
  "test/telephony/sip/trunk/trunk-away.test.ts",
  "test/telephony/trial/trunk-trial.test.ts",
  "test/cli/doctor-speech.test.ts",
  "test/speech/{asr/moonshine,servers/audio-servers}.test.ts",
  "test/campaigns/reminders/properties.test.ts",
  "test/db/{remembered,free-space/upkeep}.test.ts",
];

/** One scenario of each kind: it starts, calls, books, tells, shares, and lets people in. */
const DAILY_SCENARIOS = [
  "test/scenarios/{first-start,calls,calls-errors,calls-idempotency}.test.ts",
  "test/scenarios/{appointments,calendar,dashboard,hooks,organisations,share,webhooks}.test.ts",
  "test/scenarios/sip-outcomes.test.ts",
  "test/browser/journey.test.ts",
];

const matcher = (globs: readonly string[]) => {
  const matching = globs.map((glob) => new Bun.Glob(glob));
  return (file: string) => matching.some((glob) => glob.match(file));
};

export const isBlackBox = matcher(BLACK_BOX);
export const isLong = matcher(LONG);
export const isWaiting = matcher(WAITING);
const isDailyScenario = matcher(DAILY_SCENARIOS);
const isNotDaily = matcher(NOT_DAILY);

/** Whether `./scripts/test --quick` runs it. */
export const isDaily = (file: string): boolean => (isBlackBox(file) ? isDailyScenario(file) : !isNotDaily(file));

/** Globs that match no file are a rename that nobody told this plan of. */
export function globsWithoutFile(files: readonly string[]): string[] {
  const all = [...LONG, ...WAITING, ...NOT_DAILY, ...DAILY_SCENARIOS];
  return all.filter((glob) => !files.some((file) => new Bun.Glob(glob).match(file)));
}
