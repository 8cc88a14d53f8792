// Context of the user agent's calls, and their cleanup: a call that ends frees its line and is reported.
import type { Clock } from "../../../core/clock.ts";
import type { Ids } from "../../../core/ids.ts";
import type { Logger } from "../../../core/logger.ts";
import type { Codec } from "../../../audio/codec.ts";
import { MASTER_BYTES } from "../../rtp/srtp-keys.ts";
import type { CallBook } from "./call-book.ts";
import type { CallContext, ReportedEnding } from "./call-context.ts";
import { createOfferAnswer, type OfferAnswer } from "./offer-answer.ts";
import type { SipTimers } from "../transaction/timers.ts";
import type { Transactions } from "../transaction/transactions.ts";
import type { Flow } from "../transport/flow.ts";
import type { Trunk } from "../trunk/trunk-port.ts";
import type { MediaPort, UserAgentListener } from "./user-agent-port.ts";

export interface OpenCallsOptions {
  clock: Clock;
  logger: Logger;
  ids: Ids;
  timers: SipTimers;
  randomText: () => string;
  transactions: Transactions;
  send: CallContext["send"];
  externalAddress: string | null;
  makeMedia: (callId: string, preferred: Codec) => MediaPort;
  listener: UserAgentListener;
  book: CallBook;
  /** A call ended: it may have been the last one of a removed trunk. */
  lineFreed: () => void;
}

export interface Reopened {
  context: CallContext;
  media: OfferAnswer;
}

export class OpenCalls {
  readonly book: CallBook;
  /** Once set, calls that we end are `interrupted`, and new ones are rejected. */
  isStopping = false;
  readonly #options: OpenCallsOptions;
  /** With their original codec order: another telephone may take over a call. */
  readonly #begun = new Map<string, { context: CallContext; codecOrder: readonly Codec[] }>();

  constructor(options: OpenCallsOptions) {
    this.#options = options;
    this.book = options.book;
  }

  contextOf(callId: string, sipCallId: string, trunk: Trunk, isOutbound: boolean): CallContext {
    const { clock, timers, randomText, transactions, send, externalAddress, listener } = this.#options;
    // Per call, not per id: a late timer of one attempt must not end the next one under the same id.
    let isEnded = false;
    return {
      callId,
      sipCallId,
      clock,
      timers,
      randomText,
      transactions,
      send,
      trunk,
      home: null,
      externalAddress,
      listener,
      ended: ({ isOurFault = false, ...ending }) => {
        if (isEnded || !this.book.has(callId)) return;
        isEnded = true;
        // Calls that we ended ourselves and inbound calls say nothing about the trunk.
        const isRemote = isOutbound && !isOurFault && ending.outcome !== "interrupted";
        this.#ended(callId, trunk, ending, isRemote);
      },
    };
  }

  #ended(callId: string, trunk: Trunk, ending: Omit<ReportedEnding, "isOurFault">, isRemote: boolean): void {
    const { clock, listener, lineFreed } = this.#options;
    this.book.remove(callId);
    this.#begun.delete(callId);
    trunk.callEnded(ending.outcome, isRemote);
    lineFreed();
    const outcome = this.isStopping && ending.by === "us" ? "interrupted" : ending.outcome;
    listener.ended(callId, { ...ending, outcome, atMs: ending.atMs ?? clock.now() });
  }

  /** Null if no media is available: all ports are in use, or the machine is overloaded. */
  openAudio(context: CallContext, codecOrder: readonly Codec[], flow: Flow): OfferAnswer | null {
    const { clock, logger, ids, makeMedia, externalAddress } = this.#options;
    const { trunk } = context;
    try {
      const media = createOfferAnswer({
        media: makeMedia(context.callId, codecOrder[0] ?? "PCMA"),
        codecOrder,
        externalAddress,
        // Read each time: the call may move to a host that is reached from another local address.
        ownAddress: () => (context.home ?? flow).local().address,
        trust: () => ({ trunkAddresses: trunk.addresses(), symmetricRtp: trunk.settings.symmetricRtp }),
        sessionId: Math.floor(clock.now() / 1_000),
        srtp: flow.transport === "tls" ? trunk.settings.srtp : "off",
        randomKey: () => Buffer.from(ids.secret(MASTER_BYTES), "base64url").toString("base64"),
      });
      this.#begun.set(context.callId, { context, codecOrder });
      return media;
    } catch (error) {
      logger.error("no media could be made for a call", { error: error instanceof Error ? error.message : "unknown" });
      return null;
    }
  }

  /** Context of a call for a new dialog; null if the call is gone. */
  reopen(callId: string, flow: Flow): Reopened | null {
    const known = this.#begun.get(callId);
    const media = known ? this.openAudio(known.context, known.codecOrder, flow) : null;
    return known && media ? { context: known.context, media } : null;
  }
}
