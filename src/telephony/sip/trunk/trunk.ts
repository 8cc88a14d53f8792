// One configured trunk as seen by its calls: addressing, capacity, and the effect of their outcomes.
import type { FailureCode } from "../../port.ts";
import { createCallPace, type CallPace } from "./call-pace.ts";
import { createCircuitBreaker, type CircuitBreaker } from "./circuit-breaker.ts";
import { callerIdentity, type CallerIdentity } from "./caller-identity.ts";
import { accountUserOf } from "../../../trunks/trunk-settings.ts";
import { NO_DIGEST, WRONG_PASSWORD, type Credentials } from "./credentials.ts";
import type { DialogRoute } from "./reach.ts";
import { numberToDial } from "./number-form.ts";
import { callRefusedWords } from "./refused-call.ts";
import { isTrunkFault } from "./response-outcome.ts";
import { isAsSafeAs, type Flow } from "../transport/flow.ts";
import { TrunkLink, type TrunkLinkOptions } from "./trunk-link.ts";
import type { Trunk } from "./trunk-port.ts";
import { isExtension, isUserName, sipUri } from "../message/uri.ts";
import type { TransportName, TrunkSettings, TrunkState } from "../../../trunks/trunk-settings.ts";

export type TrunkOptions = Omit<TrunkLinkOptions, "ourUser" | "hasCalls" | "changed"> & {
  changed: (state: TrunkState) => void;
};

export function openTrunk(options: TrunkOptions): Trunk {
  return new OpenTrunk(options);
}

class OpenTrunk implements Trunk {
  readonly settings: TrunkSettings;
  readonly ourUser: string;
  readonly pace: CallPace;
  readonly #link: TrunkLink;
  readonly #breaker: CircuitBreaker;
  readonly #changed: (state: TrunkState) => void;
  #activeCalls = 0;
  /** Why the last call was rejected, if the trunk or our settings are at fault. Other calls may still succeed. */
  #callProblem: string | null = null;
  #lastReport = "";

  constructor(options: TrunkOptions) {
    const { clock, settings } = options;
    this.settings = settings;
    this.ourUser = accountUserOf(settings) ?? "ringward";
    this.pace = createCallPace(clock, settings.callsPerSecond);
    this.#changed = options.changed;
    this.#breaker = createCircuitBreaker(clock, () => this.#report());
    this.#link = new TrunkLink({
      ...options,
      ourUser: this.ourUser,
      hasCalls: () => this.#activeCalls > 0,
      changed: () => this.#report(),
    });
  }

  get credentials(): Credentials {
    return this.#link.credentials;
  }

  flow(): Flow | null {
    return this.#link.reach.flow();
  }

  flowFor(dialog: DialogRoute, madeOver?: Flow | null): Flow | null {
    return this.#link.reach.flowFor(dialog, madeOver);
  }

  otherHost(failed: Flow, restMs: number | null, then: (flow: Flow | null) => void): boolean {
    return this.#link.otherHost(failed, restMs, then);
  }

  hears(address: string): boolean {
    return this.#link.reach.hears(address);
  }

  takes(flow: Flow, begunOver: TransportName): boolean {
    return this.hears(flow.remote.address) && isAsSafeAs(flow.transport, begunOver);
  }

  owns(address: string): boolean {
    return this.#link.reach.owns(address);
  }

  addresses(): readonly string[] {
    return this.#link.reach.addresses();
  }

  contact(): string {
    return this.#link.contact();
  }

  uriOf(number: string): string {
    const { host, port } = this.settings;
    return sipUri(numberToDial(number, this.settings), host, port === 0 ? null : port);
  }

  identityOf(from: string): CallerIdentity {
    return callerIdentity(this.settings, from);
  }

  allows(number: string): boolean {
    const { allowedPrefixes } = this.settings;
    return allowedPrefixes.length === 0 || allowedPrefixes.some((prefix) => number.startsWith(prefix));
  }

  refusal(number: string, isTransfer = false): ReturnType<Trunk["refusal"]> {
    if (!this.allows(number) && !(isTransfer && (isExtension(number) || isUserName(number)))) {
      return { code: "rejected", message: "The number begins with none of the trunk's allowed prefixes." };
    }
    const message = this.#hindrance();
    return message === null ? null : { code: "infrastructure_error", message, putBack: true };
  }

  get hasBeenHeard(): boolean {
    return this.#link.hasBeenHeard;
  }

  whetherThere(done: (isThere: boolean) => void): void {
    this.#link.whetherThere(done);
  }

  restFor(ms: number): void {
    this.#breaker.restFor(ms);
  }

  callBegan(): void {
    this.#activeCalls += 1;
  }

  callEnded(outcome: FailureCode | null, isRemote: boolean): void {
    this.#activeCalls -= 1;
    const isFault = isTrunkFault(outcome);
    // An outage counts once: the trunk is down until it responds, and the circuit breaker need not open.
    if (isRemote && !(isFault && this.#link.state().state === "down")) this.#breaker.record(isFault);
  }

  mayCallOver(flow: Flow): boolean {
    return this.settings.transport !== "tls" || flow.transport === "tls";
  }

  flowConnected(flow: Flow): void {
    this.#link.flowConnected(flow);
  }

  flowFailed(flow: Flow, reason: string): void {
    this.#link.flowFailed(flow, reason);
  }

  heard(flow: Flow): void {
    this.#link.heard(flow);
  }

  notReached(detail: string): void {
    this.#link.notReached(detail);
  }

  refused(status: number): void {
    this.#link.refused(status);
  }

  callUnauthorised(advice: string): string {
    const { isRegistered } = this.#link;
    const inDoubt = advice === WRONG_PASSWORD || advice === NO_DIGEST;
    const problem = (inDoubt ? callRefusedWords({ ...this.settings, isRegistered }) : null) ?? advice;
    this.#callProblem = problem;
    this.#report();
    return problem;
  }

  callTaken(): void {
    if (this.#callProblem === null) return;
    this.#callProblem = null;
    this.#report();
  }

  state(): TrunkState {
    const { id, lines } = this.settings;
    return {
      id,
      ...this.#link.state(),
      lastError: this.#link.problem ?? this.#callProblem ?? this.#link.lookupProblem,
      restingUntilMs: this.#breaker.restingUntilMs(),
      activeCalls: this.#activeCalls,
      lines,
    };
  }

  retire(leavesRegistration: boolean): void {
    this.#link.retire(leavesRegistration);
  }

  close(done: () => void): void {
    this.#link.close(done);
  }

  /** Readable by everyone with access to the call; the details are for users who manage the trunk. */
  #hindrance(): string | null {
    if (this.#activeCalls >= this.settings.lines) return "Every line of the trunk is in use.";
    if (this.#breaker.restingUntilMs() !== null)
      return "The trunk rests: it asked for it, or half of its last calls failed.";
    if (this.#link.state().state === "down") return "The trunk is down.";
    return this.#link.isOpen ? null : "The trunk's address is not known yet.";
  }

  /** Reports relevant changes only: not every round trip or call. */
  #report(): void {
    const now = this.state();
    const text = JSON.stringify({ ...now, roundTripMs: 0, activeCalls: 0 });
    if (text === this.#lastReport) return;
    this.#lastReport = text;
    this.#changed(now);
  }
}
