// What a trunk is to its calls and to whoever keeps trunks.
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
  /** The user in our Contact: by it the trunk calls us. */
  readonly ourUser: string;
  readonly pace: CallPace;
  flow(): Flow | null;
  /** `madeOver`: the way that the call was made by, for a peer that does not say where it is. */
  flowFor(dialog: DialogRoute, madeOver?: Flow | null): Flow | null;
  /**
   * The host behind this flow did not answer a call, or with 503: it rests, and the callback is given the way to the
   * next. False where there is no other to try; null where none of the others can be reached.
   */
  otherHost(failed: Flow, restMs: number | null, then: (flow: Flow | null) => void): boolean;
  hears(address: string): boolean;
  /**
   * Whether what comes by this way can be part of a call that began over this transport: its address is the trunk's,
   * and the way is no weaker, for over UDP anybody can write an address.
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
  /** Why no call may go out now; null where it may. `putBack`: it may later. */
  refusal(number: string, isTransfer?: boolean): { code: FailureCode; message: string; putBack?: true } | null;
  /** It has answered something since the start, so that its answers are known to come through. */
  readonly hasBeenHeard: boolean;
  /** Asks by OPTIONS, and answers within two seconds; a trunk that never answered OPTIONS counts as there. */
  whetherThere(done: (isThere: boolean) => void): void;
  /** It asked to be left alone for so long (503 with Retry-After). */
  restFor(ms: number): void;
  callBegan(): void;
  /** `isRemote`: whether the trunk had a part in it; our own refusals do not count against it. */
  callEnded(outcome: FailureCode | null, isRemote: boolean): void;
  /**
   * Whether new calls of its may come by this way: a TLS trunk's certainly not over UDP, where anybody writes its
   * address.
   */
  mayCallOver(flow: Flow): boolean;
  /** A connection was made, or lost; perhaps it was this trunk's. */
  flowConnected(flow: Flow): void;
  flowFailed(flow: Flow, reason: string): void;
  /** It answered a call, over this flow: whatever OPTIONS says, it is alive. */
  heard(flow: Flow): void;
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
