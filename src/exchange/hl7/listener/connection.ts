// One connection of a sender: frames in, answers out, one message after the other. A sender that is too fast, or whose
// answers are not read, is read more slowly.
import { createTurns, SECOND_MS, type Clock } from "../../../core/clock.ts";
import { messageOf } from "../../../core/errors.ts";
import type { Logger } from "../../../core/logger.ts";
import { Hl7Fault } from "../message/fault.ts";
import { messagesIn } from "../message/message.ts";
import { createFraming, framed, type Received as Frame } from "../mllp.ts";
import type { Received, Receiver } from "../receiver.ts";

export interface ConnectionLimits {
  mostBytes: number;
  /** Messages that a connection may send in a second. */
  perSecond: number;
  /** Without any byte. */
  idleMs: number;
  /** From the first byte of a message to its last, and for the handshake of TLS. */
  frameMs: number;
  /** Without any byte, after which a connection gives way to a new one if all are in use. */
  quietMs: number;
}

export interface ConnectionDeps {
  clock: Clock;
  logger: Logger;
  receiver: Pick<Receiver, "receive" | "refuse">;
  limits: ConnectionLimits;
  /** Each message, for figures. */
  received: (received: Pick<Received, "code" | "outcome">) => void;
}

/** What a connection needs of its socket. */
export interface Wire {
  write(bytes: Uint8Array): number;
  pause(): void;
  resume(): void;
  terminate(): void;
}

/** Frames that wait before the socket is paused. */
const MOST_WAITING = 16;
const NO_BYTES = new Uint8Array(0);
/** A message that is longer than this many times the limit is not read to its end. */
const MOST_SKIPPED = 64;
/** Answers that the sender has not read. */
const MOST_UNSENT_BYTES = 256 * 1024;
/** After a fault of the appliance, so that a sender does not repeat at once what failed. */
const FAULT_PAUSE_MS = SECOND_MS;

export class SenderConnection {
  readonly #framing;
  readonly #frames: Frame[] = [];
  #unsent: Buffer = Buffer.alloc(0);
  #isWorking = false;
  #isPaused = false;
  #isClosed = false;
  #isStopping = false;
  #idle = () => {};
  #frameEnd: (() => void) | null = null;
  #allowance: number;
  #countedAtMs: number;
  #heardAtMs: number;
  readonly #turns = createTurns();
  readonly #done = Promise.withResolvers<void>();

  constructor(
    private readonly deps: ConnectionDeps,
    private readonly wire: Wire,
    readonly address: string,
  ) {
    this.#framing = createFraming(deps.limits.mostBytes);
    this.#allowance = deps.limits.perSecond;
    this.#countedAtMs = this.#heardAtMs = deps.clock.elapsedMs();
    this.#watchIdle();
  }

  /** Since the last byte; 0 while a message is in work. */
  get quietMs(): number {
    return this.#isWorking ? 0 : this.deps.clock.elapsedMs() - this.#heardAtMs;
  }

  heard(bytes: Uint8Array): void {
    if (this.#isClosed || this.#isStopping) return;
    this.#heardAtMs = this.deps.clock.elapsedMs();
    this.#watchIdle();
    const before = this.#frames.length;
    this.#read(bytes);
    // Each message has its own time.
    if (this.#frames.length > before) this.#endFrame();
    this.#watchFrame();
    void this.#work();
  }

  /** Closes it for a newer connection. */
  retire(): void {
    this.#close("A newer connection needs its place.");
  }

  #read(bytes: Uint8Array): void {
    const { mostBytes } = this.deps.limits;
    for (const frame of this.#framing.take(bytes, MOST_WAITING - this.#frames.length)) this.#frames.push(frame);
    if (this.#framing.size > mostBytes * MOST_SKIPPED) this.#close("A message was far too long.");
    if (this.#framing.skipped > mostBytes) this.#close("The sender does not put its messages into MLLP frames.");
    if (this.#frames.length >= MOST_WAITING || this.#framing.hasMore) this.#pause();
  }

  /** Time that passes while we do not read does not count. */
  #watchFrame(): void {
    const { clock, limits } = this.deps;
    if (!this.#framing.isInside || this.#isPaused || this.#isClosed) this.#endFrame();
    else this.#frameEnd ??= clock.after(limits.frameMs, () => this.#close("A message did not end in time."));
  }

  drained(): void {
    if (this.#unsent.length > 0) this.#send(Buffer.alloc(0));
    if (this.#unsent.length === 0) void this.#work();
  }

  closed(): void {
    this.#isClosed = true;
    this.#idle();
    this.#endFrame();
    this.#frames.length = 0;
    if (!this.#isWorking) this.#done.resolve();
  }

  /** Answers the message in work, drops the others (their sender repeats them), and closes. */
  stop(): Promise<void> {
    this.#isStopping = true;
    this.#frames.length = 0;
    if (!this.#isWorking) this.#close(null);
    return this.#done.promise;
  }

  #watchIdle(): void {
    const { clock, limits } = this.deps;
    this.#idle();
    this.#idle = clock.after(limits.idleMs, () => (this.#isWorking ? this.#watchIdle() : this.#close(null)));
  }

  #endFrame(): void {
    this.#frameEnd?.();
    this.#frameEnd = null;
  }

  #pause(): void {
    if (this.#isPaused) return;
    this.#isPaused = true;
    this.wire.pause();
  }

  async #work(): Promise<void> {
    if (this.#isWorking || this.#isOver()) return;
    this.#isWorking = true;
    try {
      while (!this.#isOver() && this.#unsent.length < MOST_UNSENT_BYTES) {
        const frame = this.#frames.shift();
        if (!frame) break;
        if (!(await this.#answer(frame))) break;
        if (this.#framing.hasMore && !this.#isOver() && !this.#isToStop()) this.#read(NO_BYTES);
      }
    } finally {
      this.#isWorking = false;
    }
    if (this.#isPaused && this.#frames.length < MOST_WAITING / 2 && !this.#framing.hasMore && !this.#isOver()) {
      this.#isPaused = false;
      this.wire.resume();
      this.#watchFrame();
    }
    if (this.#isToStop()) this.#close(null);
    if (this.#isOver()) this.#done.resolve();
  }

  /** Asked anew after every wait. */
  #isOver(): boolean {
    return this.#isClosed;
  }

  #isToStop(): boolean {
    return this.#isStopping;
  }

  /** Returns false if the connection ends here. */
  async #answer(frame: Frame): Promise<boolean> {
    const { clock, logger } = this.deps;
    try {
      for (const received of this.#receivedIn(frame)) {
        await this.#paced();
        if (this.#isOver()) return false;
        this.#tell(await received());
        if (this.#isToStop()) break;
      }
      return true;
    } catch (error) {
      logger.error("An HL7 message could not be processed; its sender repeats it.", { error: messageOf(error) });
      await new Promise<void>((resume) => clock.after(FAULT_PAUSE_MS, resume));
      this.#close(null);
      return false;
    }
  }

  /** A frame may have several messages; a frame that is no message is answered too. */
  #receivedIn(frame: Frame): (() => Received | Promise<Received>)[] {
    const { receiver, limits } = this.deps;
    if (frame.kind === "too_long") {
      const reason = `The message has more than ${limits.mostBytes} bytes.`;
      return [() => receiver.refuse(frame.head, new Hl7Fault("AR", 207, null, reason))];
    }
    try {
      return messagesIn(frame.bytes).map((bytes) => () => receiver.receive(bytes, { address: this.address }));
    } catch (error) {
      if (error instanceof Hl7Fault) return [() => receiver.refuse(frame.bytes, error)];
      throw error;
    }
  }

  #tell(received: Received): void {
    this.deps.received(received);
    if (received.outcome === "refused")
      this.deps.logger.warn("An HL7 message was refused.", {
        source_id: received.sourceId,
        code: received.code,
        reason: received.reason,
        peer: this.address,
      });
    this.#send(framed(received.answer));
  }

  #send(bytes: Buffer): void {
    if (this.#isClosed) return;
    const whole = this.#unsent.length === 0 ? bytes : Buffer.concat([this.#unsent, bytes]);
    const written = Math.max(0, this.wire.write(whole));
    this.#unsent = whole.subarray(written);
  }

  /** Waits until the sender may have another message, and lets other work of this thread go first. */
  async #paced(): Promise<void> {
    const { clock, limits } = this.deps;
    await this.#turns();
    const nowMs = clock.elapsedMs();
    const earned = ((nowMs - this.#countedAtMs) * limits.perSecond) / SECOND_MS;
    this.#allowance = Math.min(limits.perSecond, this.#allowance + earned) - 1;
    this.#countedAtMs = nowMs;
    if (this.#allowance >= 0) return;
    const waitMs = (-this.#allowance * SECOND_MS) / limits.perSecond;
    await new Promise<void>((resume) => clock.after(waitMs, resume));
  }

  #close(reason: string | null): void {
    if (this.#isClosed) return;
    if (reason !== null) this.deps.logger.warn("An HL7 connection was closed.", { reason, peer: this.address });
    this.closed();
    this.wire.terminate();
  }
}
