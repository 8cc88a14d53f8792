// Context that the user agent passes to every call, and the interface of a call.
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
  /** The flow to the trunk's host that has the call; null before there is one. */
  home: Flow | null;
  externalAddress: string | null;
  listener: UserAgentListener;
  /** Reports the end, frees the line and removes the call. Later invocations do nothing. */
  ended: (ending: ReportedEnding) => void;
}

export type ReportedEnding = Omit<CallEnding, "atMs"> & {
  atMs?: number;
  /** The cause is local, so it does not count against the trunk's circuit breaker. */
  isOurFault?: boolean;
};

/** An answered call, as seen by a dialog that wants to replace it. */
export interface Replaceable {
  readonly dialog: Dialog;
  /** One side has hung up. */
  readonly isOver: boolean;
  /** An offer in either direction is pending. */
  readonly isPending: boolean;
  /** Another dialog has taken over the call: sends BYE and reports nothing. */
  makeWay(): void;
}

export interface Call {
  /** Null before the answer. */
  answeredCall(): Replaceable | null;
  hangUp(reason: string): void;
  refer(target: string): void;
  /** A request of the peer with this Call-ID. */
  handle(transaction: ServerTransaction): void;
  acknowledged(ack: SipRequest): void;
}

/** Timeout for the peer to confirm our CANCEL or BYE before the end is reported without it. */
export const CONFIRM_END_MS = 2_000;

export const ALLOWED_METHODS = "INVITE, ACK, CANCEL, BYE, OPTIONS, UPDATE, INFO, NOTIFY, PRACK";
export const SUPPORTED = "100rel, replaces, timer";
