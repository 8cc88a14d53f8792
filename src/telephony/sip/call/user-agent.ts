// Ringward's own SIP user agent: makes and takes calls over the configured trunks, and reports what becomes of them.
//
//   const agent = await createUserAgent({ clock, logger, ids, bind: { address: "0.0.0.0", port: 5060 }, externalAddress: null,
//     trunks, makeMedia: (callId, preferred) => mediaPort, listener });
//   agent.invite({ callId, trunkId, from, to, ringTimeoutMs: 30_000, codecOrder: ["PCMA", "PCMU"] });
//   // listener: trying → ringing → answered → ended; makeMedia's port: negotiated at early media, answer and hold
//   agent.hangUp(callId);
//   await agent.stop(2_000);
//
// It needs no database and no HTTP and may live in a Worker. Only addresses of trunks are heard: everything else is dropped
// without an answer, and nobody but the caller of this API makes it dial (no REFER, no redirect is followed).
// Split by layer: message → transport → transaction → dialog → call → this file, which only brings them together.
import type { Clock } from "../../../core/clock.ts";
import type { Ids } from "../../../core/ids.ts";
import type { Logger } from "../../../core/logger.ts";
import { MASTER_BYTES } from "../rtp/srtp-keys.ts";
import { canReach, outerAddress } from "../trunk/addresses.ts";
import type { CallContext } from "./call-context.ts";
import { createCallBook } from "./call-book.ts";
import { startInboundCall, type InboundCall } from "./inbound-call.ts";
import { createGoodbyes } from "./goodbyes.ts";
import { createOfferAnswer, type OfferAnswer } from "./offer-answer.ts";
import { startOutboundCall } from "./outbound-call.ts";
import { admitInbound, answerOutOfDialog, dialledAs, numberOfCaller } from "./out-of-dialog.ts";
import { answeredAsReplacement } from "./replaces.ts";
import { replyTo } from "../transaction/reply.ts";
import { createSystemResolver, type Resolver } from "../trunk/dns.ts";
import type { Codec } from "../../../audio/codec.ts";
import type { ServerTransaction } from "../transaction/server-transaction.ts";
import { RFC_TIMERS, type SipTimers } from "../transaction/timers.ts";
import type { Endpoint, Flow } from "../transport/flow.ts";
import type { TrunkRefusal } from "../../../trunks/trunk-addresses.ts";
import { createTrunkSet } from "../trunk/trunk-set.ts";
import type { Trunk } from "../trunk/trunk-port.ts";
import type { InviteOrder, MediaPort, TlsListening, UserAgent, UserAgentListener } from "./user-agent-port.ts";
import { openWire } from "../transport/wire.ts";
import type { TrunkSettings } from "../../../trunks/trunk-settings.ts";

export interface UserAgentOptions {
  clock: Clock;
  logger: Logger;
  ids: Ids;
  /** Port 0 takes a free one. A TCP trunk reaches us on the same number. */
  bind: Endpoint;
  /** Where trunks may open TLS connections of their own to us; nowhere without it. */
  tls?: TlsListening | null;
  /** Our address as the trunks see it, where a NAT or a container stands between; null to find out. */
  externalAddress: string | null;
  trunks: readonly TrunkSettings[];
  /** Where no trunk may be. */
  refusal: TrunkRefusal;
  makeMedia: (callId: string, preferred: Codec) => MediaPort;
  listener: UserAgentListener;
  timers?: SipTimers;
  resolver?: Resolver;
}

const DIALLABLE = /^\+?[A-Za-z0-9*#._-]{1,64}$/;
const RANDOM_BYTES = 12;
const BUSY_HERE = 486;
const WITHOUT_MEANS = {
  by: "us",
  outcome: "infrastructure_error",
  sipCode: null,
  message: "The call could not begin: its trunk is gone, or there is no media port left.",
  isOurFault: true,
} as const;

export async function createUserAgent(options: UserAgentOptions): Promise<UserAgent> {
  const { clock, logger, ids, listener, makeMedia, externalAddress } = options;
  const timers = options.timers ?? RFC_TIMERS;
  const randomText = () => ids.secret(RANDOM_BYTES);
  const calls = createCallBook((callId, entry) => listener.trace(callId, entry));
  const inboundCalls = new Map<string, { call: InboundCall; context: CallContext; flow: Flow }>();
  /** With the codecs that they were begun with: another telephone may take a call over. */
  const answerable = new Map<string, { context: CallContext; codecOrder: readonly Codec[] }>();
  let isStopping = false;
  let refusedBusy = 0;

  const wire = await openWire({
    clock,
    logger,
    timers,
    randomText,
    bind: options.bind,
    tls: options.tls ?? null,
    isKnown: (address) => trunks.hears(address),
    trace: (message, flow, direction) => calls.trace(message, flow, direction, clock.now()),
    onRequest: requested,
    onFlowConnected: (flow) => trunks.flowConnected(flow),
    onFlowFailed: (flow, reason) => trunks.flowFailed(flow, reason),
    isSamePeer: (sent, came) => trunks.isSamePeer(sent, came),
    onAck: (ack, flow) => calls.ofMessage(ack.callId, flow)?.acknowledged?.(ack),
  });
  const { transactions } = wire;
  const trunks = createTrunkSet({
    clock,
    logger,
    randomText,
    transactions,
    externalAddress,
    resolver: options.resolver ?? createSystemResolver(),
    refusal: options.refusal,
    openFlow: wire.openFlow,
    sideFlow: wire.sideFlow,
    canReach: (address) => canReach(options.bind.address, address),
    listensOn: wire.listensOn,
    changed(state) {
      listener.trunkState(state);
      goodbyes.trunkChanged();
    },
  });
  const goodbyes = createGoodbyes({ clock, logger, transactions, find: (trunkId) => trunks.find(trunkId) });
  trunks.set(options.trunks);

  function contextOf(callId: string, sipCallId: string, trunk: Trunk, isOutbound: boolean): CallContext {
    // Per call and not per id: a late timer of one attempt must not end the next one under the same id.
    let isEnded = false;
    return {
      callId,
      sipCallId,
      clock,
      timers,
      randomText,
      transactions,
      send: wire.send,
      trunk,
      home: null,
      externalAddress,
      listener,
      ended({ isOurFault = false, ...ending }) {
        if (isEnded || calls.get(callId) === undefined) return;
        isEnded = true;
        calls.remove(callId);
        inboundCalls.delete(callId);
        answerable.delete(callId);
        // A call that we broke off ourselves, or that was made to us, says nothing about the trunk.
        trunk.callEnded(ending.outcome, isOutbound && !isOurFault && ending.outcome !== "interrupted");
        trunks.sweep();
        const outcome = isStopping && ending.by === "us" ? "interrupted" : ending.outcome;
        listener.ended(callId, { ...ending, outcome, atMs: ending.atMs ?? clock.now() });
      },
    };
  }

  /** Null where no media can be had: every port taken, or too much to do already. */
  function offerAnswer(context: CallContext, codecOrder: readonly Codec[], flow: Flow): OfferAnswer | null {
    // Read each time: the call may move to a host that is reached from another address of ours.
    const ownAddress = () => (context.home ?? flow).local().address;
    const sessionId = Math.floor(clock.now() / 1_000);
    try {
      const media = makeMedia(context.callId, codecOrder[0] ?? "PCMA");
      const { trunk } = context;
      const trust = () => ({ trunkAddresses: trunk.addresses(), symmetricRtp: trunk.settings.symmetricRtp });
      const srtp = flow.transport === "tls" ? trunk.settings.srtp : "off";
      const randomKey = () => Buffer.from(ids.secret(MASTER_BYTES), "base64url").toString("base64");
      const addresses = { externalAddress, ownAddress };
      return createOfferAnswer({ media, codecOrder, ...addresses, trust, sessionId, srtp, randomKey });
    } catch (error) {
      logger.error("no media could be made for a call", { error: error instanceof Error ? error.message : "unknown" });
      return null;
    }
  }

  function invite(order: InviteOrder): void {
    if (calls.has(order.callId)) return;
    const trunk = trunks.find(order.trunkId);
    const refusal = isStopping
      ? { code: "interrupted" as const, message: "Ringward is stopping." }
      : !DIALLABLE.test(order.to) || !DIALLABLE.test(order.from)
        ? { code: "invalid_number" as const, message: "The number holds characters that cannot be dialled." }
        : !trunk
          ? { code: "infrastructure_error" as const, message: "No trunk of this name is configured." }
          : trunk.refusal(order.to);
    if (refusal || !trunk) {
      const { code, message } = refusal ?? { code: "infrastructure_error" as const, message: "There is no trunk." };
      clock.after(0, () => {
        listener.ended(order.callId, { by: "us", outcome: code, sipCode: null, message, atMs: clock.now() });
      });
      return;
    }
    const context = contextOf(order.callId, randomText(), trunk, true);
    trunk.callBegan();
    const interrupted = { by: "us", outcome: "interrupted", sipCode: null, message: "We gave the call up." } as const;
    const takes = (flow: Flow) => trunk.takes(flow, trunk.settings.transport);
    calls.add(order.callId, context.sipCallId, takes, { hangUp: () => context.ended(interrupted) });
    const leaveQueue = trunk.pace.enter(() => {
      const flow = trunk.flow();
      const media = flow && calls.has(order.callId) && offerAnswer(context, order.codecOrder, flow);
      if (media) {
        answerable.set(order.callId, { context, codecOrder: order.codecOrder });
        calls.begin(order.callId, startOutboundCall(context, order, media, flow));
      } else context.ended(WITHOUT_MEANS);
    });
    calls.whenRemoved(order.callId, leaveQueue);
  }

  function requested(transaction: ServerTransaction): void {
    const { request, flow } = transaction;
    if (request.method === "CANCEL") {
      const invite = transactions.inviteOf(request);
      const cancelled = invite && trunks.isSamePeer(invite.flow, flow) ? invite : undefined;
      // By the INVITE's own name: a CANCEL of one call must not end another.
      const callId = cancelled && calls.idOf(cancelled.request.callId);
      const ringing = callId === undefined ? undefined : inboundCalls.get(callId)?.call;
      // The tag of the INVITE's own answers (RFC 3261, section 9.2).
      transaction.respond(replyTo(request, cancelled ? 200 : 481, { toTag: ringing?.tag ?? randomText() }));
      ringing?.cancelled();
      return;
    }
    if (request.to.parameters["tag"] !== undefined) {
      const call = calls.ofMessage(request.callId, flow);
      if (call?.handle) call.handle(transaction);
      else transaction.respond(replyTo(request, 481));
      return;
    }
    const trunk = trunks.callerOf(request, flow);
    // From an address that trunks have, by a way that none of them takes calls from.
    if (!trunk && trunks.owns(flow.remote.address)) transaction.respond(replyTo(request, 403, { toTag: randomText() }));
    else if (!trunk) transaction.dispose();
    else if (request.method === "INVITE") invited(transaction, trunk);
    else answerOutOfDialog(transaction, randomText());
  }

  function invited(transaction: ServerTransaction, trunk: Trunk): void {
    const { request } = transaction;
    const isKnown = calls.idOf(request.callId) !== undefined;
    const nowMs = clock.now();
    if (answeredAsReplacement({ transaction, calls, isKnown, isStopping, toTag: randomText(), nowMs, reopen })) return;
    const circumstances = { isKnown, isStopping, trunk, toTag: randomText(), busy: () => noLineOn(trunk) };
    if (!admitInbound(transaction, circumstances)) return;
    const callId = ids.next("call");
    const context = contextOf(callId, request.callId, trunk, false);
    context.home = transaction.flow;
    trunk.callBegan();
    const begunOver = transaction.flow.transport;
    calls.add(callId, request.callId, (flow) => trunk.takes(flow, begunOver), { hangUp() {} });
    calls.trace(request, transaction.flow, "received", clock.now());
    const call = startInboundCall(context, transaction);
    calls.begin(callId, call);
    inboundCalls.set(callId, { call, context, flow: transaction.flow });
    listener.inbound(callId, {
      trunkId: trunk.settings.id,
      from: numberOfCaller(request),
      ...dialledAs(request, trunk.ourUser),
    });
  }

  function reopen(callId: string, flow: Flow): { context: CallContext; media: OfferAnswer } | null {
    const known = answerable.get(callId);
    const media = known ? offerAnswer(known.context, known.codecOrder, flow) : null;
    return known && media ? { context: known.context, media } : null;
  }

  /** Nobody else hears of it: it never becomes a call. */
  function noLineOn({ settings }: Trunk): void {
    refusedBusy += 1;
    const fields = { trunk_id: settings.id, reason: "trunk_busy" };
    logger.info("A call was not taken: every line of its trunk is in use.", fields);
  }

  return {
    port: wire.port,
    invite,
    hangUp: (callId, reason = "normal clearing") => calls.get(callId)?.hangUp(reason),
    endLeft: (dialogs) => goodbyes.say(dialogs),
    refer(callId, target) {
      const call = calls.get(callId);
      if (/^sips?:[^\s<>"]+$/i.test(target) || DIALLABLE.test(target)) call?.refer?.(target);
      else if (call) listener.transferProgress(callId, { state: "refused", sipCode: null });
    },
    answerInbound(callId, codecOrder) {
      const ringing = inboundCalls.get(callId);
      if (!ringing) return;
      const { call, context, flow } = ringing;
      if (context.trunk.settings.srtp === "required" && flow.transport !== "tls") {
        call.reject(488, `the call came over ${flow.transport}, and the trunk's setting srtp = required needs TLS`);
        return;
      }
      const media = offerAnswer(context, codecOrder, flow);
      answerable.set(callId, { context, codecOrder });
      if (media) call.answer(media);
      else call.reject(503);
    },
    rejectInbound(callId, sipCode) {
      const call = inboundCalls.get(callId)?.call;
      if (call && sipCode === BUSY_HERE) refusedBusy += 1;
      call?.reject(sipCode);
    },
    setTrunks: (settings) => trunks.set(settings),
    trunkStates: () => trunks.states(),
    addressTowards(trunkId) {
      const flow = trunks.find(trunkId)?.flow();
      return flow ? outerAddress(externalAddress, flow.local().address) : externalAddress;
    },
    counters: () => ({
      ...wire.counters(),
      refusedBusy,
      openCalls: calls.size,
      openTransactions: transactions.openCount,
    }),
    async stop(drainMs) {
      if (isStopping) return;
      isStopping = true;
      goodbyes.stop();
      for (const callId of calls.ids()) calls.get(callId)?.hangUp("shutting down");
      await new Promise<void>((resolve) => {
        const cancelLimit = clock.after(drainMs, resolve);
        // Trunks last: the calls say goodbye over their connections.
        void calls
          .emptied()
          .then(() => trunks.close())
          .then(() => {
            cancelLimit();
            resolve();
          });
      });
      // Whoever did not confirm in time is reported all the same: `ended` always comes.
      const message = "Ringward stopped before the other side confirmed the end.";
      for (const callId of calls.ids()) {
        calls.remove(callId);
        listener.ended(callId, { by: "us", outcome: "interrupted", sipCode: null, message, atMs: clock.now() });
      }
      wire.close();
    },
  };
}
