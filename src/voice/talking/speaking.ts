// What the agent says on one call, line after line and clause after clause: it can be paused, cut off, said again or
// dropped, and knows what was told.
import { SECOND_MS, type Clock } from "../../core/clock.ts";
import { within } from "../../core/within.ts";
import type { Line, Sound } from "../../telephony/port.ts";
import type { Told } from "../conversation/model.ts";
import type { Phrase } from "../conversation/phrases/phrase.ts";
import { createHoldTimers, type HoldTimers } from "../hold-timers.ts";
import type { TalkLog } from "../talk-log.ts";
import type { PhraseSound, PhraseSounds } from "./phrase-sounds.ts";
import { createSaidPhrase, type SaidPhrase } from "./said-phrase.ts";

/** Past its length, a sound whose end was never reported is over. */
const PLAY_GRACE_MS = 2 * SECOND_MS;
const SAMPLES_PER_MS = 8;
const FRAME_MS = 20;
/**
 * Silence that lasts longer may be taken for a dead line after three seconds; the words that end it take a while to
 * begin.
 */
const COVER_AFTER_MS = 2_000;
/** What takes less is not told of, however long it was silent before: most things take milliseconds. */
const COVER_AT_ONCE_MS = 500;

export interface SpeakingOptions {
  clock: Clock;
  sounds: PhraseSounds;
  log: TalkLog;
  /** Short lines that tell that something takes a moment, the first one first; none where nothing does. */
  covers: readonly Phrase[];
  /** For how long the other side has been silent. */
  quietForMs(): number;
  /** The first sound of what is to be said is there. */
  ready(): void;
  /** And so long ago it began to go out. */
  begins(agoMs: number): void;
}

export interface Speaking {
  readonly told: Told;
  answered(line: Line): void;
  prepare(phrases: readonly Phrase[]): void;
  /**
   * Whether there was sound for at least one line; null where it was dropped. What is being said already is dropped.
   */
  say(phrases: readonly Phrase[] | AsyncIterable<Phrase>): Promise<{ wasHeard: boolean } | null>;
  /** Tells that something takes a moment, where nothing is being said and the words for it are made. */
  cover(): void;
  /**
   * The first line, where this takes so long that silence would be taken for a dead line; the others are made
   * meanwhile.
   */
  coverUntil(isOver: Promise<unknown>, phrases: readonly Phrase[]): Promise<void>;
  pause(): void;
  resume(): void;
  /** Nothing goes out while the other side holds us. */
  held(isHeld: boolean): void;
  /** Silent at once. What was being said waits until it is said again or dropped. */
  interrupt(): void;
  /** From the line that was cut off. False where none was. */
  sayAgain(): boolean;
  /** Silent at once, for good. A pause goes on. */
  drop(): void;
  /** The 20 ms that went out last, to be asked for once in each tick; null for silence. */
  playedFrame(): Int16Array | null;
}

interface Playing {
  sound: Sound;
  playedMs: () => number;
  /** By the last tick. */
  seenMs: number;
}

/** `silent`: there was no sound for it. */
type PhraseEnd = "whole" | "cut" | "silent";

export function createSpeaking(options: SpeakingOptions): Speaking {
  return new PhrasesInTurn(options);
}

class PhrasesInTurn implements Speaking {
  readonly #options: SpeakingOptions;
  readonly #timers: HoldTimers;
  /** Everything that was begun, in order; some of it twice. */
  readonly #phrases: { text: string; said: SaidPhrase }[] = [];
  #line: Line | null = null;
  /** Counts what is said: an older one goes on no more. */
  #turn = 0;
  #isSaying = false;
  #isPaused = false;
  #playing: Playing | null = null;
  /** What ends silence while something else is waited for. */
  #covering: Promise<void> | null = null;
  #playedAtMs: number;
  #cut: PromiseWithResolvers<void> | null = null;
  #hasBegun = false;

  constructor(options: SpeakingOptions) {
    this.#options = options;
    this.#timers = createHoldTimers(options.clock);
    this.#playedAtMs = options.clock.elapsedMs();
  }

  readonly told: Told = {
    isTold: ({ text }) => this.#phrases.some((each) => each.text === text && each.said.isTold()),
  };

  answered(line: Line): void {
    this.#line = line;
    this.#playedAtMs = this.#options.clock.elapsedMs();
  }

  prepare(ahead: readonly Phrase[]): void {
    for (const each of ahead) this.#options.sounds.prepare(each);
  }

  cover(): void {
    const [first] = this.#options.covers;
    if (first) void this.#coverWith(first);
  }

  async coverUntil(isOver: Promise<unknown>, phrases: readonly Phrase[]): Promise<void> {
    const [cover] = phrases;
    const over = async () => (await isOver, true);
    if (!cover || (await within(this.#options.clock, COVER_AT_ONCE_MS, over, false))) return;
    this.prepare(phrases);
    if (!(await within(this.#options.clock, this.#coverInMs(), over, false))) await this.#coverWith(cover);
  }

  pause(): void {
    if (this.#isPaused) return;
    this.#isPaused = true;
    this.#line?.pausePlaying();
  }

  resume(): void {
    if (!this.#isPaused) return;
    this.#isPaused = false;
    this.#line?.resumePlaying();
  }

  held(isHeld: boolean): void {
    this.#timers.held(isHeld);
  }

  interrupt(): void {
    if (this.#isSaying) this.#cut ??= Promise.withResolvers();
    this.#silence();
  }

  sayAgain(): boolean {
    if (!this.#cut) return false;
    this.#cut.resolve();
    this.#cut = null;
    return true;
  }

  playedFrame(): Int16Array | null {
    const playing = this.#playing;
    if (!playing) return null;
    const playedMs = playing.playedMs();
    this.#began(playedMs);
    if (playedMs <= playing.seenMs) return null;
    const from = Math.round(playing.seenMs * SAMPLES_PER_MS);
    playing.seenMs = playedMs;
    return playing.sound.samples?.subarray(from, Math.round(playedMs * SAMPLES_PER_MS)) ?? null;
  }

  async say(toSay: readonly Phrase[] | AsyncIterable<Phrase>): Promise<{ wasHeard: boolean } | null> {
    this.drop();
    const mine = this.#turn;
    this.#isSaying = true;
    this.#hasBegun = false;
    if (!(Symbol.asyncIterator in toSay)) this.prepare(toSay);
    let wasHeard = false;
    for await (const each of toSay) {
      const end = await this.#sayOne(each, () => mine === this.#turn);
      if (end === null) return null;
      wasHeard ||= end === "whole";
    }
    if (mine !== this.#turn) return null;
    this.#isSaying = false;
    return { wasHeard };
  }

  /** Cut off, it is said again from its beginning, should it be said again at all. */
  async #sayOne(spoken: Phrase, isCurrent: () => boolean): Promise<PhraseEnd | null> {
    for (;;) {
      const end = await this.#sayOnce(spoken, isCurrent);
      await this.#cut?.promise;
      if (!isCurrent()) return null;
      if (end !== "cut") return end;
    }
  }

  async #sayOnce(spoken: Phrase, isCurrent: () => boolean): Promise<PhraseEnd> {
    const source = this.#options.sounds.of(spoken);
    let said: SaidPhrase | null = null;
    for (let i = 0; ; i++) {
      const clause = await this.#clauseOf(source, i, isCurrent);
      await this.#covering;
      if (!isCurrent() || this.#cut) return "cut";
      if (!clause) return said ? "whole" : "silent";
      this.#options.ready();
      said ??= this.#begin(spoken, source.isRecording);
      if (!(await this.#play(clause, said))) return "cut";
    }
  }

  /** Where the voice takes long to make it, they hear that it will come. */
  async #clauseOf(source: PhraseSound, index: number, isCurrent: () => boolean): Promise<Sound | null> {
    const { clock, covers } = this.#options;
    for (const cover of covers) {
      await this.#covering;
      const clause = await within(clock, this.#coverInMs(), () => source.clause(index), undefined);
      if (clause !== undefined || !isCurrent() || this.#cut) return clause ?? null;
      await this.#coverWith(cover);
    }
    return source.clause(index);
  }

  #coverInMs(): number {
    const { clock, quietForMs } = this.#options;
    const silentMs = Math.min(quietForMs(), clock.elapsedMs() - this.#playedAtMs);
    return Math.max(0, COVER_AFTER_MS - silentMs);
  }

  /** Comes to its end whatever is to be said next: half a word would be a stammer. */
  async #coverWith(cover: Phrase): Promise<void> {
    if (this.#playing || this.#covering || this.#isPaused || !this.#line) return;
    const sound = this.#options.sounds.madeOf(cover);
    this.prepare(this.#options.covers);
    if (!sound) return;
    const isOver = Promise.withResolvers<void>();
    this.#covering = isOver.promise;
    await this.#play(sound, this.#begin(cover, cover.recorded !== null));
    this.#covering = null;
    isOver.resolve();
  }

  #begin(spoken: Phrase, isRecording: boolean): SaidPhrase {
    const said = createSaidPhrase(spoken, isRecording);
    this.#options.log.says(said.text);
    this.#phrases.push({ text: spoken.text, said });
    return said;
  }

  /** Whether it came to its end. */
  #play(clause: Sound, said: SaidPhrase): Promise<boolean> {
    const { lengthMs } = clause;
    return new Promise((resolve) => {
      /** How much had gone out in the end; null until then, and where that was never reported. */
      const ended: { ms: number | null; isOver: boolean } = { ms: null, isOver: false };
      let cancel = (): void => {};
      let livePlayedMs = () => 0;
      const finish = (playedMs: number | null, isWhole: boolean): void => {
        if (ended.isOver) return;
        ended.isOver = true;
        ended.ms = playedMs;
        cancel();
        this.#began(playedMs ?? livePlayedMs());
        this.#playing = null;
        this.#playedAtMs = this.#options.clock.elapsedMs();
        resolve(isWhole);
      };
      said.add(clause, () => ended.ms ?? livePlayedMs());
      // A pause takes as long as it takes.
      const giveUp = (): void => {
        if (this.#isPaused) cancel = this.#timers.after(PLAY_GRACE_MS, giveUp);
        else finish(null, true);
      };
      cancel = this.#timers.after(lengthMs + PLAY_GRACE_MS, giveUp);
      livePlayedMs =
        this.#line?.play(clause, (end) => finish(end.isWhole ? lengthMs : end.playedMs, end.isWhole)) ?? livePlayedMs;
      if (!ended.isOver) this.#playing = { sound: clause, playedMs: livePlayedMs, seenMs: 0 };
    });
  }

  #began(playedMs: number): void {
    if (this.#hasBegun || playedMs <= 0) return;
    this.#hasBegun = true;
    // A frame counts as played when it leaves.
    this.#options.begins(Math.max(0, playedMs - FRAME_MS));
  }

  #silence(): void {
    if (this.#playing) this.#line?.stopPlaying();
    else if (this.#isPaused) this.#line?.resumePlaying();
    this.#isPaused = false;
  }

  drop(): void {
    this.#turn++;
    this.#isSaying = false;
    if (this.#playing && !this.#covering) {
      this.#line?.stopPlaying();
      // That ends a pause, and whoever is in the middle of a word is heard out first, whatever we have to say.
      if (this.#isPaused) this.#line?.pausePlaying();
    }
    this.#cut?.resolve();
    this.#cut = null;
  }
}
