// Registration at one trunk (RFC 3261, section 10): refreshes in time, and backs off on rejection.
import type { Clock } from "../../../core/clock.ts";
import { parseNameAddress, secondsIn } from "../message/header-fields.ts";
import { HeaderList } from "../message/header-list.ts";
import { NO_BODY, type RequestDraft, type SipResponse } from "../message/message.ts";
import { SipParseError } from "../message/parse-error.ts";
import type { ClientHandlers } from "../transaction/client-transaction.ts";

export interface Registration {
  readonly isRegistered: boolean;
  /** The connection of the registration is gone, and with it the path for inbound calls: waits for a new connection. */
  connectionLost(): void;
  /** A new connection exists. Registers at once, because inbound calls are impossible until then. */
  connectionMade(): void;
  /** The trunk is reached at another of its hosts, which may not have our registration. */
  moved(): void;
  /** The trunk behaves as if it had lost our registration: registers now instead of on schedule. */
  renew(): void;
  /** Unregisters; the callback is called when the trunk has responded or timed out. May be called again. */
  stop(done: () => void): void;
  /** Stops without unregistering. */
  abandon(): void;
}

export interface RegistrationOptions {
  clock: Clock;
  randomText: () => string;
  /** `sip:trunk.example`. */
  registrar: string;
  /** `<sip:user@trunk.example>`. */
  account: string;
  /** Read each time: behind a NAT it changes once the trunk has reported our address. */
  contact: () => string;
  /** False if the trunk is not reachable at the moment. */
  send: (
    draft: RequestDraft,
    nextCSeq: () => number,
    handlers: ClientHandlers & { unauthorised(advice: string): void },
  ) => boolean;
  changed: (isRegistered: boolean, problem: string | null) => void;
}

/**
 * Limits an undetected loss of the registration. An Asterisk restarted without its database still answers OPTIONS and
 * accepts our calls, because it authenticates us by password; but inbound calls fail, and over UDP nothing indicates
 * it.
 */
const WANTED_SECONDS = 120;
const FIRST_BACKOFF_MS = 5_000;
const LONGEST_BACKOFF_MS = 300_000;

export function keepRegistered(options: RegistrationOptions): Registration {
  return new KeptRegistration(options);
}

class KeptRegistration implements Registration {
  readonly #options: RegistrationOptions;
  // One Call-ID and an increasing CSeq for the registrar (section 10.2).
  readonly #callId: string;
  readonly #fromTag: string;
  #cseq = 0;
  #wantedSeconds = WANTED_SECONDS;
  #backoffMs = FIRST_BACKOFF_MS;
  #isRegistered = false;
  #isStopped = false;
  #isOver = false;
  #whenOver: (() => void)[] = [];
  #registeredContact = "";
  #isCorrection = false;
  #isConnected = true;
  #isUnderWay = false;
  #cancelNext = () => {};

  constructor(options: RegistrationOptions) {
    this.#options = options;
    this.#callId = options.randomText();
    this.#fromTag = options.randomText();
    this.#register();
  }

  get isRegistered(): boolean {
    return this.#isRegistered;
  }

  connectionLost(): void {
    this.#isConnected = false;
    this.#isRegistered = false;
    this.#isUnderWay = false;
    this.#cancelNext();
    // The connection is the problem, and its owner reports it.
    if (!this.#isStopped) this.#options.changed(false, null);
  }

  connectionMade(): void {
    if (this.#isStopped || this.#isConnected) return;
    this.#isConnected = true;
    this.#backoffMs = FIRST_BACKOFF_MS;
    this.#refresh();
  }

  moved(): void {
    if (this.#isStopped || !this.#isConnected) return;
    this.#isRegistered = false;
    this.#backoffMs = FIRST_BACKOFF_MS;
    this.#refresh();
  }

  renew(): void {
    if (!this.#isStopped && this.#isConnected && !this.#isUnderWay) this.#refresh();
  }

  stop(done: () => void): void {
    if (this.#isOver) {
      done();
      return;
    }
    this.#whenOver.push(done);
    if (this.#isStopped) return;
    this.#isStopped = true;
    this.#cancelNext();
    const over = () => this.#over();
    const isAsked = this.#isRegistered && this.#send(0, { unauthorised() {}, final: over, failed: over });
    if (!isAsked) this.#over();
    this.#isRegistered = false;
  }

  abandon(): void {
    this.#isStopped = true;
    this.#isRegistered = false;
    this.#cancelNext();
    this.#over();
  }

  #refresh(): void {
    this.#isCorrection = false;
    this.#register();
  }

  #register(): void {
    let advice: string | null = null;
    this.#isUnderWay = this.#send(this.#wantedSeconds, {
      unauthorised: (text) => (advice = text),
      final: (response) => this.#answered(response, advice),
      failed: (_, detail) => {
        this.#isUnderWay = false;
        if (this.#isStopped || !this.#isConnected) return;
        this.#failed(`The trunk does not answer our registration: ${detail}.`);
      },
    });
    if (!this.#isUnderWay) this.#failed("The trunk has no address yet.");
  }

  #send(expires: number, handlers: Parameters<RegistrationOptions["send"]>[2]): boolean {
    const { contact, account, registrar, send } = this.#options;
    this.#registeredContact = contact();
    const headers = HeaderList.of({
      "max-forwards": "70",
      from: `${account};tag=${this.#fromTag}`,
      to: account,
      "call-id": this.#callId,
      cseq: `${++this.#cseq} REGISTER`,
      contact: this.#registeredContact,
      expires: String(expires),
    });
    const draft: RequestDraft = { method: "REGISTER", uri: registrar, headers, body: NO_BODY };
    return send(draft, () => ++this.#cseq, handlers);
  }

  #answered(response: SipResponse, advice: string | null): void {
    this.#isUnderWay = false;
    if (this.#isStopped) return;
    const leastSeconds = secondsIn(response.headers.get("min-expires"));
    if (response.status === 423 && leastSeconds !== null && leastSeconds > this.#wantedSeconds) {
      this.#wantedSeconds = leastSeconds;
      this.#register();
    } else if (response.status >= 300) {
      const refused = `The trunk refused to register us (SIP ${response.status}). Check its username and host.`;
      this.#failed(advice ?? refused);
    } else this.#taken(response);
  }

  #taken(response: SipResponse): void {
    const { changed, contact } = this.#options;
    this.#isRegistered = true;
    this.#backoffMs = FIRST_BACKOFF_MS;
    // 80 % leaves time for one lost packet and one rejection.
    this.#again(grantedSeconds(response, this.#registeredContact, this.#wantedSeconds) * 800);
    changed(true, null);
    // The response revealed our address as the trunk sees it: calls would go to the wrong address until the next
    // refresh. Corrected once only, since a NAT that changes its port with every packet would cause an endless loop.
    if (contact() === this.#registeredContact || this.#isCorrection) return;
    this.#isCorrection = true;
    this.#register();
  }

  #failed(problem: string): void {
    this.#isRegistered = false;
    this.#again(this.#backoffMs);
    this.#backoffMs = Math.min(this.#backoffMs * 2, LONGEST_BACKOFF_MS);
    this.#options.changed(false, problem);
  }

  #again(ms: number): void {
    this.#cancelNext();
    if (!this.#isStopped) this.#cancelNext = this.#options.clock.after(ms, () => this.#refresh());
  }

  #over(): void {
    this.#isOver = true;
    for (const done of this.#whenOver) done();
    this.#whenOver = [];
  }
}

/**
 * `expires` of our own Contact, otherwise the Expires header, otherwise the requested value. At least 30 s, to avoid a
 * busy loop.
 */
function grantedSeconds(response: SipResponse, ourContact: string, wanted: number): number {
  const ourUri = parseNameAddress(ourContact).uri.split(";")[0];
  const ours = response.headers.all("contact").flatMap((value) => {
    try {
      const { uri, parameters } = parseNameAddress(value);
      return uri.startsWith(ourUri ?? "") ? [secondsIn(parameters["expires"])] : [];
    } catch (error) {
      if (error instanceof SipParseError) return [];
      throw error;
    }
  });
  const granted = ours.find((seconds) => seconds !== null) ?? secondsIn(response.headers.get("expires")) ?? wanted;
  return Math.min(Math.max(granted, 30), 86_400);
}
