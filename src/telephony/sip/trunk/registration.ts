// Keeps us registered at one trunk (RFC 3261, section 10): refreshes in time, backs off when refused.
import type { Clock } from "../../../core/clock.ts";
import { parseNameAddress, secondsIn } from "../message/header-fields.ts";
import { HeaderList } from "../message/header-list.ts";
import { NO_BODY, type RequestDraft, type SipResponse } from "../message/message.ts";
import { SipParseError } from "../message/parse-error.ts";
import type { ClientHandlers } from "../transaction/client-transaction.ts";

export interface Registration {
  readonly isRegistered: boolean;
  /** The connection that it was made over is gone, and with it the way by which calls reach us: it waits for another. */
  connectionLost(): void;
  /** There is another. Made at once, for until then nobody can call us. */
  connectionMade(): void;
  /** The trunk is reached at another of its hosts, which may not know of us. */
  moved(): void;
  /** The trunk behaves as if it had forgotten us: registers now, and not when it would be due. */
  renew(): void;
  /** Takes the registration back; the callback comes when the trunk has answered or will not. May be asked again. */
  stop(done: () => void): void;
  /** Cares for it no more, and leaves it standing. */
  abandon(): void;
}

export interface RegistrationOptions {
  clock: Clock;
  randomText: () => string;
  /** `sip:trunk.example`. */
  registrar: string;
  /** `<sip:user@trunk.example>`. */
  account: string;
  /** Read each time: behind a NAT it changes once the trunk told us how it sees us. */
  contact: () => string;
  /** False where the trunk cannot be reached at the moment. */
  send: (
    draft: RequestDraft,
    nextCSeq: () => number,
    handlers: ClientHandlers & { unauthorised(advice: string): void },
  ) => boolean;
  changed: (isRegistered: boolean, problem: string | null) => void;
}

/**
 * Asterisk that was restarted without its database answers OPTIONS and takes our calls as before, since it knows us by our
 * password; only nobody can call us, and over UDP nothing tells us. So this is how long that can last.
 */
const WANTED_SECONDS = 120;
const FIRST_BACKOFF_MS = 5_000;
const LONGEST_BACKOFF_MS = 300_000;

export function keepRegistered(options: RegistrationOptions): Registration {
  const { clock, randomText, changed } = options;
  // One Call-ID and one growing CSeq for the registrar (section 10.2).
  const callId = randomText();
  const fromTag = randomText();
  let cseq = 0;
  let wantedSeconds = WANTED_SECONDS;
  let backoffMs = FIRST_BACKOFF_MS;
  let isRegistered = false;
  let isStopped = false;
  let isOver = false;
  let whenOver: (() => void)[] = [];
  let registeredContact = "";
  let isCorrection = false;
  let isConnected = true;
  let isUnderWay = false;
  let cancelNext = () => {};

  function draft(expires: number): RequestDraft {
    registeredContact = options.contact();
    const headers = HeaderList.of({
      "max-forwards": "70",
      from: `${options.account};tag=${fromTag}`,
      to: options.account,
      "call-id": callId,
      cseq: `${++cseq} REGISTER`,
      contact: registeredContact,
      expires: String(expires),
    });
    return { method: "REGISTER", uri: options.registrar, headers, body: NO_BODY };
  }

  function again(ms: number): void {
    cancelNext();
    if (!isStopped) cancelNext = clock.after(ms, refresh);
  }

  function failed(problem: string): void {
    isRegistered = false;
    again(backoffMs);
    backoffMs = Math.min(backoffMs * 2, LONGEST_BACKOFF_MS);
    changed(false, problem);
  }

  function answered(response: SipResponse, advice: string | null): void {
    isUnderWay = false;
    if (isStopped) return;
    const leastSeconds = secondsIn(response.headers.get("min-expires"));
    if (response.status === 423 && leastSeconds !== null && leastSeconds > wantedSeconds) {
      wantedSeconds = leastSeconds;
      register();
      return;
    }
    if (response.status >= 300) {
      failed(advice ?? `The trunk refused to register us (SIP ${response.status}). Check its username and host.`);
      return;
    }
    isRegistered = true;
    backoffMs = FIRST_BACKOFF_MS;
    // Four fifths leave time for one lost packet and one refusal.
    again(grantedSeconds(response, registeredContact, wantedSeconds) * 800);
    changed(true, null);
    // The answer told us how the trunk sees us: calls would go to the wrong address until the next refresh. Corrected
    // once only, since a NAT that changes its port with every packet would make us register for ever.
    if (options.contact() === registeredContact || isCorrection) return;
    isCorrection = true;
    register();
  }

  function refresh(): void {
    isCorrection = false;
    register();
  }

  function register(): void {
    let advice: string | null = null;
    const handlers = {
      unauthorised: (text: string) => (advice = text),
      final: (response: SipResponse) => answered(response, advice),
      failed: (_: string, detail: string) => {
        isUnderWay = false;
        if (!isStopped && isConnected) failed(`The trunk does not answer our registration: ${detail}.`);
      },
    };
    isUnderWay = options.send(draft(wantedSeconds), () => ++cseq, handlers);
    if (!isUnderWay) failed("The trunk has no address yet.");
  }

  function over(): void {
    isOver = true;
    for (const done of whenOver) done();
    whenOver = [];
  }

  register();
  return {
    get isRegistered() {
      return isRegistered;
    },
    connectionLost() {
      isConnected = false;
      isRegistered = false;
      isUnderWay = false;
      cancelNext();
      // What is wrong is the connection, and whoever keeps it says so.
      if (!isStopped) changed(false, null);
    },
    connectionMade() {
      if (isStopped || isConnected) return;
      isConnected = true;
      backoffMs = FIRST_BACKOFF_MS;
      refresh();
    },
    moved() {
      if (isStopped || !isConnected) return;
      isRegistered = false;
      backoffMs = FIRST_BACKOFF_MS;
      refresh();
    },
    renew() {
      if (!isStopped && isConnected && !isUnderWay) refresh();
    },
    stop(done) {
      if (isOver) {
        done();
        return;
      }
      whenOver.push(done);
      if (isStopped) return;
      isStopped = true;
      cancelNext();
      const handlers = { unauthorised() {}, final: over, failed: over };
      if (!isRegistered || !options.send(draft(0), () => ++cseq, handlers)) over();
      isRegistered = false;
    },
    abandon() {
      isStopped = true;
      isRegistered = false;
      cancelNext();
      over();
    },
  };
}

/** Our own Contact's `expires`, else the Expires header, else what we asked for. Never under 30 s, so as not to spin. */
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
