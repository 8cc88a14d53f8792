// Interface of a trunk for its calls and for the trunk set.
import type { FailureCode } from "../../port.ts";
import type { CallPace } from "./call-pace.ts";
import type { CallerIdentity } from "./caller-identity.ts";
import type { Credentials } from "./credentials.ts";
import type { DialogRoute } from "./reach.ts";
import type { Flow } from "../transport/flow.ts";
import type { TransportName, TrunkSettings, TrunkState } from "../../../trunks/trunk-settings.ts";

export interface Trunk {
  readonly settings: TrunkSettings;
  readonly credentials: Credentials;
  /** The user in our Contact, by which the trunk calls us. */
  readonly ourUser: string;
  readonly pace: CallPace;
  flow(): Flow | null;
  /** `madeOver`: the flow that the call was created with, for a peer that does not announce its address. */
  flowFor(dialog: DialogRoute, madeOver?: Flow | null): Flow | null;
  /**
   * The host behind this flow did not answer a call, or answered with 503: it enters backoff, and the callback gets the
   * flow to the next host, or null if none can be reached. False if there is no other host to try.
   */
  otherHost(failed: Flow, restMs: number | null, then: (flow: Flow | null) => void): boolean;
  hears(address: string): boolean;
  /**
   * Whether messages on this flow may belong to a call that started over this transport: the address is the trunk's,
   * and the transport is no weaker, because UDP sources can be spoofed.
   */
  takes(flow: Flow, begunOver: TransportName): boolean;
  /** Its own addresses, without those learned from its calls: new calls may come only from these. */
  owns(address: string): boolean;
  addresses(): readonly string[];
  /** Our Contact for the trunk: `<sip:user@address:port>`. */
  contact(): string;
  /** `sip:+919876543210@trunk.example`. */
  uriOf(number: string): string;
  /** Caller identity of calls from this number. */
  identityOf(from: string): CallerIdentity;
  /** Whether the number starts with one of the allowed prefixes. */
  allows(number: string): boolean;
  /** Why no call is possible now; null if it is. `putBack`: it may be possible later. */
  refusal(number: string, isTransfer?: boolean): { code: FailureCode; message: string; putBack?: true } | null;
  /** It has responded since the start, so its responses are known to arrive. */
  readonly hasBeenHeard: boolean;
  /** Sends OPTIONS, and calls back within two seconds; a trunk that never answered OPTIONS counts as available. */
  whetherThere(done: (isThere: boolean) => void): void;
  /** It asked for a pause (503 with Retry-After). */
  restFor(ms: number): void;
  callBegan(): void;
  /** `isRemote`: whether the trunk was involved; local rejections do not count against it. */
  callEnded(outcome: FailureCode | null, isRemote: boolean): void;
  /**
   * Whether new calls from the trunk may arrive over this flow: a TLS trunk's never over UDP, where its address can be
   * spoofed.
   */
  mayCallOver(flow: Flow): boolean;
  /** A connection was established or lost; it may be this trunk's. */
  flowConnected(flow: Flow): void;
  flowFailed(flow: Flow, reason: string): void;
  /** It responded to a call over this flow: it is alive, whatever the result of OPTIONS. */
  heard(flow: Flow): void;
  /** A call did not reach it: it is down until it responds again, and due calls wait. */
  notReached(detail: string): void;
  /** It rejected our credentials: returns the message for the call, more specific if more is known. */
  callUnauthorised(advice: string): string;
  /** One of our calls is ringing. */
  callTaken(): void;
  /** Status of its response to our INVITE or BYE. Some trunks reject calls after losing our registration. */
  refused(status: number): void;
  state(): TrunkState;
  /** Accepts no new calls and stops its health check; active calls continue until `close`. */
  retire(leavesRegistration: boolean): void;
  /** Unregisters and closes its connections. */
  close(done: () => void): void;
}
