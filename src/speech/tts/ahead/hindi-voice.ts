// The Hindi voice as the main thread knows it: started when Hindi is first wanted, told what will be said, and asked whether
// that is ready, so that nobody is rung to hear silence.
import { MINUTE_MS, type Clock } from "../../../core/clock.ts";
import type { Logger } from "../../../core/logger.ts";
import type { WorkerPort } from "../../../core/worker-port.ts";
import { hindiVoiceNamed } from "../kokoro/voices.ts";
import type { FromSpeechWorker, ToSpeechWorker } from "../protocol.ts";
import { createSpeech, type Speech } from "../speech.ts";
import { createAheadRequests } from "./ahead-requests.ts";
import { isLive } from "./role.ts";

/** A worker that died is started again within seconds; calls wait no longer than this for it. */
const LONGEST_DOWN_MS = 2 * MINUTE_MS;

export interface HindiVoice {
  /** Why nobody can be spoken to in Hindi, as a sentence; null where they can. */
  fault(): string | null;
  /** Whether these clauses can be said without anybody waiting for them. Those that cannot are made from now on. */
  isReady(clauses: readonly string[], voice: string): boolean;
  /** To be made when there is nothing else to do, and kept for good: lines that say nothing of any person. */
  stock(clauses: readonly string[], voice: string): void;
  /** Gives a line worker its way to the voice. Ends with the answer. */
  serve(give: (port: MessagePort) => void): () => void;
  /** Clauses that are still to be made, and what a second of speech takes; null before it was measured. */
  status(): { waiting: number; workSeconds: number | null };
  stop(): Promise<void>;
}

export interface HindiVoiceOptions {
  clock: Clock;
  logger: Logger;
  startWorker: (role: "hindiMaker" | "hindiShelf") => WorkerPort<ToSpeechWorker, FromSpeechWorker>;
  /** Why there is no use in trying, as a sentence; null where there is. */
  reason: string | null;
}

export function createHindiVoice(options: HindiVoiceOptions): HindiVoice {
  return new KeptHindiVoice(options);
}

class KeptHindiVoice implements HindiVoice {
  readonly #options: HindiVoiceOptions;
  readonly #requests;
  /** Who wants its way to the shelf, and what ends that; null before there is one. */
  readonly #gives = new Map<(port: MessagePort) => void, (() => void) | null>();
  #maker: Speech | null = null;
  #shelf: Speech | null = null;
  #endIntroduction = (): void => {};
  #workSeconds: number | null = null;
  #wasReady = false;
  #downSince: number | null = null;

  constructor(options: HindiVoiceOptions) {
    this.#options = options;
    this.#requests = createAheadRequests(options.clock);
  }

  fault(): string | null {
    const { clock, reason } = this.#options;
    const isGone = this.#downSince !== null && clock.elapsedMs() - this.#downSince > LONGEST_DOWN_MS;
    const isDown = isGone || (this.#downSince !== null && !this.#wasReady);
    return reason ?? (isDown ? (this.#maker?.status().message ?? null) : null);
  }

  isReady(clauses: readonly string[], setting: string): boolean {
    this.#start();
    // Nothing to wait for: who dials is told so, and decides.
    if (this.fault() !== null) return true;
    if (this.#shelf?.status().worker !== "running" || this.#workSeconds === null) return false;
    if (isLive(this.#workSeconds)) return true;
    const voice = hindiVoiceNamed(setting);
    const missing = clauses.filter((clause) => !this.#requests.isMade(clause, voice));
    for (const clause of missing) this.#requests.ask(clause, voice, "due");
    return missing.length === 0;
  }

  stock(clauses: readonly string[], setting: string): void {
    if (this.#options.reason !== null) return;
    this.#start();
    const voice = hindiVoiceNamed(setting);
    for (const clause of clauses)
      if (!this.#requests.isStocked(clause, voice)) this.#requests.ask(clause, voice, "stock");
  }

  serve(give: (port: MessagePort) => void): () => void {
    this.#gives.set(give, this.#shelf?.serve(give) ?? null);
    return () => {
      this.#gives.get(give)?.();
      this.#gives.delete(give);
    };
  }

  status(): { waiting: number; workSeconds: number | null } {
    return { waiting: this.#requests.waiting, workSeconds: this.#workSeconds };
  }

  async stop(): Promise<void> {
    await Promise.all([this.#maker?.stop(), this.#shelf?.stop()]);
  }

  #start(): void {
    const { clock, logger, startWorker, reason } = this.#options;
    if (this.#maker || reason !== null) return;
    this.#maker = createSpeech({
      clock,
      logger,
      name: "The Hindi voice",
      startWorker: () => startWorker("hindiMaker"),
      heard: (message) => this.#heard(message),
      died: () => void (this.#downSince ??= clock.elapsedMs()),
    });
    this.#shelf = createSpeech({
      clock,
      logger,
      name: "The Hindi voice's shelf",
      startWorker: () => startWorker("hindiShelf"),
      heard: ({ type }) => type === "ready" && this.#introduce(),
      died: () => this.#requests.forget(),
    });
    this.#shelf.serve(this.#requests.connect);
    for (const give of this.#gives.keys()) this.#gives.set(give, this.#shelf.serve(give));
  }

  /** A new shelf knows no maker, and a new maker no shelf. */
  #introduce(): void {
    this.#endIntroduction();
    const end = this.#maker?.serve((port) => this.#shelf?.post({ type: "maker", port }, [port]));
    this.#endIntroduction = end ?? (() => {});
  }

  #heard(message: FromSpeechWorker): void {
    if (message.type === "ready") [this.#wasReady, this.#downSince] = [true, null];
    if (message.type !== "paced") return;
    this.#workSeconds = message.workSeconds;
    this.#options.logger.info("Hindi is spoken.", {
      work_seconds_a_second: Math.round(message.workSeconds * 100) / 100,
      made: isLive(message.workSeconds) ? "live" : "ahead",
    });
  }
}
