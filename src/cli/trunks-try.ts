// ringward trunks try: registers, sends OPTIONS, places a call if a number is given, and says what to change on which
// side.
import { CLI_ACTOR } from "../core/actor.ts";
import { numbersOfTrunk, numbersTakingCalls } from "../agents/store.ts";
import type { CountedTestCall } from "../calls/test-call.ts";
import { numberRung } from "../calls/life/dialled-name.ts";
import type { Config } from "../config/schema.ts";
import { SECOND_MS, systemClock } from "../core/clock.ts";
import { invalidField } from "../core/errors.ts";
import { createIds } from "../core/ids.ts";
import { assertMayBeCalled } from "../core/phone.ts";
import { accountUserOf } from "../trunks/trunk-settings.ts";
import { isClockDoubted } from "../scheduler/stored-time.ts";
import { EXCHANGES, isExchange, readySettings } from "../telephony/trial/ready-settings.ts";
import { trialFindings, type TrialFinding } from "../telephony/trial/trial-words.ts";
import { tryTrunk, type TrialFacts, type TrialOptions } from "../telephony/trial/trunk-trial.ts";
import { createTrunkRefusal } from "../trunks/trunk-addresses.ts";
import { namesOfTrunk } from "../trunks/trunk-store.ts";
import { UsageError, type Arguments, type Command } from "./command.ts";
import { JSON_OPTION, ORG_OPTION, organisationOf, withServices, type CommandContext } from "./context.ts";
import { print, printJson } from "./output.ts";
import { runningServerPid } from "./running-server.ts";
import type { TrunkSettings } from "../trunks/trunk-settings.ts";

/** A test call may ring for less time than a real one. */
const LONGEST_RING_SECONDS = 30;

export const trunksTry: Command = {
  name: "trunks try",
  summary: "Test a trunk: register, send OPTIONS, call a number if one is given, and suggest changes.",
  positionals: ["NAME"],
  options: {
    number: {
      type: "string",
      value: "E164",
      help: "Call this number: it rings, and an answered call is silent for 3 s.",
    },
    reason: {
      type: "string",
      value: "TEXT",
      help: "Why a telephone of your own is called outside the legal hours or beyond the limits; recorded.",
    },
    for: {
      type: "string",
      value: "EXCHANGE",
      help: `Print ready-made settings for the other side: ${EXCHANGES.join(", ")}.`,
    },
    ...ORG_OPTION,
    ...JSON_OPTION,
  },
  run: (args) =>
    withServices(args, async (context) => {
      const { services } = context;
      const exchange = args.text("for");
      if (exchange !== undefined && !isExchange(exchange)) {
        throw new UsageError(`--for must be one of ${EXCHANGES.join(", ")}.`);
      }
      const organisationId = await organisationOf(args, services);
      const view = await services.trunks.byName(organisationId, args.positionals[0] ?? "");
      const { trunk_id } = view;
      const called = args.text("number") ?? null;
      const call = await begunCall(context, organisationId, view.allowed_prefixes, args);
      const trunk = await services.trunks.forTrial(organisationId, trunk_id, call, CLI_ACTOR);
      const facts = await tryTrunk(
        await trialOptions(context, organisationId, trunk, { called, isEnabled: view.enabled }),
      );
      if (called !== null && call !== null && !mayHaveRung(facts.call))
        await services.testCalls.forget(organisationId, called, call);
      const findings = trialFindings(facts, { trunk, called, rungByAccount: await rungByAccount(context, trunk) });
      const ready =
        exchange === undefined
          ? null
          : readySettings(exchange, {
              account: accountUserOf(trunk) ?? "ringward",
              register: trunk.register,
              ourAddress: facts.ourAddress ?? "THIS-MACHINE:5060",
              host: trunk.host,
            });
      if (args.flag("json")) printJson({ findings, settings: ready });
      else tell(findings, ready);
      return findings.some(({ state }) => state === "FAIL") ? 1 : 0;
    }),
};

/** Null if no number is to be called. */
async function begunCall(
  { config, db, services }: CommandContext,
  organisationId: string,
  allowedPrefixes: readonly string[],
  args: Arguments,
): Promise<CountedTestCall | null> {
  const number = args.text("number");
  const reason = args.text("reason") ?? null;
  if (number === undefined) {
    if (reason !== null) throw new UsageError("--reason needs --number.");
    return null;
  }
  assertTrunkDials(config, allowedPrefixes, number);
  const isClockBelieved = !(await isClockDoubted(db.reader, systemClock));
  return services.testCalls.begin(organisationId, { number, reason, isClockBelieved });
}

/** The rules about the person called are those of real calls; see calls/test-call.ts. */
function assertTrunkDials({ calls }: Config, allowedPrefixes: readonly string[], number: string): void {
  assertMayBeCalled(number, "number", calls.allowed_ranges);
  if (allowedPrefixes.length > 0 && !allowedPrefixes.some((prefix) => number.startsWith(prefix))) {
    throw invalidField("number", "number begins with none of the trunk's allowed prefixes.");
  }
}

const mayHaveRung = (call: TrialFacts["call"]): boolean => call.kind === "ended" && call.ending.putBack !== true;

async function trialOptions(
  { config, services }: CommandContext,
  organisationId: string,
  trunk: TrunkSettings,
  { called, isEnabled }: { called: string | null; isEnabled: boolean },
): Promise<TrialOptions> {
  const { sip } = config.telephony;
  const isServed = isServedBesides(config);
  const seen = (await services.trunks.statesOf(organisationId))[trunk.id];
  // A server that has not reached the trunk yet has no registration that the trial could replace.
  const isLookedAfter = isServed && isEnabled && seen !== undefined;
  return {
    clock: systemClock,
    ids: createIds(systemClock),
    trunk,
    serverState: isLookedAfter ? { isRegistered: seen.is_registered ?? false, lastError: seen.last_error } : null,
    bind: { address: sip.address, port: isServed ? 0 : sip.port },
    externalAddress: sip.external_address || null,
    rtpPorts: { from: sip.rtp_port_from, to: sip.rtp_port_to },
    refusal: createTrunkRefusal(sip.allow_local),
    call: called === null ? null : { from: trunk.numbers[0] ?? trunk.callerId ?? "ringward", to: called },
    ringTimeoutMs: Math.min(sip.ring_timeout_seconds, LONGEST_RING_SECONDS) * SECOND_MS,
  };
}

/** Whether a server is running that uses the trunks meanwhile. */
function isServedBesides(config: Config): boolean {
  return config.telephony.carrier === "sip" && runningServerPid(config) !== null;
}

async function rungByAccount(
  { db }: CommandContext,
  { id, username, fromUser }: TrunkSettings,
): Promise<string | null> {
  const dialled = { to: accountUserOf({ username, fromUser }) ?? "ringward", isToAccount: true };
  const ours = await numbersOfTrunk(db.reader, id);
  const taking = await numbersTakingCalls(db.reader, id);
  const rung = numberRung(dialled, await namesOfTrunk(db.reader, id), ours, taking);
  return taking.find((number) => number.id === rung?.id)?.number ?? null;
}

const STATE_WORDS: Record<TrialFinding["state"], string> = { ok: "ok", FAIL: "FAIL", unsure: "?", none: "-" };

function tell(findings: readonly TrialFinding[], ready: string | null): void {
  for (const { step, state, message, here, there } of findings) {
    print(`${STATE_WORDS[state].padEnd(5)} ${step.padEnd(13)} ${message}`);
    if (here !== null) print(`${" ".repeat(20)}In Ringward: ${here}`);
    if (there !== null) print(`${" ".repeat(20)}At the exchange: ${there}`);
  }
  if (ready !== null) print(`\n${ready}`);
  else print(`\nReady settings for the other side: --for ${EXCHANGES.join(", ")}.`);
}
