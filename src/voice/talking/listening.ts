// Listening on one call: frames go to voice activity detection and echo detection, the turn machine decides, and its
// commands are executed. If detection fails, only silence and keys remain.
import { within } from "../../core/within.ts";
import type { Ear, Recognised } from "../../speech/ears/port.ts";
import { lazily } from "../../core/lazily.ts";
import { createEchoWatch } from "../turns/echo.ts";
import { createBeepWatch } from "./beep.ts";
import { FIRST_LOOK_MS, LAST_LOOK_MS, SECOND_LOOK_MS, type Loudness } from "./background.ts";
import { GUESSED, type OverUs } from "./hearing-words.ts";
import type { HearingTimes, Listening, ListeningOptions } from "./listening-port.ts";
import { createForeground } from "../turns/foreground.ts";
import { createHoles } from "../turns/holes.ts";
import { nextHush, NO_HUSH } from "../turns/hush.ts";
import type { HeardTurn, TurnCommand, TurnEvent } from "../turns/turn-model.ts";
import { FIRST_TURN_STATE, nextTurnMove, wakeAtMs } from "../turns/turns.ts";

const FRAME_MS = 20;
/** The callee's "hello" overlaps our greeting and must not interrupt it. */
const HELLO_MS = 1_000;
/** Margin for the recogniser, as in the turn machine; detection may lag by UNJUDGED_MS at the end. */
const LAST_MARGIN_MS = 100;
const UNJUDGED_MS = 300;
const SILENCE = new Int16Array(8 * FRAME_MS);
/** Same threshold as in the turn machine. */
const VOICE = 0.5;
/**
 * Ongoing speech is recognised early at these times, because it may be a television. The agent has been silent since it
 * began, and callers take three seconds of silence for a dead line.
 */
const LOOKS_AFTER_MS = [FIRST_LOOK_MS, SECOND_LOOK_MS, LAST_LOOK_MS] as const;
/** Bounds the wait for a recogniser that is busy with other calls. */
const LOOK_MOST_MS = 1_000;
/** With background voices, the keys are offered after this much silence of the caller. */
const SILENCE_BESIDE_VOICES_MS = 6_000;

export function createListening(options: ListeningOptions): Listening {
  return new EarsOnCall(options);
}

class EarsOnCall implements Listening {
  readonly #options: ListeningOptions;
  /** Its buffers are not needed on calls without audio, such as simulated ones. */
  readonly #echo = lazily(createEchoWatch);
  readonly #beeps = createBeepWatch();
  readonly #holes = createHoles();
  readonly #foreground = createForeground();
  /** Early recognitions of the current segment, and whether one is running. */
  #looks = 0;
  #isLooking = false;
  #state = FIRST_TURN_STATE;
  #hush = NO_HUSH;
  #cancelWake = (): void => {};
  /** Start of the first frame, in ms since the answer. */
  #audioFromMs: number | null = null;
  #pausedAtMs = 0;
  #overUs: OverUs = "stops";
  #isHeld = false;
  #voiceAtMs = 0;
  #asked: { segment: number; startMs: number; finalMs: number | null } | null = null;
  #ear: Ear | null;

  constructor(options: ListeningOptions) {
    this.#options = options;
    const listener = {
      voice: (probability: number, atMs: number) => this.#voice(probability, atMs),
      alarm: (phrases: readonly string[], isSure: boolean) => this.#options.on.alarm(phrases, isSure),
      lost: () => this.#lost(),
    };
    this.#ear = options.ears?.open(listener) ?? null;
  }

  heardFrame(frame: Int16Array, lost: number): void {
    if (!this.#ear) return;
    this.#holes.tick(lost);
    this.#foreground.tick(frame);
    this.#audioFromMs ??= this.#options.nowMs() - FRAME_MS;
    this.#echo().tick(frame, this.#options.playedFrame());
    // Silence replaces hold music, so that audio time advances.
    this.#ear.hear(this.#isHeld ? SILENCE : frame);
    if (!this.#isHeld && this.#beeps.hear(frame)) this.#options.on.beep();
  }

  hasHeardSound(): boolean {
    return this.#audioFromMs !== null;
  }

  hasBackground(): boolean {
    return this.#foreground.hasBackground;
  }

  quietForMs(): number {
    return this.#options.nowMs() - this.#voiceAtMs;
  }

  learn({ fromMs, toMs }: HeardTurn, from: "caller" | "room"): void {
    if (from === "caller") this.#foreground.learnCaller(fromMs, toMs);
    else this.#foreground.learnBackground(fromMs, toMs);
  }

  speaks(over: OverUs): void {
    this.#overUs = over;
    this.#hush = { ...this.#hush, inVain: 0 };
    this.#tell({ type: "speaks", isKept: over === "heard", nowMs: this.#options.nowMs() });
    // Otherwise an earlier pause would last as long as they speak.
    if (over === "heard" || over === "ignored") this.#options.on.resume();
  }

  speaksOn(): void {
    this.#overUs = "heard";
    this.#tell({ type: "speaksOn" });
    this.#options.on.resume();
  }

  listens(silenceAfterMs: number): void {
    const mostMs = this.#foreground.hasBackground ? SILENCE_BESIDE_VOICES_MS : Infinity;
    this.#tell({
      type: "listens",
      silenceAfterMs: Math.min(mostMs, silenceAfterMs),
      nowMs: this.#options.nowMs(),
    });
  }

  held(isHeld: boolean): void {
    this.#isHeld = isHeld;
    this.#tell({ type: "held", isHeld, nowMs: this.#options.nowMs() });
  }

  forget(): void {
    this.#tell({ type: "key", nowMs: this.#options.nowMs() });
  }

  async lastWords(): Promise<Recognised | null> {
    const { segment } = this.#state;
    this.#tell({ type: "hungUp" });
    if (!segment || !this.#ear) return null;
    const toMs = segment.untilMs + UNJUDGED_MS;
    const words = segment.words ?? (await this.#wordsBetween(this.#ear, segment.fromMs - LAST_MARGIN_MS, toMs));
    return this.#holes.since(segment.fromMs) ? guessed(words) : words;
  }

  close(): void {
    this.#tell({ type: "hungUp" });
    this.#closeEar();
  }

  #tell(event: TurnEvent): void {
    const before = this.#state.segment;
    const move = nextTurnMove(this.#state, event, this.#options.isUnhurried);
    this.#state = move.state;
    for (const command of move.commands) this.#obey(command);
    this.#hushOrGoOn(event.type === "voice" ? (event.isEcho ? 0 : event.probability) : null);
    this.#cancelWake();
    const wakeAt = wakeAtMs(this.#state);
    this.#cancelWake =
      wakeAt === null
        ? () => {}
        : this.#options.clock.after(Math.max(0, wakeAt - this.#options.nowMs()), () =>
            this.#tell({ type: "elapsed", nowMs: this.#options.nowMs() }),
          );
    if (before?.words && move.state.segment && !move.state.segment.words) this.#goesOn(before.words);
  }

  #hushOrGoOn(probability: number | null): void {
    const { hush, command } = nextHush(this.#hush, this.#state, probability);
    if (command === "pause") this.#pause();
    else if (command === "resume") this.#options.on.resume();
    this.#hush = hush;
  }

  #pause(): void {
    if (this.#state.isOurTurn && (this.#overUs === "heard" || this.#overUs === "ignored")) return;
    // During a hush the agent has been silent since the hush began.
    if (this.#hush.voiceAtMs === null) this.#pausedAtMs = this.#options.nowMs();
    this.#options.on.pause();
  }

  #voice(judged: number, atMs: number): void {
    const isEcho = this.#echo().wasEcho(atMs);
    const isOurs = this.#state.isOurTurn || this.#state.isKept;
    // The detector may still be processing audio from before the hold.
    const probability = this.#isHeld ? 0 : this.#foreground.judge(isEcho ? 0 : judged, atMs, isOurs);
    if (probability >= VOICE) this.#voiceAtMs = this.#options.nowMs();
    const isIgnored = this.#state.isOurTurn && (this.#overUs === "ignored" || atMs < HELLO_MS);
    const nowMs = this.#options.nowMs();
    if (this.#ear) this.#tell({ type: "voice", probability, atMs, isEcho: isEcho || isIgnored, nowMs });
    this.#lookAtLong(atMs);
  }

  /** Recognises ongoing speech before it ends. */
  #lookAtLong(atMs: number): void {
    const [by, segment] = [this.#ear, this.#state.segment];
    if (!by || !segment) this.#looks = 0;
    if (!by || !segment || segment.asked !== null) return;
    const { fromMs } = segment;
    const fellMs = this.#foreground.fellSilentAt(fromMs, atMs);
    if (fellMs !== null) {
      this.#foreground.learnBackground(fellMs, atMs);
      this.#tell({ type: "cut", atMs: fellMs, nowMs: this.#options.nowMs() });
      return;
    }
    const forMs = LOOKS_AFTER_MS[this.#looks];
    if (forMs === undefined || this.#isLooking || atMs - fromMs < forMs) return;
    this.#isLooking = true;
    this.#options.start(async () => {
      const words = await within(this.#options.clock, LOOK_MOST_MS, () => this.#wordsBetween(by, fromMs, atMs), null);
      this.#isLooking = false;
      // The segment may have ended meanwhile; the normal end of turn decides then.
      if (this.#state.segment?.fromMs !== fromMs || this.#state.segment.asked !== null) return;
      this.#looks++;
      if (words && words.text.trim() !== "") this.#options.on.likely(words);
      this.#judge(words, forMs);
    });
  }

  /** The callee was not done. */
  #goesOn(words: Recognised): void {
    this.#options.on.goesOn();
    const forMs = this.#state.audioMs - (this.#state.segment?.fromMs ?? Infinity);
    if (forMs >= FIRST_LOOK_MS) this.#judge(words, forMs);
  }

  #judge(words: Recognised | null, forMs: number): void {
    const { segment } = this.#state;
    if (!segment) return;
    const isOverUs = segment.wasInterruption || segment.pausedAtMs !== null;
    const isFaint = this.#foreground.isFaint(segment.fromMs, this.#state.audioMs);
    const is = this.#options.on.judgeLong({ words, forMs, isOverUs, isFaint });
    if (is === "unclear" && segment.wasInterruption) this.#options.on.unclear();
    if (is !== "background") return;
    this.#foreground.learnBackground(segment.fromMs, this.#state.audioMs);
    this.forget();
    this.#options.on.background(segment.wasInterruption);
  }

  #lost(): void {
    if (!this.#ear) return;
    this.#closeEar();
    this.#tell({ type: "lost", nowMs: this.#options.nowMs() });
    this.#options.on.deaf();
  }

  #closeEar(): void {
    this.#ear?.close();
    this.#ear = null;
  }

  #obey(command: TurnCommand): void {
    switch (command.do) {
      case "recognise":
        this.#recognise(command);
        break;
      case "pause":
        this.#pause();
        break;
      case "resume":
        this.#options.on.resume();
        break;
      case "cancel":
        if (this.#overUs === "stops") this.#options.on.cancel(this.#pausedAtMs);
        break;
      case "turn":
        this.#options.on.turn(command.turn, this.#timesOf(command.turn), this.#loudnessOf(command.turn));
        break;
      case "wait":
        this.#options.on.wait();
        break;
      case "silence":
        this.#foreground.giveWay();
        this.#options.on.silence();
        break;
    }
  }

  #recognise({ segment, fromMs, toMs }: Extract<TurnCommand, { do: "recognise" }>): void {
    const by = this.#ear;
    if (!by) return;
    this.#asked = { segment, startMs: this.#options.nowMs(), finalMs: null };
    this.#options.start(async () => {
      const recognised = await this.#wordsBetween(by, fromMs, toMs);
      if (this.#asked?.segment !== segment) return;
      const words = this.#holes.since(fromMs) ? guessed(recognised) : recognised;
      this.#asked.finalMs = this.#options.nowMs();
      if (words && words.text.trim() !== "") this.#options.on.likely(words);
      this.#tell({
        type: "recognised",
        segment,
        words,
        ending: this.#options.endingOf(words),
        nowMs: this.#options.nowMs(),
      });
    });
  }

  /** Words that count from this audio time. With background they are detected late, so recognition starts earlier. */
  #wordsBetween(ear: Ear, fromMs: number, toMs: number): Promise<Recognised | null> {
    return ear.recognise(Math.max(0, fromMs - this.#foreground.lateMs), toMs, this.#foreground.gateDb);
  }

  #loudnessOf({ fromMs, toMs }: HeardTurn): Loudness {
    if (!this.#foreground.isFaint(fromMs, toMs)) return "caller";
    return this.#foreground.hasBackground ? "background" : "faint";
  }

  #timesOf({ segment, toMs }: HeardTurn): HearingTimes {
    const known = this.#asked?.segment === segment ? this.#asked : null;
    return {
      speech_end: (this.#audioFromMs ?? 0) + toMs,
      stt_start: known?.startMs ?? null,
      stt_final: known?.finalMs ?? null,
    };
  }
}

/** Part of the speech is lost: lowers the confidence, so that the agent asks instead of acting. */
function guessed(words: Recognised | null): Recognised | null {
  return words && { ...words, confidence: Math.min(words.confidence, GUESSED / 2) };
}
