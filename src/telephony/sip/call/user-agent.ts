// Ringward's SIP user agent: makes and accepts calls over the configured trunks, and reports their progress.
//
//   const agent = await createUserAgent({ clock, logger, ids, bind: { address: "0.0.0.0", port: 5060 },
//     externalAddress: null, trunks, makeMedia: (callId, preferred) => mediaPort, listener });
//   agent.invite({ callId, trunkId, from, to, ringTimeoutMs: 30_000, codecOrder: ["PCMA", "PCMU"] });
//   // listener: trying → ringing → answered → ended; makeMedia's port: negotiated at early media, answer and hold
//   agent.hangUp(callId);
//   await agent.stop(2_000);
//
// It needs no database and no HTTP, and can run in a Worker. Only messages from addresses of trunks are processed:
// everything else is dropped without a response. Only the caller of this API can make it dial (REFER and redirects are
// not followed). Layers: message → transport → transaction → dialog → call → this file, which only connects them.
import type { CertificatePair } from "../../../core/certificate.ts";
import { timeSince, type Clock } from "../../../core/clock.ts";
import type { Ids } from "../../../core/ids.ts";
import type { Logger } from "../../../core/logger.ts";
import { canReach, outerAddress } from "../transport/addresses.ts";
import { createCallBook } from "./call-book.ts";
import { createGoodbyes, type Goodbyes } from "./goodbyes.ts";
import { IncomingCalls } from "./incoming-calls.ts";
import { OpenCalls } from "./open-calls.ts";
import { startOutboundCall } from "./outbound-call.ts";
import { answerOutOfDialog } from "./out-of-dialog.ts";
import { replyTo } from "../transaction/reply.ts";
import { createSystemResolver, type Resolver } from "../trunk/dns.ts";
import type { Codec } from "../../../audio/codec.ts";
import type { KeptDialog } from "./dialog.ts";
import type { ServerTransaction } from "../transaction/server-transaction.ts";
import { RFC_TIMERS, type SipTimers } from "../transaction/timers.ts";
import type { Endpoint, Flow } from "../transport/flow.ts";
import type { TrunkRefusal } from "../../../trunks/trunk-addresses.ts";
import { createTrunkSet, type TrunkSet } from "../trunk/trunk-set.ts";
import type { Trunk } from "../trunk/trunk-port.ts";
import type { InviteOrder, MediaPort, UserAgent, UserAgentCounters, UserAgentListener } from "./user-agent-port.ts";
import { LONGEST_WAIT_MS, TOO_LATE } from "../trunk/call-pace.ts";
import { openWire, type Wire } from "../transaction/wire.ts";
import type { TlsListening } from "../transport/stream-listener.ts";
import type { TrunkSettings, TrunkState } from "../../../trunks/trunk-settings.ts";

export interface UserAgentOptions {
  clock: Clock;
  logger: Logger;
  ids: Ids;
  /** Port 0 selects a free one. TCP trunks reach us on the same port number. */
  bind: Endpoint;
  /** Listener for TLS connections opened by trunks; off by default. */
  tls?: TlsListening | null;
  /** Our address as the trunks see it, behind a NAT or in a container; null to detect it. */
  externalAddress: string | null;
  trunks: readonly TrunkSettings[];
  /** Refused addresses of trunks. */
  refusal: TrunkRefusal;
  makeMedia: (callId: string, preferred: Codec) => MediaPort;
  listener: UserAgentListener;
  timers?: SipTimers;
  resolver?: Resolver;
}

const DIALLABLE = /^\+?[A-Za-z0-9*#._-]{1,64}$/;
const SIP_URI = /^sips?:[^\s<>"]+$/i;
const RANDOM_BYTES = 12;
const WITHOUT_MEANS = {
  by: "us",
  outcome: "infrastructure_error",
  sipCode: null,
  message: "The call could not begin: its trunk is gone, or there is no media port left.",
  isOurFault: true,
  putBack: true,
} as const;
const TOO_LATE_BY_US = { by: "us", outcome: TOO_LATE.code, sipCode: null, isOurFault: true, ...TOO_LATE } as const;
const GIVEN_UP_WAITING = {
  by: "us",
  outcome: "interrupted",
  sipCode: null,
  message: "We gave the call up.",
} as const;

export async function createUserAgent(options: UserAgentOptions): Promise<UserAgent> {
  const { clock, logger, ids, listener, externalAddress } = options;
  const timers = options.timers ?? RFC_TIMERS;
  const randomText = () => ids.secret(RANDOM_BYTES);
  const book = createCallBook((callId, entry) => listener.trace(callId, entry));
  const wire = await openWire({
    clock,
    logger,
    timers,
    randomText,
    bind: options.bind,
    tls: options.tls ?? null,
    isKnown: (address) => trunks.hears(address),
    trace: (message, flow, direction) => book.trace(message, flow, direction, clock.now()),
    onRequest: (transaction) => agent.requested(transaction),
    onFlowConnected: (flow) => trunks.flowConnected(flow),
    onFlowFailed: (flow, reason) => trunks.flowFailed(flow, reason),
    isSamePeer: (sent, came) => trunks.isSamePeer(sent, came),
    onAck: (ack, flow) => book.ofMessage(ack.callId, flow)?.acknowledged?.(ack),
  });
  const { transactions, send } = wire;
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
  const lineFreed = () => trunks.sweep();
  const calls = new OpenCalls({ ...options, timers, randomText, transactions, send, book, lineFreed });
  const incoming = new IncomingCalls({ clock, logger, ids, randomText, calls, listener });
  const agent = new SipUserAgent({
    clock,
    listener,
    externalAddress,
    randomText,
    wire,
    trunks,
    goodbyes,
    calls,
    incoming,
  });
  trunks.set(options.trunks);
  return agent;
}

interface Parts {
  clock: Clock;
  listener: UserAgentListener;
  externalAddress: string | null;
  randomText: () => string;
  wire: Wire;
  trunks: TrunkSet;
  goodbyes: Goodbyes;
  calls: OpenCalls;
  incoming: IncomingCalls;
}

class SipUserAgent implements UserAgent {
  readonly port: number;
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
    this.port = parts.wire.port;
  }

  invite(order: InviteOrder): void {
    const { clock, listener, trunks, calls, randomText } = this.#parts;
    const { callId } = order;
    if (calls.book.has(callId)) return;
    const trunk = trunks.find(order.trunkId);
    const refusal = refusalOf(order, trunk, calls.isStopping);
    if (refusal || !trunk) {
      const { code, ...why } = refusal ?? NO_SUCH_TRUNK;
      clock.after(0, () => {
        listener.ended(callId, { by: "us", outcome: code, sipCode: null, ...why, atMs: clock.now() });
      });
      return;
    }
    const context = calls.contextOf(callId, randomText(), trunk, true);
    trunk.callBegan();
    const takes = (flow: Flow) => trunk.takes(flow, trunk.settings.transport);
    calls.book.add(callId, context.sipCallId, takes, { hangUp: () => context.ended(GIVEN_UP_WAITING) });
    const waitedMs = timeSince(clock);
    const leaveQueue = trunk.pace.enter(() => {
      // A transfer is no call of the queue: nothing would judge it again.
      const isTooLate = waitedMs() > LONGEST_WAIT_MS && !order.isTransfer;
      const flow = isTooLate ? null : trunk.flow();
      const media = flow && calls.book.has(callId) && calls.openAudio(context, order.codecOrder, flow);
      if (media) calls.book.begin(callId, startOutboundCall(context, order, media, flow));
      else context.ended(isTooLate ? TOO_LATE_BY_US : WITHOUT_MEANS);
    });
    calls.book.whenRemoved(callId, leaveQueue);
  }

  hangUp(callId: string, reason = "normal clearing"): void {
    this.#parts.calls.book.get(callId)?.hangUp(reason);
  }

  endLeft(dialogs: readonly KeptDialog[]): void {
    this.#parts.goodbyes.say(dialogs);
  }

  refer(callId: string, target: string): void {
    const { calls, listener } = this.#parts;
    const call = calls.book.get(callId);
    if (SIP_URI.test(target) || DIALLABLE.test(target)) call?.refer?.(target);
    else if (call) listener.transferProgress(callId, { state: "refused", sipCode: null });
  }

  answerInbound(callId: string, codecOrder: readonly Codec[]): void {
    this.#parts.incoming.answer(callId, codecOrder);
  }

  rejectInbound(callId: string, sipCode: number): void {
    this.#parts.incoming.reject(callId, sipCode);
  }

  renewCertificate(certificate: CertificatePair): void {
    this.#parts.wire.renewCertificate(certificate);
  }

  setTrunks(settings: readonly TrunkSettings[]): void {
    this.#parts.trunks.set(settings);
  }

  trunkStates(): TrunkState[] {
    return this.#parts.trunks.states();
  }

  addressTowards(trunkId: string): string | null {
    const { trunks, externalAddress } = this.#parts;
    const flow = trunks.find(trunkId)?.flow();
    return flow ? outerAddress(externalAddress, flow.local().address) : externalAddress;
  }

  counters(): UserAgentCounters {
    const { wire, calls, incoming } = this.#parts;
    return {
      ...wire.counters(),
      refusedBusy: incoming.refusedBusy,
      openCalls: calls.book.size,
      openTransactions: wire.transactions.openCount,
    };
  }

  async stop(drainMs: number): Promise<void> {
    const { clock, listener, wire, goodbyes, calls } = this.#parts;
    if (calls.isStopping) return;
    calls.isStopping = true;
    goodbyes.stop();
    for (const callId of calls.book.ids()) this.hangUp(callId, "shutting down");
    await this.#drained(drainMs);
    // Calls without confirmation in time are reported too: `ended` always comes.
    const message = "Ringward stopped before the other side confirmed the end.";
    for (const callId of calls.book.ids()) {
      calls.book.remove(callId);
      listener.ended(callId, { by: "us", outcome: "interrupted", sipCode: null, message, atMs: clock.now() });
    }
    wire.close();
  }

  #drained(withinMs: number): Promise<void> {
    const { clock, trunks, calls } = this.#parts;
    return new Promise((resolve) => {
      const cancelLimit = clock.after(withinMs, resolve);
      // Trunks last: the calls send BYE over their connections.
      void calls.book
        .emptied()
        .then(() => trunks.close())
        .then(() => {
          cancelLimit();
          resolve();
        });
    });
  }

  /** From the wire: a request of a trunk. */
  requested(transaction: ServerTransaction): void {
    const { wire, trunks, calls, incoming, randomText } = this.#parts;
    const { request, flow } = transaction;
    if (request.method === "CANCEL") {
      const invite = wire.transactions.inviteOf(request);
      incoming.cancelled(transaction, invite && trunks.isSamePeer(invite.flow, flow) ? invite : undefined);
      return;
    }
    if (request.to.parameters["tag"] !== undefined) {
      const call = calls.book.ofMessage(request.callId, flow);
      if (call?.handle) call.handle(transaction);
      else transaction.respond(replyTo(request, 481));
      return;
    }
    const trunk = trunks.callerOf(request, flow);
    // The address belongs to a trunk, but no trunk accepts calls over this transport.
    if (!trunk && trunks.owns(flow.remote.address)) transaction.respond(replyTo(request, 403, { toTag: randomText() }));
    else if (!trunk) transaction.dispose();
    else if (request.method === "INVITE") incoming.invited(transaction, trunk);
    else answerOutOfDialog(transaction, randomText());
  }
}

type Refusal = NonNullable<ReturnType<Trunk["refusal"]>>;

const NO_SUCH_TRUNK: Refusal = {
  code: "infrastructure_error",
  message: "No trunk of this name is configured.",
  putBack: true,
};

/** Why the call cannot start; null if it can. */
function refusalOf(
  { from, to, isTransfer = false }: InviteOrder,
  trunk: Trunk | undefined,
  isStopping: boolean,
): Refusal | null {
  if (isStopping) return { code: "interrupted", message: "Ringward is stopping." };
  if (!DIALLABLE.test(to) || !DIALLABLE.test(from))
    return { code: "invalid_number", message: "The number holds characters that cannot be dialled." };
  return trunk ? trunk.refusal(to, isTransfer) : NO_SUCH_TRUNK;
}
