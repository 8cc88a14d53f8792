// What the agent says on one call, line after line and clause after clause: it can be paused, cut off, said again or dropped, and
// knows what was told.
import { SECOND_MS, type Clock } from "../../core/clock.ts";
import type { Line, Sound } from "../../telephony/port.ts";
import type { Told } from "../conversation/model.ts";
import type { SpokenLine } from "../keypad/words.ts";
import type { TalkLog } from "../talk-log.ts";
import type { LineSounds } from "./line-sounds.ts";
import { createSaidLine, type SaidLine } from "./said-line.ts";

/** Past its length, a sound whose end was never reported is over. */
const PLAY_GRACE_MS = 2 * SECOND_MS;
const SAMPLES_PER_MS = 8;
const FRAME_MS = 20;

export interface SpeakingOptions {
  clock: Clock;
  sounds: LineSounds;
  log: TalkLog;
  /** The first sound of what is to be said is there. */
  ready(): void;
  /** And so long ago it began to go out. */
  begins(agoMs: number): void;
}

export interface Speaking {
  readonly told: Told;
  answered(line: Line): void;
  prepare(lines: readonly SpokenLine[]): void;
  /** Whether there was sound for at least one line; null where it was dropped. What is being said already is dropped. */
  say(lines: readonly SpokenLine[]): Promise<{ wasHeard: boolean } | null>;
  pause(): void;
  resume(): void;
  /** Silent at once. What was being said waits until it is said again or dropped. */
  interrupt(): void;
  /** From the line that was cut off. False where none was. */
  sayAgain(): boolean;
  /** Silent at once, for good. */
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
type LineEnd = "whole" | "cut" | "silent";

export function createSpeaking({ clock, sounds, log, ready, begins }: SpeakingOptions): Speaking {
  /** Everything that was begun, in order; some of it twice. */
  const lines: { text: string; said: SaidLine }[] = [];
  let line: Line | null = null;
  /** Counts what is said: an older one goes on no more. */
  let turn = 0;
  let isSaying = false;
  let isPaused = false;
  let playing: Playing | null = null;
  let cut: PromiseWithResolvers<void> | null = null;
  let hasBegun = false;

  async function say(toSay: readonly SpokenLine[]): Promise<{ wasHeard: boolean } | null> {
    drop();
    const mine = turn;
    isSaying = true;
    hasBegun = false;
    for (const each of toSay) sounds.prepare(each);
    let wasHeard = false;
    for (const each of toSay) {
      const end = await sayOne(each, () => mine === turn);
      if (end === null) return null;
      wasHeard ||= end === "whole";
    }
    isSaying = false;
    return { wasHeard };
  }

  /** Cut off, it is said again from its beginning, should it be said again at all. */
  async function sayOne(spoken: SpokenLine, isCurrent: () => boolean): Promise<LineEnd | null> {
    for (;;) {
      const end = await sayOnce(spoken, isCurrent);
      await cut?.promise;
      if (!isCurrent()) return null;
      if (end !== "cut") return end;
    }
  }

  async function sayOnce(spoken: SpokenLine, isCurrent: () => boolean): Promise<LineEnd> {
    const source = sounds.of(spoken);
    let said: SaidLine | null = null;
    for (let i = 0; ; i++) {
      const clause = await source.clause(i);
      if (!isCurrent() || cut) return "cut";
      if (!clause) return said ? "whole" : "silent";
      ready();
      said ??= begin(spoken, source.isRecording);
      if (!(await play(clause, said))) return "cut";
    }
  }

  function begin(spoken: SpokenLine, isRecording: boolean): SaidLine {
    const said = createSaidLine(spoken, isRecording);
    log.says(said.text);
    lines.push({ text: spoken.text, said });
    return said;
  }

  /** Whether it came to its end. */
  function play(clause: Sound, said: SaidLine): Promise<boolean> {
    const { lengthMs } = clause;
    return new Promise((resolve) => {
      /** How much had gone out in the end; null until then. */
      const ended: { ms: number | null } = { ms: null };
      let cancel = (): void => {};
      let livePlayedMs = () => 0;
      const finish = (playedMs: number, isWhole: boolean): void => {
        if (ended.ms !== null) return;
        ended.ms = isWhole ? lengthMs : playedMs;
        cancel();
        began(ended.ms);
        playing = null;
        resolve(isWhole);
      };
      said.add(clause, () => ended.ms ?? livePlayedMs());
      // A pause takes as long as it takes.
      const giveUp = (): void => {
        if (isPaused) cancel = clock.after(PLAY_GRACE_MS, giveUp);
        else finish(lengthMs, true);
      };
      cancel = clock.after(lengthMs + PLAY_GRACE_MS, giveUp);
      livePlayedMs = line?.play(clause, (end) => finish(end.playedMs, end.isWhole)) ?? livePlayedMs;
      if (ended.ms === null) playing = { sound: clause, playedMs: livePlayedMs, seenMs: 0 };
    });
  }

  function began(playedMs: number): void {
    if (hasBegun || playedMs <= 0) return;
    hasBegun = true;
    // A frame counts as played when it leaves.
    begins(Math.max(0, playedMs - FRAME_MS));
  }

  function silence(): void {
    if (playing) line?.stopPlaying();
    else if (isPaused) line?.resumePlaying();
    isPaused = false;
  }

  function drop(): void {
    turn++;
    isSaying = false;
    silence();
    cut?.resolve();
    cut = null;
  }

  return {
    told: { isTold: ({ text }) => lines.some((each) => each.text === text && each.said.isTold()) },
    answered(answeredLine) {
      line = answeredLine;
    },
    prepare(ahead) {
      for (const each of ahead) sounds.prepare(each);
    },
    say,
    pause() {
      isPaused = true;
      line?.pausePlaying();
    },
    resume() {
      isPaused = false;
      line?.resumePlaying();
    },
    interrupt() {
      if (isSaying) cut ??= Promise.withResolvers();
      silence();
    },
    sayAgain() {
      if (!cut) return false;
      cut.resolve();
      cut = null;
      return true;
    },
    drop,
    playedFrame() {
      if (!playing) return null;
      const playedMs = playing.playedMs();
      began(playedMs);
      if (playedMs <= playing.seenMs) return null;
      const from = Math.round(playing.seenMs * SAMPLES_PER_MS);
      playing.seenMs = playedMs;
      return playing.sound.samples?.subarray(from, Math.round(playedMs * SAMPLES_PER_MS)) ?? null;
    },
  };
}
