// What every call is given by the user agent, and how the user agent sees a call.
import type { Clock } from "../../../core/clock.ts";
import type { Dialog } from "./dialog.ts";
import type { SipMessage, SipRequest } from "../message/message.ts";
import type { ServerTransaction } from "../transaction/server-transaction.ts";
import type { SipTimers } from "../transaction/timers.ts";
import type { Transactions } from "../transaction/transactions.ts";
import type { Flow } from "../transport/flow.ts";
import type { Trunk } from "../trunk/trunk-port.ts";
import type { CallEnding, UserAgentListener } from "./user-agent-port.ts";

export interface CallContext {
  callId: string;
  sipCallId: string;
  clock: Clock;
  timers: SipTimers;
  randomText: () => string;
  transactions: Transactions;
  send: (message: SipMessage, flow: Flow) => boolean;
  trunk: Trunk;
  /** The way to the host of the trunk that the call is with; null before there is one. */
  home: Flow | null;
  externalAddress: string | null;
  listener: UserAgentListener;
  /** Reports it, frees the line and forgets the call. Later calls of it do nothing. */
  ended: (ending: ReportedEnding) => void;
}

export type ReportedEnding = Omit<CallEnding, "atMs"> & {
  atMs?: number;
  /** It failed for want of something of our own: no reason to let the trunk rest. */
  isOurFault?: boolean;
};

/** An answered call, as another dialog sees it that wants to take its place. */
export interface Replaceable {
  readonly dialog: Dialog;
  /** One side has hung up. */
  readonly isOver: boolean;
  /** An offer of ours or an answer to one is under way. */
  readonly isPending: boolean;
  /** Another dialog has taken the call over: BYE, and not a word of it to anybody. */
  makeWay(): void;
}

export interface Call {
  /** Null before it is answered. */
  answeredCall(): Replaceable | null;
  hangUp(reason: string): void;
  refer(target: string): void;
  /** A request of the peer with this Call-ID. */
  handle(transaction: ServerTransaction): void;
  acknowledged(ack: SipRequest): void;
}

/** How long we wait for the peer to confirm our CANCEL or BYE before we report the end without it. */
export const CONFIRM_END_MS = 2_000;

export const ALLOWED_METHODS = "INVITE, ACK, CANCEL, BYE, OPTIONS, UPDATE, INFO, NOTIFY, PRACK";
export const SUPPORTED = "100rel, replaces, timer";
