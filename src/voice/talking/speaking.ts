// Speech output of one call, phrase by phrase and clause by clause. It can be paused, interrupted, repeated or dropped,
// and tracks what was told.
import { SECOND_MS, type Clock } from "../../core/clock.ts";
import { within } from "../../core/within.ts";
import type { NoticeHeard, NoticeKind } from "../../payloads/lawful.ts";
import type { Line, Sound } from "../../telephony/port.ts";
import type { TalkEvent, Told } from "../conversation/model.ts";
import type { Phrase } from "../conversation/phrase.ts";
import type { Truthful } from "../conversation/truthful.ts";
import { createHeardNotices } from "./heard-notices.ts";
import { createHoldTimers, type HoldTimers } from "./hold-timers.ts";
import type { TalkLog } from "./talk-log.ts";
import type { PhraseSound, PhraseSounds } from "./phrase-sounds.ts";
import { createSaidPhrase, type SaidPhrase } from "./said-phrase.ts";

/** Playback whose end was never reported counts as over this long after its length. */
const PLAY_GRACE_MS = 2 * SECOND_MS;
const SAMPLES_PER_MS = 8;
const FRAME_MS = 20;
/** Callers take three seconds of silence for a dead line, and a filler takes a moment to start. */
const COVER_AFTER_MS = 2_000;
/** Shorter waits get no filler, however long the silence before; most work takes milliseconds. */
const COVER_AT_ONCE_MS = 500;

export interface SpeakingOptions {
  clock: Clock;
  sounds: PhraseSounds;
  log: TalkLog;
  /** Fillers in order of use; empty if nothing on the call can be slow. */
  covers: readonly Phrase[];
  /** False until the opening notice was heard: nothing is played before it. */
  mayCover(): boolean;
  /** Applied to every phrase before its synthesis. */
  truthful: Truthful;
  /** Nothing is said after one of these that has no audio. */
  required: readonly NoticeKind[];
  /** How long the callee has been silent. */
  quietForMs(): number;
  /** These notices were played to their end. */
  noticed?(kinds: readonly NoticeKind[]): void;
  /** The first audio of the phrase is ready. */
  ready(): void;
  /** Playback of it started this long ago. */
  begins(agoMs: number): void;
}

export type Said = Extract<TalkEvent, { type: "said" | "unnoticed" }>;

export interface Speaking {
  readonly told: Told;
  /** Notices played so far, in their order. */
  notices(): NoticeHeard[];
  answered(line: Line): void;
  prepare(phrases: readonly Phrase[]): void;
  /** Null if dropped. Drops the current speech. */
  say(phrases: readonly Phrase[] | AsyncIterable<Phrase>): Promise<Said | null>;
  /** Plays a filler, if nothing is playing and the filler is ready. */
  cover(): void;
  /** Plays the first phrase if the wait gets too long; synthesises the others meanwhile. */
  coverUntil(isOver: Promise<unknown>, phrases: readonly Phrase[]): Promise<void>;
  pause(): void;
  resume(): void;
  /** Stops output during SIP hold. */
  held(isHeld: boolean): void;
  /** Stops playback at once. The phrase can be repeated or dropped later. */
  interrupt(): void;
  /** Repeats from the interrupted phrase. False if there is none. */
  sayAgain(): boolean;
  /** Stops playback at once for good. A pause stays in force. */
  drop(): void;
  /** The last 20 ms played, to be read once per tick; null for silence. */
  playedFrame(): Int16Array | null;
}

interface Playing {
  sound: Sound;
  playedMs: () => number;
  /** As of the last tick. */
  seenMs: number;
}

/** `silent`: no audio was available. */
type PhraseEnd = "whole" | "cut" | "silent";

export function createSpeaking(options: SpeakingOptions): Speaking {
  return new PhrasesInTurn(options);
}

class PhrasesInTurn implements Speaking {
  readonly #options: SpeakingOptions;
  readonly #timers: HoldTimers;
  /** Every phrase started, in order; repeated phrases appear twice. */
  readonly #phrases: { text: string; said: SaidPhrase }[] = [];
  readonly #notices = createHeardNotices();
  #line: Line | null = null;
  /** Generation counter: older speech stops when it changes. */
  #turn = 0;
  #isSaying = false;
  #isPaused = false;
  #playing: Playing | null = null;
  /** The filler that is playing. */
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
    isHeard: (kind) => this.#notices.isHeard(kind),
  };

  notices(): NoticeHeard[] {
    return this.#notices.list();
  }

  answered(line: Line): void {
    this.#line = line;
    this.#playedAtMs = this.#options.clock.elapsedMs();
    this.#notices.answered(this.#playedAtMs);
  }

  prepare(ahead: readonly Phrase[]): void {
    for (const each of ahead) this.#options.sounds.prepare(this.#options.truthful(each));
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

  async say(toSay: readonly Phrase[] | AsyncIterable<Phrase>): Promise<Said | null> {
    this.drop();
    const mine = this.#turn;
    this.#isSaying = true;
    this.#hasBegun = false;
    if (!(Symbol.asyncIterator in toSay)) this.prepare(toSay);
    let wasHeard = false;
    const notices = new Set<NoticeKind>();
    for await (const each of toSay) {
      const spoken = this.#options.truthful(each);
      // A fixed line in place of several phrases is said once.
      if (spoken.name !== each.name && spoken.notices?.every((kind) => notices.has(kind))) continue;
      for (const kind of spoken.notices ?? []) notices.add(kind);
      const end = await this.#sayOne(spoken, () => mine === this.#turn);
      if (end === null) return null;
      if (this.#isMissing(spoken)) return { type: "unnoticed" };
      wasHeard ||= end === "whole";
    }
    if (mine !== this.#turn) return null;
    this.#isSaying = false;
    return { type: "said", wasHeard };
  }

  /**
   * An interrupted phrase is repeated from its beginning, if at all. A notice whose synthesis failed is tried once
   * more, because the law wants it said.
   */
  async #sayOne(spoken: Phrase, isCurrent: () => boolean): Promise<PhraseEnd | null> {
    let triesLeft = spoken.notices ? 1 : 0;
    for (;;) {
      const end = await this.#sayOnce(spoken, isCurrent);
      await this.#cut?.promise;
      if (!isCurrent()) return null;
      const hasFailed = end === "silent" || this.#isMissing(spoken);
      if (end !== "cut" && (!hasFailed || triesLeft-- === 0)) return end;
    }
  }

  /** Required notices of the phrase that were not played to their end. */
  #isMissing({ notices = [] }: Phrase): boolean {
    return notices.some((kind) => this.#options.required.includes(kind) && !this.#notices.isHeard(kind));
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
      if (said.isWhole()) this.#heardNotices(spoken, said);
    }
  }

  #heardNotices({ notices = [] }: Phrase, said: SaidPhrase): void {
    if (notices.length === 0) return;
    said.notices.heard(this.#playedAtMs);
    this.#options.noticed?.(notices);
  }

  /** Plays a filler while synthesis is slow. */
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

  /** A filler always plays to its end; cutting it would sound like stammering. */
  async #coverWith(cover: Phrase): Promise<void> {
    if (this.#playing || this.#covering || this.#isPaused || !this.#line || !this.#options.mayCover()) return;
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
    const notices = this.#notices.begins(isRecording ? [] : (spoken.notices ?? []));
    const said = createSaidPhrase(spoken, isRecording, notices);
    this.#options.log.says(said.text, notices.list);
    this.#phrases.push({ text: spoken.text, said });
    return said;
  }

  /** Resolves to whether it played to its end. */
  #play(clause: Sound, said: SaidPhrase): Promise<boolean> {
    const { lengthMs } = clause;
    return new Promise((resolve) => {
      /** Milliseconds played at the end; null until known. */
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
      // A pause may last indefinitely.
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
    // A frame counts as played when it is sent.
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
      // Starting playback ends a pause; restore it, so that a callee in mid-word is heard first.
      if (this.#isPaused) this.#line?.pausePlaying();
    }
    this.#cut?.resolve();
    this.#cut = null;
  }
}
