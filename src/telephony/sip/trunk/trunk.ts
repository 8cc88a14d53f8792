// One configured trunk: how it is reached, whether it is well, who may call through it, and what it is called.
import type { Clock } from "../../../core/clock.ts";
import type { TrunkRefusal } from "../../../trunks/trunk-addresses.ts";
import { createCallPace } from "../call/call-pace.ts";
import { createCircuitBreaker } from "./circuit-breaker.ts";
import { callerIdentity } from "../call/caller-identity.ts";
import { accountUserOf } from "../../../trunks/trunk-settings.ts";
import type { ClientHandlers } from "../transaction/client-transaction.ts";
import { createCredentials, NO_DIGEST, WRONG_PASSWORD } from "./credentials.ts";
import { askWhetherThere, watchHealth, type HealthCheck } from "./health.ts";
import type { RequestDraft, SipResponse } from "../message/message.ts";
import { numberToDial } from "../call/number-form.ts";
import { openReach } from "./reach.ts";
import { callRefusedWords } from "../call/refused-call.ts";
import { keepRegistered, type Registration } from "./registration.ts";
import type { Resolver } from "./dns.ts";
import { sendToHost } from "./host-request.ts";
import { createOurPlace } from "./our-address.ts";
import { isTrunkFault } from "../call/response-outcome.ts";
import type { Transactions } from "../transaction/transactions.ts";
import { isAsSafeAs, type Endpoint, type Flow, type OpenedFlow } from "../transport/flow.ts";
import type { Trunk } from "./trunk-port.ts";
import { createWaitingCalls } from "./waiting-calls.ts";
import { createTrunkPresence, mayHaveForgotten, unreachable } from "./trunk-presence.ts";
import { bracketed, sipUri } from "../message/uri.ts";
import type { TransportName, TrunkSettings, TrunkState } from "../../../trunks/trunk-settings.ts";

export interface TrunkOptions {
  clock: Clock;
  settings: TrunkSettings;
  randomText: () => string;
  resolver: Resolver;
  refusal: TrunkRefusal;
  transactions: Transactions;
  externalAddress: string | null;
  openFlow: (settings: TrunkSettings, remote: Endpoint) => Promise<OpenedFlow>;
  sideFlow: (remote: Endpoint, like: Flow) => Flow | null;
  canReach: (address: string) => boolean;
  listensOn: (transport: TransportName) => number | null;
  changed: (state: TrunkState) => void;
}

/** So many numbers do not exist, or may not be called, that each 404 or 403 cannot mean a registration. */
const RENEW_EVERY_MS = 30_000;

export function openTrunk(options: TrunkOptions): Trunk {
  const { clock, settings, randomText, transactions } = options;
  const { username, secret } = settings;
  const account = username === null ? null : { username, password: secret ?? "" };
  const credentials = createCredentials(account, randomText, (address) => reach.owns(address));
  const breaker = createCircuitBreaker(clock, report);
  const ourUser = accountUserOf(settings) ?? "ringward";
  const domain = settings.fromDomain ?? settings.host;
  const registrar = `sip:${bracketed(settings.host)}`;
  const presence = createTrunkPresence(clock, report);
  let mayRenew = true;
  let roundTripMs: number | null = null;
  let registrationProblem: string | null = null;
  /** Why the last call was refused, where that is the trunk's or our settings' fault. Other calls may still get through. */
  let callProblem: string | null = null;
  let activeCalls = 0;
  let registration: Registration | null = null;
  let health: HealthCheck | null = null;
  const ourPlace = createOurPlace({ ...options, local: () => reach.flow()?.local() ?? null });
  const contact = () => `<${ourPlace.uriOf(ourUser)}>`;
  /** A trunk over UDP needs no connection. */
  let isConnected = settings.transport === "udp";
  let isRetired = false;
  let lastReport = "";
  /** Its name cannot be looked up again; its earlier addresses may serve. */
  let lookupProblem: string | null = null;
  /** Calls that wait for the way to another host. */
  const waiting = createWaitingCalls(clock);

  const reach = openReach({
    ...options,
    ready() {
      if (settings.transport === "udp") atAnotherHost();
      else forgetConnection();
      begin();
    },
    returned() {
      forgetConnection();
      connected();
    },
    mayReturn: () => activeCalls === 0 && !isRetired,
    probe(flow, done) {
      if (!presence.answersOptions) done(true);
      else askWhetherThere({ ...common(), transactions, credentials, flow, target: registrar }, done);
    },
    looked() {
      lookupProblem = null;
      report();
    },
    unresolved(detail, isKnown) {
      const problem = `The trunk's host has no address (${detail}). Check its host and this machine's DNS.`;
      lookupProblem = problem;
      if (isKnown) report();
      else presence.down(problem);
    },
    refused(reason) {
      presence.down(`The trunk's address is not allowed: ${reason}.`);
    },
  });

  function begin(): void {
    // Before there is a connection nobody knows from which port we shall speak, and that is where the trunk is to call us.
    if (isConnected && !isRetired) lookAfter();
    report();
  }

  function common() {
    return { clock, randomText, account: `<${sipUri(ourUser, domain)}>`, contact };
  }

  function lookAfter(): void {
    const everyMs = settings.optionsEverySeconds * 1_000;
    if (everyMs > 0) health ??= watchHealth({ ...common(), send, everyMs, target: registrar, alive, silent });
    if (settings.register)
      registration ??= keepRegistered({ ...common(), send, registrar, changed: registrationChanged });
    waiting.tell(reach.flow());
  }

  /** Over UDP, where no connection tells: it is asked, and told that we are there. */
  function atAnotherHost(): void {
    ourPlace.forget();
    if (isRetired) return;
    health?.askNow();
    registration?.moved();
  }

  function otherHost(failed: Flow, restMs: number | null, then: (flow: Flow | null) => void): boolean {
    if (isRetired || !reach.moveOn(failed, restMs ?? undefined)) return false;
    const now = reach.flow();
    if (now !== failed && isConnected) clock.after(0, () => then(now));
    else waiting.add(then);
    return true;
  }

  function connected(): void {
    isConnected = true;
    ourPlace.forget();
    presence.connected();
    registration?.connectionMade();
    begin();
  }

  function forgetConnection(): void {
    isConnected = false;
    health?.stop();
    health = null;
    registration?.connectionLost();
  }

  function disconnected(flow: Flow, reason: string): void {
    const wasConnected = isConnected;
    forgetConnection();
    const lost = "The connection to the trunk was lost. Ringward opens it again by itself.";
    if (!wasConnected && reach.moveOn(flow)) return;
    presence.down(wasConnected ? lost : unreachable(reason));
    if (wasConnected) return;
    waiting.tell(null);
    reach.turn(false);
  }

  function send(draft: RequestDraft, nextCSeq: () => number, handlers: ClientHandlers): boolean {
    const flow = reach.flow();
    if (!flow || !isConnected) return false;
    // A registration is made anew at each host; taking one back is tried but once.
    const mayMove = draft.method === "REGISTER" && !isRetired;
    const answered = (response: SipResponse) => ourPlace.learn(response);
    sendToHost({ clock, transactions, credentials, reach, flow, draft, nextCSeq, handlers, mayMove, answered });
    return true;
  }

  function alive(measuredMs: number, status: number): void {
    roundTripMs = measuredMs;
    if (presence.answered(status)) registration?.renew();
  }

  function silent(detail: string, isCertain: boolean): void {
    const flow = reach.flow();
    // The next host is asked at once. The trunk is down when none of them answers.
    if (flow && (isCertain || presence.answersOptions) && reach.moveOn(flow)) return;
    const verdict = presence.silent(detail, isCertain);
    // Where there is no other host: a NAT or a firewall may have forgotten the connection, which TCP itself would find out
    // after a quarter of an hour.
    if (verdict === "down") reach.turn(!isCertain);
    // Some never answer OPTIONS; one that answers nothing at all is given up.
    else if (verdict === "doubtful" && !reach.hasAnswered) reach.turn(false);
  }

  function notReached(detail: string): void {
    if (!isConnected) return;
    const isAsked = health !== null && presence.answersOptions;
    presence.notReached(detail, isAsked);
    if (isAsked) health?.askNow();
  }

  function refused(status: number): void {
    if (!mayRenew || !registration || !mayHaveForgotten(status)) return;
    mayRenew = false;
    clock.after(RENEW_EVERY_MS, () => (mayRenew = true));
    registration.renew();
  }

  function registrationChanged(isRegistered: boolean, problem: string | null): void {
    registrationProblem = problem;
    if (isRegistered) presence.up();
    else report();
  }

  function state(): TrunkState {
    const flow = reach.flow();
    return {
      id: settings.id,
      state: registrationProblem === null ? presence.state : "down",
      isRegistered: settings.register ? (registration?.isRegistered ?? false) : null,
      roundTripMs,
      lastError: registrationProblem ?? presence.problem ?? callProblem ?? lookupProblem,
      restingUntilMs: breaker.restingUntilMs(),
      activeCalls,
      lines: settings.lines,
      // Without a connection it takes no calls, as without an address.
      address:
        flow && (isConnected || presence.state === "down")
          ? `${bracketed(flow.remote.address)}:${flow.remote.port}`
          : null,
    };
  }

  function allows(number: string): boolean {
    const { allowedPrefixes } = settings;
    return allowedPrefixes.length === 0 || allowedPrefixes.some((prefix) => number.startsWith(prefix));
  }

  /** Only what a person would call a change: not every round trip and every call. */
  function report(): void {
    const now = state();
    const text = JSON.stringify({ ...now, roundTripMs: 0, activeCalls: 0 });
    if (text === lastReport) return;
    lastReport = text;
    options.changed(now);
  }

  return {
    settings,
    credentials,
    ourUser,
    pace: createCallPace(clock, settings.callsPerSecond),
    flow: () => reach.flow(),
    flowFor: (dialog, madeOver) => reach.flowFor(dialog, madeOver),
    otherHost,
    hears: (address) => reach.hears(address),
    takes: (flow, begunOver) => reach.hears(flow.remote.address) && isAsSafeAs(flow.transport, begunOver),
    owns: (address) => reach.owns(address),
    addresses: () => reach.addresses(),
    contact,
    uriOf: (number) =>
      sipUri(numberToDial(number, settings), settings.host, settings.port === 0 ? null : settings.port),
    identityOf: (from) => callerIdentity(settings, from),
    allows,
    refusal(number) {
      const infrastructure = (message: string) => ({ code: "infrastructure_error" as const, message });
      if (!allows(number)) {
        return { code: "rejected", message: "The number begins with none of the trunk's allowed prefixes." };
      }
      if (activeCalls >= settings.lines) return infrastructure("Every line of the trunk is in use.");
      if (breaker.restingUntilMs() !== null)
        return infrastructure("The trunk rests, since half of its last calls failed.");
      const now = state();
      // Everybody who may see the call reads this; what exactly is wrong is for those who look after the trunk.
      if (now.state === "down") return infrastructure("The trunk is down.");
      return reach.flow() && isConnected ? null : infrastructure("The trunk's address is not known yet.");
    },
    callBegan: () => (activeCalls += 1),
    callEnded(outcome, isRemote) {
      activeCalls -= 1;
      if (isRemote) breaker.record(isTrunkFault(outcome));
    },
    mayCallOver: (flow) => settings.transport !== "tls" || flow.transport === "tls",
    flowConnected(flow) {
      if (flow === reach.flow()) connected();
      else reach.trialConnected(flow);
    },
    flowFailed(flow, reason) {
      if (flow === reach.flow()) disconnected(flow, reason);
      else reach.trialFailed(flow);
    },
    heard(flow) {
      reach.answered(flow);
      presence.up();
    },
    callUnauthorised(advice) {
      const isRegistered = registration?.isRegistered ?? false;
      const inDoubt = advice === WRONG_PASSWORD || advice === NO_DIGEST;
      callProblem = (inDoubt ? callRefusedWords({ ...settings, isRegistered }) : null) ?? advice;
      report();
      return callProblem;
    },
    callTaken() {
      if (callProblem === null) return;
      callProblem = null;
      report();
    },
    notReached,
    refused,
    state,
    retire(leavesRegistration) {
      isRetired = true;
      health?.stop();
      if (leavesRegistration) registration?.abandon();
      else registration?.stop(() => {});
    },
    close(done) {
      isRetired = true;
      waiting.tell(null);
      presence.stop();
      health?.stop();
      const finish = () => {
        reach.close();
        done();
      };
      if (registration) registration.stop(finish);
      else finish();
    },
  };
}
