// One answered call on the simulated line: the agent is the real one; the callee acts by a script, in words and keys.
import { SECOND_MS } from "../../core/clock.ts";
import type { Line, PlayEnd, Sound } from "../port.ts";
import type { FencedTalker } from "../fenced-talker.ts";
import type { Act, Callee } from "./callee.ts";
import type { SimulatedClock } from "./simulated-clock.ts";

/** As long as people take to find the key, once the agent has finished. */
const REACTION_MS = 1.5 * SECOND_MS;
const TRANSFER_MS = 3 * SECOND_MS;

interface Playing {
  sound: Sound;
  onEnd: (end: PlayEnd) => void;
  /** Null while it waits for its turn, or is paused. */
  startedAtMs: number | null;
  /** Of what was played before a pause. */
  playedBeforeMs: number;
}

export interface SimulatedCall {
  /** Simulated seconds since the answer. */
  seconds(): number;
  /** Nothing is played or done any more. */
  close(): void;
}

export function startSimulatedCall(options: {
  clock: SimulatedClock;
  callee: Callee;
  talker: FencedTalker;
  /** Somebody hung up. */
  over: (by: "us" | "peer") => void;
}): SimulatedCall {
  const { clock, callee, talker, over } = options;
  const answeredAtMs = clock.elapsedMs();
  let queue: Playing[] = [];
  let cancelPlaying = (): void => {};
  let cancelReaction = (): void => {};
  let heard = "";
  let isPaused = false;
  let isClosed = false;

  function playNext(): void {
    const [playing] = queue;
    cancelReaction();
    if (!playing) {
      cancelReaction = clock.after(REACTION_MS, react);
      return;
    }
    if (isPaused) return;
    playing.startedAtMs = clock.elapsedMs();
    cancelPlaying = clock.after(playing.sound.lengthMs - playing.playedBeforeMs, () => {
      queue.shift();
      heard += ` ${playing.sound.words}`;
      end(playing, true);
      // Whoever heard of the end may have gone on to play, or hung up.
      if (!isClosed && (queue[0]?.startedAtMs ?? null) === null) playNext();
    });
  }

  const playedMs = ({ sound, startedAtMs, playedBeforeMs }: Playing): number =>
    startedAtMs === null ? playedBeforeMs : Math.min(playedBeforeMs + clock.elapsedMs() - startedAtMs, sound.lengthMs);

  function end(playing: Playing, isWhole: boolean): void {
    const ended = { isWhole, playedMs: isWhole ? playing.sound.lengthMs : playedMs(playing) };
    talker.guard(() => playing.onEnd(ended));
  }

  function pausePlaying(): void {
    if (isPaused) return;
    isPaused = true;
    const [playing] = queue;
    if (!playing) return;
    cancelPlaying();
    playing.playedBeforeMs = playedMs(playing);
    playing.startedAtMs = null;
  }

  function resumePlaying(): void {
    if (!isPaused) return;
    isPaused = false;
    if (!isClosed && queue.length > 0) playNext();
  }

  function stopPlaying(): void {
    isPaused = false;
    cancelPlaying();
    const stopped = queue;
    queue = [];
    for (const playing of stopped) end(playing, false);
    if (!isClosed && stopped.length > 0 && queue.length === 0) playNext();
  }

  function react(): void {
    const act = callee.reactTo(heard);
    if (act) perform(act);
  }

  function perform(act: Act): void {
    heard = "";
    if (act.do === "press") talker.keyPressed(act.key);
    else if (act.do === "say") talker.heardWords(act.words);
    else over("peer");
  }

  const line: Line = {
    play(sound, onEnd) {
      if (isClosed) return () => 0;
      const playing: Playing = { sound, onEnd, startedAtMs: null, playedBeforeMs: 0 };
      queue.push(playing);
      if (queue.length === 1) playNext();
      return () => playedMs(playing);
    },
    stopPlaying,
    pausePlaying,
    resumePlaying,
    press() {},
    transfer: () =>
      new Promise((resolve) => {
        clock.after(TRANSFER_MS, () => talker.guard(() => resolve(isClosed ? "refused" : callee.transferIs)));
      }),
    // A moment later: the talker may be in the middle of something.
    hangUp: () => void clock.after(0, () => over("us")),
  };

  if (callee.atAnswer) {
    const { afterSeconds, act } = callee.atAnswer;
    clock.after(afterSeconds * SECOND_MS, () => perform(act));
  }
  talker.answered(line);

  return {
    seconds: () => Math.round(clock.elapsedMs() - answeredAtMs) / SECOND_MS,
    close() {
      isClosed = true;
      cancelReaction();
      stopPlaying();
    },
  };
}
