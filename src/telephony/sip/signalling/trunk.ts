// One configured trunk: how it is reached, whether it is well, who may call through it, and what it is called.
import type { Clock } from "../../../core/clock.ts";
import type { FailureCode } from "../../port.ts";
import type { TrunkRefusal } from "../../trunk-addresses.ts";
import { createCallPace, type CallPace } from "./call-pace.ts";
import { createCircuitBreaker } from "./circuit-breaker.ts";
import { accountUserOf, callerIdentity, type CallerIdentity } from "./caller-identity.ts";
import type { ClientHandlers } from "./client-transaction.ts";
import { createCredentials, NO_DIGEST, WRONG_PASSWORD, type Credentials } from "./credentials.ts";
import type { Dialog } from "./dialog.ts";
import { watchHealth, type HealthCheck } from "./health.ts";
import type { RequestDraft, SipResponse } from "./message.ts";
import { numberToDial } from "./number-form.ts";
import { openReach, type OpenedFlow } from "./reach.ts";
import { callRefusedWords } from "./refused-call.ts";
import { keepRegistered, type Registration } from "./registration.ts";
import type { Resolver } from "./resolve.ts";
import { isTrunkFault } from "./response-outcome.ts";
import { sendSigned } from "./signed-request.ts";
import type { Transactions } from "./transactions.ts";
import { isAsSafeAs, type Endpoint, type Flow, type TransportName } from "./transport/flow.ts";
import { createTrunkPresence, mayHaveForgotten, unreachable } from "./trunk-presence.ts";
import { bracketed, sipUri } from "./uri.ts";
import type { TrunkSettings, TrunkState } from "./user-agent-port.ts";

export interface Trunk {
  readonly settings: TrunkSettings;
  readonly credentials: Credentials;
  /** The user in our Contact: by it the trunk calls us. */
  readonly ourUser: string;
  readonly pace: CallPace;
  flow(): Flow | null;
  flowFor(dialog: Dialog): Flow | null;
  hears(address: string): boolean;
  /**
   * Whether what comes by this way can be part of a call that began over this transport: its address is the trunk's, and
   * the way is no weaker, for over UDP anybody can write an address.
   */
  takes(flow: Flow, begunOver: TransportName): boolean;
  /** Its own addresses, without those that one of its calls led us to: only from these a new call may come. */
  owns(address: string): boolean;
  addresses(): readonly string[];
  /** `<sip:user@address:port>`: where the trunk reaches us. */
  contact(): string;
  /** `sip:+919876543210@trunk.example`. */
  uriOf(number: string): string;
  /** Who a call comes from that this number makes. */
  identityOf(from: string): CallerIdentity;
  /** Whether the number begins with one of the allowed prefixes. */
  allows(number: string): boolean;
  /** Why no call may go out now; null where it may. */
  refusal(number: string): { code: FailureCode; message: string } | null;
  callBegan(): void;
  /** `isRemote`: whether the trunk had a part in it; our own refusals do not count against it. */
  callEnded(outcome: FailureCode | null, isRemote: boolean): void;
  /** Whether new calls of its may come by this way: a TLS trunk's certainly not over UDP, where anybody writes its address. */
  mayCallOver(flow: Flow): boolean;
  /** A connection was made, or lost; perhaps it was this trunk's. */
  flowConnected(flow: Flow): void;
  flowFailed(flow: Flow, reason: string): void;
  /** It answered a call: whatever OPTIONS says, it is alive. */
  heard(): void;
  /** A call did not get through to it: it is down until it speaks again, and what is due meanwhile waits. */
  notReached(detail: string): void;
  /** It asks for a password that we cannot give: what the call says of it, in better words where more is known. */
  callUnauthorised(advice: string): string;
  /** It let a call of ours ring. */
  callTaken(): void;
  /** How it answered a call of ours, or its end. Some refuse those whose registration they have forgotten. */
  refused(status: number): void;
  state(): TrunkState;
  /** It takes no new calls, and is not looked after any more; those under way go on until `close`. */
  retire(leavesRegistration: boolean): void;
  /** Takes the registration back and closes what it opened. */
  close(done: () => void): void;
}

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
  const presence = createTrunkPresence(clock, report);
  let mayRenew = true;
  let roundTripMs: number | null = null;
  let registrationProblem: string | null = null;
  /** Why the last call was refused, where that is the trunk's or our settings' fault. Other calls may still get through. */
  let callProblem: string | null = null;
  let activeCalls = 0;
  let registration: Registration | null = null;
  let health: HealthCheck | null = null;
  /** How the trunk sees us, by `received` and `rport` in its answers (RFC 3581). */
  let seenAs: Endpoint | null = null;
  /** A trunk over UDP needs no connection. */
  let isConnected = settings.transport === "udp";
  let isRetired = false;
  let lastReport = "";

  const reach = openReach({
    ...options,
    ready() {
      if (settings.transport !== "udp") forgetConnection();
      begin();
    },
    unresolved(detail) {
      presence.down(`The trunk's host has no address (${detail}). Check its host and this machine's DNS.`);
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

  function lookAfter(): void {
    const common = { clock, randomText, account: `<${sipUri(ourUser, domain)}>`, contact, send };
    const registrar = `sip:${bracketed(settings.host)}`;
    const everyMs = settings.optionsEverySeconds * 1_000;
    if (everyMs > 0) health ??= watchHealth({ ...common, everyMs, target: registrar, alive, silent });
    if (settings.register) registration ??= keepRegistered({ ...common, registrar, changed: registrationChanged });
  }

  function connected(): void {
    isConnected = true;
    seenAs = null;
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

  function disconnected(reason: string): void {
    const wasConnected = isConnected;
    forgetConnection();
    const lost = "The connection to the trunk was lost. Ringward opens it again by itself.";
    presence.down(wasConnected ? lost : unreachable(reason));
    if (!wasConnected) reach.moveOn();
  }

  function send(draft: RequestDraft, nextCSeq: () => number, handlers: ClientHandlers): boolean {
    const flow = reach.flow();
    if (!flow || !isConnected) return false;
    const final = (response: SipResponse) => {
      learnOurAddress(response);
      handlers.final(response);
    };
    sendSigned({ transactions, credentials, flow, draft, nextCSeq, handlers: { ...handlers, final } });
    return true;
  }

  function alive(measuredMs: number, status: number): void {
    roundTripMs = measuredMs;
    if (presence.answered(status)) registration?.renew();
  }

  function silent(detail: string, isCertain: boolean): void {
    const verdict = presence.silent(detail, isCertain);
    // A NAT or a firewall may have forgotten the connection, which TCP itself would find out after a quarter of an hour.
    if (verdict === "down" && !isCertain) reach.reconnect();
    if (verdict !== "unknown") reach.moveOn();
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

  function learnOurAddress(response: SipResponse): void {
    const { received, rport } = response.via.parameters as Partial<Record<string, string>>;
    const address = received ?? response.via.host;
    const port = Number(rport === undefined || rport === "" ? response.via.port : rport);
    if (port > 0) seenAs = { address, port };
  }

  /**
   * A trunk over TCP or TLS reaches us over the connection that we keep to it, and finds it by the address and port that it
   * sees on it. One that is not registered may open connections of its own to us, where we take any.
   */
  function contact(): string {
    const { transport } = settings;
    const local = reach.flow()?.local() ?? { address: "127.0.0.1", port: 5060 };
    const listensOn = transport === "udp" || settings.register ? null : options.listensOn(transport);
    const own = listensOn === null ? (seenAs ?? local) : { address: local.address, port: listensOn };
    const port = transport === "udp" && options.externalAddress !== null ? local.port : own.port;
    const address = options.externalAddress ?? own.address;
    return `<${sipUri(ourUser, address, port, transport === "udp" ? {} : { transport })}>`;
  }

  function state(): TrunkState {
    const flow = reach.flow();
    return {
      id: settings.id,
      state: registrationProblem === null ? presence.state : "down",
      isRegistered: settings.register ? (registration?.isRegistered ?? false) : null,
      roundTripMs,
      lastError: registrationProblem ?? presence.problem ?? callProblem,
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
    flowFor: (dialog) => reach.flowFor(dialog),
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
    },
    flowFailed(flow, reason) {
      if (flow === reach.flow()) disconnected(reason);
    },
    heard: () => presence.up(),
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
