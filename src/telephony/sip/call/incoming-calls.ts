// Inbound calls until they are answered or over: admission, notification and CANCEL.
import type { Clock } from "../../../core/clock.ts";
import type { Ids } from "../../../core/ids.ts";
import type { Logger } from "../../../core/logger.ts";
import type { Codec } from "../../../audio/codec.ts";
import type { CallContext } from "./call-context.ts";
import { startInboundCall, type InboundCall } from "./inbound-call.ts";
import type { OpenCalls } from "./open-calls.ts";
import { admitInbound, dialledAs, numberOfCaller } from "./out-of-dialog.ts";
import { answeredAsReplacement } from "./replaces.ts";
import { replyTo } from "../transaction/reply.ts";
import type { ServerTransaction } from "../transaction/server-transaction.ts";
import type { Flow } from "../transport/flow.ts";
import type { Trunk } from "../trunk/trunk-port.ts";
import type { UserAgentListener } from "./user-agent-port.ts";

export interface IncomingCallsOptions {
  clock: Clock;
  logger: Logger;
  ids: Ids;
  randomText: () => string;
  calls: OpenCalls;
  listener: UserAgentListener;
}

const BUSY_HERE = 486;

export class IncomingCalls {
  readonly #options: IncomingCallsOptions;
  readonly #byId = new Map<string, { call: InboundCall; context: CallContext; flow: Flow }>();
  #refusedBusy = 0;

  constructor(options: IncomingCallsOptions) {
    this.#options = options;
  }

  get refusedBusy(): number {
    return this.#refusedBusy;
  }

  /** An INVITE outside any dialog. */
  invited(transaction: ServerTransaction, trunk: Trunk): void {
    const { clock, calls, randomText } = this.#options;
    const { request } = transaction;
    const { isStopping, book } = calls;
    const isKnown = book.idOf(request.callId) !== undefined;
    const replacement = { transaction, calls: book, isKnown, isStopping, toTag: randomText(), nowMs: clock.now() };
    const reopen = (callId: string, flow: Flow) => calls.reopen(callId, flow);
    if (answeredAsReplacement({ ...replacement, reopen })) return;
    const circumstances = { isKnown, isStopping, trunk, toTag: randomText(), busy: () => this.#noLineOn(trunk) };
    if (admitInbound(transaction, circumstances)) this.#ring(transaction, trunk);
  }

  /** CANCEL. `invite`: its INVITE transaction, if the same peer sent both. */
  cancelled(transaction: ServerTransaction, invite: ServerTransaction | undefined): void {
    const { calls, randomText } = this.#options;
    // Matched by the INVITE's own Call-ID: a CANCEL of one call must not end another.
    const callId = invite && calls.book.idOf(invite.request.callId);
    const ringing = callId === undefined ? undefined : this.#byId.get(callId)?.call;
    // The same tag as in the responses to the INVITE (RFC 3261, section 9.2).
    const toTag = ringing?.tag ?? randomText();
    transaction.respond(replyTo(transaction.request, invite ? 200 : 481, { toTag }));
    ringing?.cancelled();
  }

  answer(callId: string, codecOrder: readonly Codec[]): void {
    const ringing = this.#byId.get(callId);
    if (!ringing) return;
    const { call, context, flow } = ringing;
    if (context.trunk.settings.srtp === "required" && flow.transport !== "tls") {
      call.reject(488, `the call came over ${flow.transport}, and the trunk's setting srtp = required needs TLS`);
      return;
    }
    const media = this.#options.calls.openAudio(context, codecOrder, flow);
    if (media) call.answer(media);
    else call.reject(503);
  }

  reject(callId: string, sipCode: number): void {
    const call = this.#byId.get(callId)?.call;
    if (call && sipCode === BUSY_HERE) this.#refusedBusy += 1;
    call?.reject(sipCode);
  }

  #ring(transaction: ServerTransaction, trunk: Trunk): void {
    const { clock, ids, calls, listener } = this.#options;
    const { request, flow } = transaction;
    const callId = ids.next("call");
    const context = calls.contextOf(callId, request.callId, trunk, false);
    context.home = flow;
    trunk.callBegan();
    calls.book.add(callId, request.callId, (came) => trunk.takes(came, flow.transport), { hangUp() {} });
    calls.book.whenRemoved(callId, () => this.#byId.delete(callId));
    calls.book.trace(request, flow, "received", clock.now());
    const call = startInboundCall(context, transaction);
    calls.book.begin(callId, call);
    this.#byId.set(callId, { call, context, flow });
    listener.inbound(callId, {
      trunkId: trunk.settings.id,
      from: numberOfCaller(request),
      ...dialledAs(request, trunk.ourUser),
    });
  }

  /** Only logged and counted: it never becomes a call. */
  #noLineOn({ settings }: Trunk): void {
    this.#refusedBusy += 1;
    const fields = { trunk_id: settings.id, reason: "trunk_busy" };
    this.#options.logger.info("A call was not taken: every line of its trunk is in use.", fields);
  }
}
