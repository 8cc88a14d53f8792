// The agent's ears on one call: frames go to the detector and the echo watch, the turn machine decides, and what it commands is
// done. Once the ears are lost, silence and keys are what is left.
import type { Clock } from "../../core/clock.ts";
import { within } from "../../core/within.ts";
import type { Ear, Ears, Recognised } from "../../speech/ears/port.ts";
import { createEchoWatch } from "../turns/echo.ts";
import type { Ending } from "../turns/end-of-turn.ts";
import { createBeepWatch } from "./beep.ts";
import { GUESSED, type OverUs } from "./hearing-words.ts";
import { createForeground } from "../turns/foreground.ts";
import { createHoles } from "../turns/holes.ts";
import { nextHush, NO_HUSH } from "../turns/hush.ts";
import type { HeardTurn, TurnCommand, TurnEvent } from "../turns/turn-model.ts";
import { FIRST_TURN_STATE, nextTurnMove, wakeAtMs } from "../turns/turns.ts";

const FRAME_MS = 20;
/** Whoever picks up says "hello", and our greeting is already under way: nobody is to be interrupted by that. */
const HELLO_MS = 1_000;
/** As the turn machine gives the recogniser around words; after the last ones, the detector may not have judged all of them. */
const LAST_MARGIN_MS = 100;
const UNJUDGED_MS = 300;
const SILENCE = new Int16Array(8 * FRAME_MS);
/** As the turn machine has it. */
const VOICE = 0.5;
/**
 * Somebody who speaks for so long without a pause is listened to meanwhile: it may be a television. We have been silent since they began,
 * and three seconds of that are taken for a dead line.
 */
const LOOKS_AFTER_MS = [2_200, 6_000] as const;
/** A recogniser that is busy with other calls may take long: the agent does not stay silent until it is done. */
const LOOK_MOST_MS = 1_000;
/** Where other voices are heard, the keys are offered after so much silence of the caller. */
const SILENCE_BESIDE_VOICES_MS = 6_000;
/** Words that were recognised with this much were the caller's. */
const CALLERS = 0.7;

/** When the ears did what, in ms from the answer. */
export interface HearingTimes {
  speech_end: number;
  stt_start: number | null;
  stt_final: number | null;
}

export interface ListeningOptions {
  clock: Clock;
  ears: Ears | null;
  isUnhurried: boolean;
  /** From the answer. */
  nowMs: () => number;
  start(work: () => Promise<void>): void;
  /** How these words end, by what was asked. */
  endingOf(words: Recognised | null): Ending;
  /** The 20 ms of ours that went out in the same tick; null for silence. */
  playedFrame(): Int16Array | null;
  on: {
    pause(): void;
    resume(): void;
    /** They have the floor. `pausedAtMs`: since when we are silent. */
    cancel(pausedAtMs: number): void;
    /** Words that may become a turn: what they lead to can be made ready. */
    likely(words: Recognised): void;
    /** Whether these words, of somebody who has spoken for so long and goes on, are nobody's who talks to us. */
    isBackground(words: Recognised | null, forMs: number): boolean;
    /** Other voices were taken for theirs, and are known now. `wasInterruption`: they stopped us. */
    background(wasInterruption: boolean): void;
    /** They were not done: these words were not all. */
    goesOn(): void;
    turn(turn: HeardTurn, times: HearingTimes): void;
    /** Phrases of danger in what they said a moment ago, whatever the recogniser made of it. */
    alarm(phrases: readonly string[], isSure: boolean): void;
    /** What they said takes long to be recognised. */
    wait(): void;
    silence(): void;
    /** Nobody will be heard any more. */
    deaf(): void;
    /** A machine is ready for a message. */
    beep(): void;
  };
}

export interface Listening {
  /** `lost`: frames that turned out to be lost since the one before. */
  heardFrame(frame: Int16Array, lost: number): void;
  hasHeardSound(): boolean;
  /** Voices that are not the caller's were heard. */
  hasBackground(): boolean;
  /** For how long nobody has spoken, whether it counted or not. */
  quietForMs(): number;
  /** It is our turn. */
  speaks(over: OverUs): void;
  /** It is theirs. */
  listens(silenceAfterMs: number): void;
  /** The other side holds us, or is back. What is heard meanwhile is music. */
  held(isHeld: boolean): void;
  /** What is being said counts for nothing: a key was pressed. */
  forget(): void;
  /** The line is down: what was being said until then, and was not recognised yet. Null where nobody spoke. */
  lastWords(): Promise<Recognised | null>;
  close(): void;
}

export function createListening(options: ListeningOptions): Listening {
  return new EarsOnCall(options);
}

class EarsOnCall implements Listening {
  readonly #options: ListeningOptions;
  readonly #echo = createEchoWatch();
  readonly #beeps = createBeepWatch();
  readonly #holes = createHoles();
  readonly #foreground = createForeground();
  /** How often the segment that is going on was looked at. */
  #looks = 0;
  #state = FIRST_TURN_STATE;
  #hush = NO_HUSH;
  #cancelWake = (): void => {};
  /** The first frame's beginning, in ms from the answer. */
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
    this.#echo.tick(frame, this.#options.playedFrame());
    // Silence, so that the audio's time goes on.
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

  speaks(over: OverUs): void {
    this.#overUs = over;
    this.#hush = { ...this.#hush, inVain: 0 };
    this.#tell({ type: "speaks", nowMs: this.#options.nowMs() });
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
    const words = segment.words ?? (await this.#ear.recognise(Math.max(0, segment.fromMs - LAST_MARGIN_MS), toMs));
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
    if (before?.words && move.state.segment && !move.state.segment.words) this.#options.on.goesOn();
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
  }

  #hushOrGoOn(probability: number | null): void {
    const { hush, command } = nextHush(this.#hush, this.#state, probability);
    if (command === "pause") this.#pause();
    else if (command === "resume") this.#options.on.resume();
    this.#hush = hush;
  }

  #pause(): void {
    if (this.#state.isOurTurn && (this.#overUs === "heard" || this.#overUs === "ignored")) return;
    // Where we are hushed already, we have been silent since then.
    if (this.#hush.voiceAtMs === null) this.#pausedAtMs = this.#options.nowMs();
    this.#options.on.pause();
  }

  #voice(judged: number, atMs: number): void {
    // The detector may still be at what was said before.
    const probability = this.#isHeld ? 0 : this.#foreground.judge(judged, atMs);
    if (probability >= VOICE) this.#voiceAtMs = this.#options.nowMs();
    const isOverUs = this.#state.isOurTurn && (this.#overUs === "ignored" || atMs < HELLO_MS);
    const isEcho = isOverUs || this.#echo.wasEcho(atMs);
    if (this.#ear) this.#tell({ type: "voice", probability, atMs, isEcho, nowMs: this.#options.nowMs() });
    this.#lookAtLong(atMs);
  }

  /** Listens to somebody who speaks on and on, before they are done. */
  #lookAtLong(atMs: number): void {
    const [by, segment] = [this.#ear, this.#state.segment];
    if (!by || !segment) this.#looks = 0;
    const forMs = LOOKS_AFTER_MS[this.#looks];
    if (!by || !segment || segment.asked !== null || forMs === undefined) return;
    const { fromMs } = segment;
    if (atMs - fromMs < forMs) return;
    this.#looks++;
    this.#options.start(async () => {
      const words = await within(this.#options.clock, LOOK_MOST_MS, () => by.recognise(fromMs, atMs), null);
      const now = this.#state.segment;
      // They are done meanwhile, or somebody else speaks.
      if (now?.fromMs !== fromMs || now.asked !== null) return;
      if (words && words.text.trim() !== "") this.#options.on.likely(words);
      if (this.#options.on.isBackground(words, forMs)) this.#hearBackground(fromMs, now.wasInterruption);
    });
  }

  #hearBackground(fromMs: number, wasInterruption: boolean): void {
    this.#foreground.learnBackground(fromMs, this.#state.audioMs);
    this.forget();
    this.#options.on.background(wasInterruption);
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
        if ((command.turn.words?.confidence ?? 0) >= CALLERS)
          this.#foreground.learnCaller(command.turn.fromMs, command.turn.toMs);
        this.#options.on.turn(command.turn, this.#timesOf(command.turn));
        break;
      case "wait":
        this.#options.on.wait();
        break;
      case "silence":
        this.#options.on.silence();
        break;
    }
  }

  #recognise({ segment, fromMs, toMs }: Extract<TurnCommand, { do: "recognise" }>): void {
    const by = this.#ear;
    if (!by) return;
    this.#asked = { segment, startMs: this.#options.nowMs(), finalMs: null };
    this.#options.start(async () => {
      const recognised = await by.recognise(fromMs, toMs);
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

  #timesOf({ segment, toMs }: HeardTurn): HearingTimes {
    const known = this.#asked?.segment === segment ? this.#asked : null;
    return {
      speech_end: (this.#audioFromMs ?? 0) + toMs,
      stt_start: known?.startMs ?? null,
      stt_final: known?.finalMs ?? null,
    };
  }
}

/** Nobody knows what else was said: however clear the rest is, it is asked after and not acted on. */
function guessed(words: Recognised | null): Recognised | null {
  return words && { ...words, confidence: Math.min(words.confidence, GUESSED / 2) };
}
