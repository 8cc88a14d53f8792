// What the agent says on one call, line after line: it can be paused, cut off, said again or dropped, and knows what was told.
import { SECOND_MS, type Clock } from "../../core/clock.ts";
import type { Line, Sound } from "../../telephony/port.ts";
import { createHearing } from "../keypad/hearing.ts";
import type { Heard } from "../keypad/keypad-model.ts";
import type { SpokenLine } from "../keypad/words.ts";
import type { Sounds } from "../sounds.ts";
import type { TalkLog } from "../talk-log.ts";

/** Past its length, a sound whose end was never reported is over. */
const PLAY_GRACE_MS = 2 * SECOND_MS;
const SAMPLES_PER_MS = 8;

export interface SpeakingOptions {
  clock: Clock;
  sounds: Sounds;
  log: TalkLog;
  /** The first sound of what is to be said is there. */
  ready(): void;
  /** And so long ago it began to go out. */
  begins(agoMs: number): void;
}

export interface Speaking {
  readonly told: Heard;
  answered(line: Line): void;
  prepare(lines: readonly SpokenLine[]): void;
  /**
   * Whether there was sound for at least one line; null where it was dropped. What is being said already is dropped.
   */
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

export function createSpeaking({ clock, sounds, log, ready, begins }: SpeakingOptions): Speaking {
  const hearing = createHearing();
  let line: Line | null = null;
  /** Counts what is said: an older one goes on no more. */
  let turn = 0;
  let isSaying = false;
  let isPaused = false;
  let playing: Playing | null = null;
  let cut: PromiseWithResolvers<void> | null = null;
  let hasBegun = false;

  async function say(lines: readonly SpokenLine[]): Promise<{ wasHeard: boolean } | null> {
    drop();
    const mine = turn;
    const isCurrent = () => mine === turn;
    isSaying = true;
    hasBegun = false;
    hearing.announced(lines);
    for (const each of lines) sounds.prepare(each);
    let wasHeard = false;
    for (let i = 0; i < lines.length && isCurrent();) {
      const [spoken] = lines.slice(i, i + 1);
      const made = spoken && (await sounds.of(spoken));
      await cut?.promise;
      if (!isCurrent()) return null;
      if (!spoken || !made) {
        if (spoken) hearing.ended(spoken);
        i++;
        continue;
      }
      wasHeard = true;
      ready();
      // Cut off, it is said again from its beginning, should it be said again at all.
      if (await play(spoken, made.sound, made.isRecording)) i++;
    }
    if (!isCurrent()) return null;
    isSaying = false;
    return { wasHeard };
  }

  function play(spoken: SpokenLine, sound: Sound, isRecording: boolean): Promise<boolean> {
    const { lengthMs } = sound;
    const fallsSilent = log.begins(spoken, isRecording, lengthMs);
    return new Promise((resolve) => {
      let cancel = (): void => {};
      const finish = (playedMs: number, isWhole: boolean): void => {
        cancel();
        began(playedMs);
        playing = null;
        fallsSilent(playedMs);
        resolve(isWhole);
      };
      // A pause takes as long as it takes.
      const giveUp = (): void => {
        if (isPaused) cancel = clock.after(PLAY_GRACE_MS, giveUp);
        else finish(lengthMs, true);
      };
      cancel = clock.after(lengthMs + PLAY_GRACE_MS, giveUp);
      const playedMs = line?.play(sound, (end) => {
        hearing.ended(spoken);
        finish(end.isWhole ? lengthMs : end.playedMs, end.isWhole);
      });
      if (!playedMs) return;
      playing = { sound, playedMs, seenMs: 0 };
      hearing.begins(spoken, isRecording, lengthMs, playedMs);
    });
  }

  function began(playedMs: number): void {
    if (hasBegun || playedMs <= 0) return;
    hasBegun = true;
    begins(playedMs);
  }

  function silence(): void {
    if (playing) line?.stopPlaying();
    else if (isPaused) line?.resumePlaying();
    isPaused = false;
  }

  function drop(): void {
    turn++;
    isSaying = false;
    hearing.interrupted();
    silence();
    cut?.resolve();
    cut = null;
  }

  return {
    told: hearing,
    answered(answeredLine) {
      line = answeredLine;
    },
    prepare(lines) {
      for (const each of lines) sounds.prepare(each);
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
