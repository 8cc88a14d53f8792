// The SIP carrier in the main thread. The worker runs the calls; this side tracks which calls are active, relays the
// questions of their agents, and reports the calls as failed if the worker dies.
import type { CertificatePair } from "../../../core/certificate.ts";
import type { Clock } from "../../../core/clock.ts";
import type { Logger } from "../../../core/logger.ts";
import type { LineMessage } from "../../line-report.ts";
import type { Arrival, CallOrder, Carrier, CarrierListener, TrunkLines } from "../../port.ts";
import { createCarriedCalls, type CarriedCall, type CarriedCalls } from "./carried-calls.ts";
import { createDialledIds } from "../../dialled-ids.ts";
import { createClipDelivery, type ClipDelivery } from "./clip-delivery.ts";
import { createSupervisor, type Supervisor, type WorkerStatus } from "../../../core/worker-supervisor.ts";
import { NOT_TAKEN_UP, NO_TRUNK, NO_WORKER, STOPPED, WORKER_DIED, type Reason } from "./reasons.ts";
import { createRoom, type Room } from "./room.ts";
import { createTrunkBoard, type TrunkBoard } from "./trunk-board.ts";
import type { WorkerPort } from "../../../core/worker-port.ts";
import { createPortPool } from "../../rtp/ports.ts";
import type { FromWorker, ToWorker, WorkerSettings } from "./protocol.ts";
import type { KeptDialog } from "../call/dialog.ts";
import type { TrunkSettings, TrunkState } from "../../../trunks/trunk-settings.ts";

export interface SipCarrierOptions {
  clock: Clock;
  logger: Logger;
  startWorker: () => WorkerPort<ToWorker, FromWorker>;
  settings: WorkerSettings;
  /** How long calls may finish when the carrier is stopped. */
  drainMs: number;
  /** By the key of a clip. */
  loadClip: (key: string) => Promise<Int16Array>;
  trunkStateChanged?: (state: TrunkState) => void;
  /** A trunk accepts calls again, or for the first time: waiting calls may be dialled. */
  woken?: () => void;
  /** Only `start` starts the worker. */
  startsLater?: boolean;
}

export interface SipCarrierStatus extends WorkerStatus {
  /** SIP port; null while it is not listening. */
  port: number | null;
  /** Send lag of audio, 99th percentile. */
  lagP99Ms: number;
  droppedStrangers: number;
  droppedMalformed: number;
  /** Calls rejected with 486. */
  refusedBusy: number;
}

export interface SipCarrier extends Carrier {
  /** No effect if it started automatically. */
  start(): void;
  /** Enabled trunks only. May be called at any time; calls on removed trunks finish first. */
  setTrunks(trunks: readonly TrunkSettings[]): void;
  /** Certificate of the TLS listener, for connections that trunks open from now on. */
  renewCertificate(certificate: CertificatePair): void;
  trunkStates(): TrunkState[];
  /** The ladder of an active call; null if there is no such call. */
  traceOf(callId: string): readonly LineMessage[] | null;
  status(): SipCarrierStatus;
  /** Ends calls at their trunks that an earlier process reported as `legKept` and did not end. */
  endLeft(legs: readonly string[]): void;
}

const REJECTIONS: Record<Parameters<Arrival["reject"]>[0], number> = {
  unknown_number: 404,
  no_line: 486,
  unavailable: 480,
};

export function createSipCarrier(options: SipCarrierOptions): (listener: CarrierListener) => SipCarrier {
  return (listener) => new OverSip(options, listener);
}

class OverSip implements SipCarrier {
  readonly name = "sip";
  readonly lines: number;
  readonly #options: SipCarrierOptions;
  readonly #listener: CarrierListener;
  readonly #calls: CarriedCalls;
  readonly #trunks: TrunkBoard;
  readonly #clips: ClipDelivery;
  readonly #room: Room;
  readonly #supervisor: Supervisor<ToWorker>;
  readonly #dialledIds = createDialledIds();
  #openTrunks = new Set<string>();
  #figures = { lagP99Ms: 0, droppedStrangers: 0, droppedMalformed: 0, refusedBusy: 0 };
  #port: number | null = null;
  #settings: WorkerSettings;
  /** Calls left open at their trunks; passed to the next worker. */
  #left: KeptDialog[] = [];
  #stopping: Promise<void> | null = null;

  constructor(options: SipCarrierOptions, listener: CarrierListener) {
    const { clock, logger, settings } = options;
    this.#options = options;
    this.#trunks = createTrunkBoard(clock.elapsedMs);
    this.#settings = settings;
    this.#listener = listener;
    this.lines = createPortPool(settings.rtpPorts).size;
    this.#calls = createCarriedCalls(clock, {
      ...listener,
      ended: (callId, end) => {
        // It will be dialled again under the same id.
        if (end.kind === "failed" && end.putBack) this.#dialledIds.forget(callId);
        listener.ended(callId, end);
      },
    });
    this.#clips = createClipDelivery(options.loadClip, (message) => this.#supervisor.post(message), logger);
    this.#room = createRoom(clock, (message) => this.#supervisor.post(message));
    this.#supervisor = createSupervisor({
      clock,
      logger,
      name: "The telephony part of the appliance",
      startWorker: options.startWorker,
      firstMessage: () => ({ type: "start", settings: this.#settings, trunks: this.#trunks.settings }),
      heard: (message) => this.#heard(message),
      died: () => this.#workerDied(),
      startsLater: options.startsLater === true,
    });
  }

  start(): void {
    this.#supervisor.start();
  }

  trunkLines(trunkId: string | null): TrunkLines {
    if (this.#stopping) return { kind: "closed", reason: "trunk_unavailable", until: null };
    const liveCalls = trunkId === null ? 0 : this.#calls.countOn(trunkId);
    const { lagP99Ms } = this.#figures;
    return this.#trunks.trunkLines(trunkId, { status: this.#supervisor.status(), lagP99Ms, liveCalls });
  }

  async makeRoom(calls: number): Promise<number> {
    // The trunk states tell why nothing can be dialled now.
    if (this.#stopping || this.#supervisor.status().worker !== "running") return calls;
    // Dialled calls whose clips are still being sent to the worker: each still needs its ports.
    const preparing = this.#calls
      .all()
      .filter(({ stage, direction }) => stage === "preparing" && direction === "outbound");
    return Math.max(0, (await this.#room.ask(calls + preparing.length)) - preparing.length);
  }

  dial(order: CallOrder): void {
    const { callId, trunkId } = order;
    if (this.#stopping || this.#dialledIds.has(callId)) {
      const reason = this.#stopping ? "stopped" : "dialled_before";
      this.#options.logger.error("SIP refuses to dial", { call_id: callId, reason });
      return;
    }
    this.#dialledIds.add(callId);
    if (trunkId !== null) this.#trunks.dialled(trunkId);
    const call = this.#calls.add(callId, trunkId ?? "", order);
    // A trunk that went down since the check of its lines rejects the call itself, with the reason.
    if (trunkId === null) this.#breakOffSoon(call, NO_TRUNK);
    else if (this.#supervisor.status().worker !== "running") this.#breakOffSoon(call, NO_WORKER);
    else this.#order(call, order);
  }

  hangUp(callId: string): void {
    const call = this.#calls.get(callId);
    if (call?.stage === "ordered") this.#supervisor.post({ type: "hangUp", callId });
    else if (call?.order) this.#breakOffSoon(call, NOT_TAKEN_UP);
  }

  stop(): Promise<void> {
    return (this.#stopping ??= this.#stop());
  }

  setTrunks(trunks: readonly TrunkSettings[]): void {
    this.#trunks.set(trunks);
    this.#supervisor.post({ type: "trunks", trunks });
    this.#noteOpenTrunks();
  }

  renewCertificate(certificate: CertificatePair): void {
    const { tls } = this.#settings;
    if (tls === null) return;
    this.#settings = { ...this.#settings, tls: { ...tls, ...certificate } };
    this.#supervisor.post({ type: "certificate", certificate });
  }

  trunkStates(): TrunkState[] {
    return this.#trunks.states(this.#supervisor.status());
  }

  traceOf(callId: string): readonly LineMessage[] | null {
    return this.#calls.get(callId)?.trace ?? null;
  }

  status(): SipCarrierStatus {
    return { ...this.#supervisor.status(), ...this.#figures, port: this.#port };
  }

  endLeft(legs: readonly string[]): void {
    this.#left.push(...legs.map((leg) => JSON.parse(leg) as KeptDialog));
    if (this.#supervisor.status().worker === "running") this.#endLeft();
  }

  #endLeft(): void {
    const dialogs = this.#left.splice(0);
    if (dialogs.length > 0) this.#supervisor.post({ type: "endLeft", dialogs });
  }

  async #stop(): Promise<void> {
    // Calls that the worker does not have yet can be ended here at once.
    const unheardOf = this.#calls.all().filter(({ stage, order }) => stage !== "ordered" && order !== null);
    for (const call of unheardOf) this.#calls.brokeOff(call, STOPPED);
    const { drainMs } = this.#options;
    await this.#supervisor.stop({ type: "stop", drainMs }, drainMs);
    for (const call of this.#calls.all()) this.#calls.brokeOff(call, STOPPED);
  }

  /** Sends the clips first. A call that ended meanwhile, or whose worker did, is not ordered. */
  #order(call: CarriedCall, order: CallOrder): void {
    const { trunkId, direction } = call;
    void this.#clips.deliver(
      order.clips.map(({ key }) => key),
      (delivered) => {
        if (!this.#calls.isLive(call) || call.stage !== "preparing") return;
        call.stage = "ordered";
        const clips = order.clips.filter(({ key }) => delivered.has(key));
        const type = direction === "outbound" ? "dial" : "accept";
        this.#supervisor.post({ type, order: { ...order, clips, trunkId, direction } });
      },
    );
  }

  #heard(message: FromWorker): void {
    switch (message.type) {
      case "log":
        this.#options.logger[message.level](message.message, message.fields);
        break;
      case "trace":
        this.#calls.traced(message.callId, message.message);
        break;
      case "arrived":
        this.#arrived(message);
        break;
      case "ringing":
        this.#calls.ringing(message.callId);
        break;
      case "answered":
        this.#calls.answered(message.callId);
        break;
      case "dialogKept":
        this.#calls.dialogKept(message.callId, message.kept);
        break;
      case "ended":
        this.#calls.ended(message.callId, message.end);
        break;
      case "held":
        this.#room.answered(message);
        break;
      case "ask":
        void this.#answer(message);
        break;
      case "trunkState":
        this.#trunks.seen([message.state]);
        this.#options.trunkStateChanged?.(message.state);
        this.#noteOpenTrunks();
        break;
      case "beat":
        this.#beat(message);
        break;
      case "ready":
        this.#port = message.port;
        this.#endLeft();
        this.#options.woken?.();
        break;
      case "cannotStart":
      case "stopped":
    }
  }

  #beat({ lagP99Ms, counters, trunkStates }: Extract<FromWorker, { type: "beat" }>): void {
    const { droppedStrangers, droppedMalformed, refusedBusy } = counters;
    this.#figures = { lagP99Ms, droppedStrangers, droppedMalformed, refusedBusy };
    this.#trunks.seen(trunkStates);
    this.#noteOpenTrunks();
  }

  #arrived({ callId, trunkId, from, to, isToAccount }: Extract<FromWorker, { type: "arrived" }>): void {
    if (this.#calls.all().length >= this.lines) {
      // Every audio port is in use: the call would ring only to be dropped.
      this.#options.logger.info("A call was not taken: every audio port is in use.", { trunk_id: trunkId });
      this.#reject(callId, REJECTIONS.no_line);
      return;
    }
    const call = this.#calls.add(callId, trunkId, null);
    const isUndecided = () => this.#calls.isLive(call) && call.order === null;
    this.#listener.arrived({
      callId,
      trunkId,
      from,
      to,
      isToAccount,
      accept: (order) => {
        if (!isUndecided()) return;
        call.order = order;
        this.#order(call, order);
      },
      reject: (why) => {
        if (!isUndecided()) return;
        this.#calls.forget(callId);
        this.#reject(callId, REJECTIONS[why]);
      },
    });
  }

  #reject(callId: string, sipCode: number): void {
    this.#supervisor.post({ type: "reject", callId, sipCode });
  }

  /** The listener has logged a failure; the reason is not passed on. */
  async #answer({ askId, callId, question }: Extract<FromWorker, { type: "ask" }>): Promise<void> {
    const answer = await this.#listener.asked(callId, question).then(
      (value) => ({ value }),
      () => ({ failed: true }) as const,
    );
    this.#supervisor.post({ type: "answer", askId, answer });
  }

  #workerDied(): void {
    this.#port = null;
    this.#trunks.lost();
    this.#clips.workerIsNew();
    this.#room.lost();
    this.#openTrunks.clear();
    this.#left.push(...this.#calls.all().flatMap(({ dialog }) => dialog ?? []));
    for (const call of this.#calls.all()) this.#calls.brokeOff(call, this.#stopping ? STOPPED : WORKER_DIED);
    for (const state of this.trunkStates()) this.#options.trunkStateChanged?.(state);
  }

  /** Deferred as on a real line: the caller of dial or hangUp may be in the middle of something. */
  #breakOffSoon(call: CarriedCall, reason: Reason): void {
    if (call.stage === "leaving") return;
    call.stage = "leaving";
    if (call.direction === "inbound") this.#reject(call.callId, REJECTIONS.unavailable);
    this.#options.clock.after(0, () => this.#calls.brokeOff(call, reason));
  }

  #noteOpenTrunks(): void {
    const open = this.#trunks.settings.map(({ id }) => id).filter((id) => this.trunkLines(id).kind === "open");
    const isNews = open.some((id) => !this.#openTrunks.has(id));
    this.#openTrunks = new Set(open);
    if (isNews) this.#options.woken?.();
  }
}
