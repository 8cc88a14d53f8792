// Link to one trunk: its connection, health check, registration and failover to another host.
import type { Clock } from "../../../core/clock.ts";
import type { TrunkRefusal } from "../../../trunks/trunk-addresses.ts";
import { createCredentials, type Credentials } from "./credentials.ts";
import { askWhetherThere, watchHealth, type HealthCheck } from "./health.ts";
import type { RequestDraft, SipResponse } from "../message/message.ts";
import { openReach, type Reach } from "./reach.ts";
import { keepRegistered, type Registration } from "./registration.ts";
import type { Resolver } from "./dns.ts";
import { sendToHost } from "./host-request.ts";
import { createOurAddress, type OurAddress } from "./our-address.ts";
import type { ClientHandlers } from "../transaction/client-transaction.ts";
import type { Transactions } from "../transaction/transactions.ts";
import type { Endpoint, Flow, OpenedFlow } from "../transport/flow.ts";
import { createWaitingCalls, type WaitingCalls } from "./waiting-calls.ts";
import { createTrunkPresence, mayHaveForgotten, unreachable, type TrunkPresence } from "./trunk-presence.ts";
import { bracketed, sipUri } from "../message/uri.ts";
import type { TransportName, TrunkSettings, TrunkState } from "../../../trunks/trunk-settings.ts";

export interface TrunkLinkOptions {
  clock: Clock;
  settings: TrunkSettings;
  /** The user in our Contact. */
  ourUser: string;
  randomText: () => string;
  resolver: Resolver;
  refusal: TrunkRefusal;
  transactions: Transactions;
  externalAddress: string | null;
  openFlow: (settings: TrunkSettings, remote: Endpoint) => Promise<OpenedFlow>;
  sideFlow: (remote: Endpoint, like: Flow) => Flow | null;
  canReach: (address: string) => boolean;
  listensOn: (transport: TransportName) => number | null;
  hasCalls: () => boolean;
  /** Its state may have changed. */
  changed: () => void;
}

/**
 * Rate limit of renewals: 404 and 403 also occur for unknown or forbidden numbers, so not every one may trigger a
 * REGISTER.
 */
const RENEW_EVERY_MS = 30_000;
/** Over UDP the request is sent at 0, 0.5 and 1.5 s; a call's end is reported within two seconds (CONFIRM_END_MS). */
const WHETHER_THERE_MS = 1_800;

export class TrunkLink {
  readonly reach: Reach;
  readonly credentials: Credentials;
  readonly #options: TrunkLinkOptions;
  readonly #registrar: string;
  readonly #presence: TrunkPresence;
  readonly #ourAddress: OurAddress;
  /** Calls that wait for a flow to another host. */
  readonly #waiting: WaitingCalls;
  #registration: Registration | null = null;
  #health: HealthCheck | null = null;
  #isConnected: boolean;
  #isRetired = false;
  #mayRenew = true;
  #roundTripMs: number | null = null;
  #registrationProblem: string | null = null;
  #lookupProblem: string | null = null;

  constructor(options: TrunkLinkOptions) {
    const { clock, settings } = options;
    const { username, secret } = settings;
    this.#options = options;
    this.#registrar = `sip:${bracketed(settings.host)}`;
    // A UDP trunk needs no connection.
    this.#isConnected = settings.transport === "udp";
    this.#presence = createTrunkPresence(clock, options.changed);
    this.#waiting = createWaitingCalls(clock);
    const account = username === null ? null : { username, password: secret ?? "" };
    this.credentials = createCredentials(account, options.randomText, (address) => this.reach.owns(address));
    this.#ourAddress = createOurAddress({ ...options, local: () => this.reach.flow()?.local() ?? null });
    this.reach = this.#openReach();
  }

  get isRegistered(): boolean {
    return this.#registration?.isRegistered ?? false;
  }

  get hasBeenHeard(): boolean {
    return this.#presence.hasBeenHeard;
  }

  /** Why it accepts no calls, for users who manage the trunk. */
  get problem(): string | null {
    return this.#registrationProblem ?? this.#presence.problem;
  }

  /** Its name can no longer be resolved; its earlier addresses may still work. */
  get lookupProblem(): string | null {
    return this.#lookupProblem;
  }

  /** There is a flow to it now. */
  get isOpen(): boolean {
    return this.reach.flow() !== null && this.#isConnected;
  }

  state(): Pick<TrunkState, "state" | "isRegistered" | "roundTripMs" | "address"> {
    const flow = this.reach.flow();
    const isDown = this.#presence.state === "down";
    return {
      state: this.#registrationProblem === null ? this.#presence.state : "down",
      isRegistered: this.#options.settings.register ? this.isRegistered : null,
      roundTripMs: this.#roundTripMs,
      // Without a connection it accepts no calls, as without an address.
      address: flow && (this.#isConnected || isDown) ? `${bracketed(flow.remote.address)}:${flow.remote.port}` : null,
    };
  }

  contact(): string {
    return `<${this.#ourAddress.uriOf(this.#options.ourUser)}>`;
  }

  otherHost(failed: Flow, restMs: number | null, then: (flow: Flow | null) => void): boolean {
    if (this.#isRetired || !this.reach.moveOn(failed, restMs ?? undefined)) return false;
    const now = this.reach.flow();
    if (now !== failed && this.#isConnected) this.#options.clock.after(0, () => then(now));
    else this.#waiting.add(then);
    return true;
  }

  flowConnected(flow: Flow): void {
    if (flow === this.reach.flow()) this.#connected();
    else this.reach.trialConnected(flow);
  }

  flowFailed(flow: Flow, reason: string): void {
    if (flow === this.reach.flow()) this.#disconnected(flow, reason);
    else this.reach.trialFailed(flow);
  }

  heard(flow: Flow): void {
    this.reach.answered(flow);
    this.#presence.up();
  }

  notReached(detail: string): void {
    if (!this.#isConnected) return;
    const isAsked = this.#health !== null && this.#presence.answersOptions;
    this.#presence.notReached(detail, isAsked);
    if (isAsked) this.#health?.askNow();
  }

  refused(status: number): void {
    if (!this.#mayRenew || !this.#registration || !mayHaveForgotten(status)) return;
    this.#mayRenew = false;
    this.#options.clock.after(RENEW_EVERY_MS, () => (this.#mayRenew = true));
    this.#registration.renew();
  }

  whetherThere(done: (isThere: boolean) => void): void {
    const flow = this.reach.flow();
    if (!this.#presence.answersOptions) done(true);
    else if (!flow || !this.#isConnected) done(false);
    else askWhetherThere({ ...this.#question(), flow, patienceMs: WHETHER_THERE_MS }, done);
  }

  retire(leavesRegistration: boolean): void {
    this.#isRetired = true;
    this.#health?.stop();
    if (leavesRegistration) this.#registration?.abandon();
    else this.#registration?.stop(() => {});
  }

  close(done: () => void): void {
    this.#isRetired = true;
    this.#waiting.tell(null);
    this.#presence.stop();
    this.#health?.stop();
    const finish = () => {
      this.reach.close();
      done();
    };
    if (this.#registration) this.#registration.stop(finish);
    else finish();
  }

  #openReach(): Reach {
    const { settings, hasCalls, changed } = this.#options;
    return openReach({
      ...this.#options,
      ready: () => {
        if (settings.transport === "udp") this.#atAnotherHost();
        else this.#forgetConnection();
        this.#begin();
      },
      returned: () => {
        this.#forgetConnection();
        this.#connected();
      },
      mayReturn: () => !hasCalls() && !this.#isRetired,
      probe: (flow, done) => {
        if (this.#presence.answersOptions) askWhetherThere({ ...this.#question(), flow }, done);
        else done(true);
      },
      looked: () => {
        this.#lookupProblem = null;
        changed();
      },
      unresolved: (detail, isKnown) => {
        const problem = `The trunk's host has no address (${detail}). Check its host and this machine's DNS.`;
        this.#lookupProblem = problem;
        if (isKnown) changed();
        else this.#presence.down(problem);
      },
      refused: (reason) => this.#presence.down(`The trunk's address is not allowed: ${reason}.`),
    });
  }

  /** Our identity in out-of-call requests. */
  #ourselves() {
    const { clock, randomText, settings, ourUser } = this.#options;
    const account = `<${sipUri(ourUser, settings.fromDomain ?? settings.host)}>`;
    return { clock, randomText, account, contact: () => this.contact() };
  }

  /** Options of askWhetherThere. */
  #question() {
    const { transactions } = this.#options;
    return { ...this.#ourselves(), transactions, credentials: this.credentials, target: this.#registrar };
  }

  #begin(): void {
    // Before the connection exists our source port is unknown, and the trunk must call us there.
    if (this.#isConnected && !this.#isRetired) this.#lookAfter();
    this.#options.changed();
  }

  #lookAfter(): void {
    const { settings } = this.#options;
    const everyMs = settings.optionsEverySeconds * 1_000;
    const asking = { ...this.#ourselves(), send: this.#send };
    if (everyMs > 0) {
      const alive = (measuredMs: number, status: number) => this.#alive(measuredMs, status);
      const silent = (detail: string, isCertain: boolean) => this.#silent(detail, isCertain);
      this.#health ??= watchHealth({ ...asking, everyMs, target: this.#registrar, alive, silent });
    }
    if (settings.register) {
      const changed = (isRegistered: boolean, problem: string | null) =>
        this.#registrationChanged(isRegistered, problem);
      this.#registration ??= keepRegistered({ ...asking, registrar: this.#registrar, changed });
    }
    this.#waiting.tell(this.reach.flow());
  }

  readonly #send = (draft: RequestDraft, nextCSeq: () => number, handlers: ClientHandlers): boolean => {
    const { clock, transactions } = this.#options;
    const { reach, credentials } = this;
    const flow = reach.flow();
    if (!flow || !this.#isConnected) return false;
    // A registration is renewed at each host; unregistering is tried only once.
    const mayMove = draft.method === "REGISTER" && !this.#isRetired;
    const answered = (response: SipResponse) => this.#ourAddress.learn(response);
    sendToHost({ clock, transactions, credentials, reach, flow, draft, nextCSeq, handlers, mayMove, answered });
    return true;
  };

  /** Over UDP there is no connection event: checks the host, and registers there. */
  #atAnotherHost(): void {
    this.#ourAddress.forget();
    if (this.#isRetired) return;
    this.#health?.askNow();
    this.#registration?.moved();
  }

  #connected(): void {
    this.#isConnected = true;
    this.#ourAddress.forget();
    this.#presence.connected();
    this.#registration?.connectionMade();
    this.#begin();
  }

  #forgetConnection(): void {
    this.#isConnected = false;
    this.#health?.stop();
    this.#health = null;
    this.#registration?.connectionLost();
  }

  #disconnected(flow: Flow, reason: string): void {
    const wasConnected = this.#isConnected;
    this.#forgetConnection();
    if (wasConnected) {
      this.#presence.down("The connection to the trunk was lost. Ringward opens it again by itself.");
      return;
    }
    if (this.reach.moveOn(flow)) return;
    this.#presence.down(unreachable(reason));
    this.#waiting.tell(null);
    this.reach.turn(false);
  }

  #alive(measuredMs: number, status: number): void {
    this.#roundTripMs = measuredMs;
    if (this.#presence.answered(status)) this.#registration?.renew();
  }

  #silent(detail: string, isCertain: boolean): void {
    const flow = this.reach.flow();
    // Tries the next host at once. The trunk is down if none of them responds.
    if (flow && (isCertain || this.#presence.answersOptions) && this.reach.moveOn(flow)) return;
    const verdict = this.#presence.silent(detail, isCertain);
    // Without another host: a NAT or a firewall may have dropped the connection, which TCP itself would detect after 15
    // minutes.
    if (verdict === "down") this.reach.turn(!isCertain);
    // Some trunks never answer OPTIONS; one that answers nothing at all is given up.
    else if (verdict === "doubtful" && !this.reach.hasAnswered) this.reach.turn(false);
  }

  #registrationChanged(isRegistered: boolean, problem: string | null): void {
    this.#registrationProblem = problem;
    if (isRegistered) this.#presence.up();
    else this.#options.changed();
  }
}
