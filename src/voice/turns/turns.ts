// Turn-taking as a pure state machine: start of speech, end of turn, barge-in and backchannels. Recognitions are
// numbered; outdated results are dropped.
import { isBackchannel, LONGEST_PAUSE_MS, pauseMs } from "./end-of-turn.ts";
import {
  FIRST_TURN_STATE,
  type HeardTurn,
  type Segment,
  type TurnCommand,
  type TurnEvent,
  type TurnMove,
  type TurnState,
} from "./turn-model.ts";
import { hearWindow, NO_VOICE, onsetMs, voicedMs, WINDOW_MS } from "./voice-run.ts";
import type { Recognised } from "../../speech/ears/port.ts";

/** Coughs and clicks are shorter, "no" and "ji" are longer. */
const BEGINS_MS = 120;
/** Higher during playback, because residual echo and background would otherwise interrupt. */
const BEGINS_OVER_US_MS = 200;
/** Resumed speech counts at once: two windows, so that one click does not discard recognised words. */
const GOES_ON_MS = 64;
/** Pause after which recognition starts; it does not end the turn. */
const RECOGNISE_AFTER_MS = 200;
/** Padding around the words for the recogniser; with 500 ms it makes twice as many errors. */
const MARGIN_MS = 100;
/** Backchannels are shorter. */
const STOPS_US_AFTER_MS = 600;
/** After a mere noise, playback resumes by then. */
const RESUME_AFTER_MS = 2_000;
/** "Haan" this close to the end of a question is its answer. */
const EARLY_ANSWER_MS = 1_500;
/** Only a slow server needs this long for recognition. A filler by then shows that the line is alive. */
const WAIT_AFTER_MS = 1_500;
/** Minimum silence after a noise before the agent speaks. */
const AFTER_NOISE_MS = 2_000;
/** Ears keep 30 s. Longer speech comes from a machine or is not meant for the agent. */
const LONGEST_SEGMENT_MS = 20_000;

export { FIRST_TURN_STATE };

export function nextTurnMove(state: TurnState, event: TurnEvent, isUnhurried = false): TurnMove {
  if (state.isOver) return { state, commands: [] };
  switch (event.type) {
    case "voice":
      return heardWindow(state, event, isUnhurried);
    case "recognised":
      return recognised(state, event, isUnhurried);
    case "speaks":
      return speaks({ ...state, isKept: event.isKept }, event.nowMs);
    case "speaksOn":
      return stay({ ...state, isKept: true });
    case "listens":
      return listens(state, event);
    case "cut":
      return cut(state, event.atMs);
    case "key":
    case "lost":
      return forget(state, event.nowMs);
    // Discards partial speech; after hold the callee gets the full time to answer.
    case "held":
      return forget({ ...state, isHeld: event.isHeld }, event.nowMs);
    case "elapsed":
      return elapsed(state, event.nowMs);
    case "hungUp":
      return { state: { ...FIRST_TURN_STATE, isOver: true }, commands: [] };
  }
}

/** When `elapsed` is due; null if nothing is pending. */
export function wakeAtMs({ segment, quiet, isHeld, isOver }: TurnState): number | null {
  if (isOver || isHeld) return null;
  if (!segment) return quiet && quiet.sinceMs + quiet.mostMs;
  const atLatest = segment.untilNowMs + LONGEST_PAUSE_MS;
  if (isToBeWaitedFor(segment)) return segment.untilNowMs + WAIT_AFTER_MS;
  return segment.pausedAtMs === null ? atLatest : Math.min(atLatest, segment.pausedAtMs + RESUME_AFTER_MS);
}

type Of<Type extends TurnEvent["type"]> = Extract<TurnEvent, { type: Type }>;

function heardWindow(before: TurnState, event: Of<"voice">, isUnhurried: boolean): TurnMove {
  const { atMs, nowMs } = event;
  const run = hearWindow(before.run, event.isEcho ? 0 : event.probability, atMs);
  const state = { ...before, run, audioMs: atMs };
  const forMs = voicedMs(run, atMs);
  const { segment } = state;
  if (!segment) return forMs < (state.isOurTurn ? BEGINS_OVER_US_MS : BEGINS_MS) ? stay(state) : begin(state, nowMs);
  if (forMs === 0 || segment.isFull) return pause(state, segment, isUnhurried);
  if (segment.asked !== null && forMs < GOES_ON_MS) return stay(state);
  return goOn(state, segment, segment.asked === null ? WINDOW_MS : forMs, nowMs);
}

const stay = (state: TurnState): TurnMove => ({ state, commands: [] });

function begin(state: TurnState, nowMs: number): TurnMove {
  const { audioMs, run, isOurTurn, isKept, heardUntilMs } = state;
  const segment: Segment = {
    fromMs: Math.max(heardUntilMs, onsetMs(run, audioMs)),
    untilMs: audioMs,
    untilNowMs: nowMs,
    voicedMs: voicedMs(run, audioMs),
    asked: null,
    words: undefined,
    ending: { asked: "anything", isAnswered: false, close: "open" },
    pausedAtMs: isOurTurn ? nowMs : null,
    wasInterruption: isKept && !isOurTurn,
    isFull: false,
    isWaitedFor: false,
  };
  return { state: { ...state, segment, early: null }, commands: isOurTurn ? [{ do: "pause" }] : [] };
}

/** Speech starts or resumes: recognised words are joined with what follows. */
function goOn(state: TurnState, segment: Segment, moreMs: number, nowMs: number): TurnMove {
  const { audioMs } = state;
  const voiced = segment.voicedMs + moreMs;
  const known = { asked: null, words: undefined, isWaitedFor: false };
  const longer = { ...segment, ...known, untilMs: audioMs, untilNowMs: nowMs, voicedMs: voiced };
  if (audioMs - segment.fromMs >= LONGEST_SEGMENT_MS) return recognise(state, { ...longer, isFull: true });
  if (segment.pausedAtMs === null || voiced < STOPS_US_AFTER_MS) return stay({ ...state, segment: longer });
  return { state: stopped(state, longer), commands: [{ do: "cancel" }] };
}

const stopped = (state: TurnState, segment: Segment): TurnState => ({
  ...state,
  isOurTurn: false,
  quiet: null,
  segment: { ...segment, pausedAtMs: null, wasInterruption: true },
});

function recognise(state: TurnState, segment: Segment): TurnMove {
  const number = state.asked + 1;
  return {
    state: { ...state, asked: number, segment: { ...segment, asked: number } },
    commands: [
      {
        do: "recognise",
        segment: number,
        fromMs: Math.max(0, segment.fromMs - MARGIN_MS),
        toMs: segment.isFull ? segment.untilMs : segment.untilMs + MARGIN_MS,
      },
    ],
  };
}

/** A second voice behind the caller: the caller's words end here. */
function cut(state: TurnState, atMs: number): TurnMove {
  const { segment } = state;
  return segment?.asked === null ? recognise(state, { ...segment, untilMs: atMs, isFull: true }) : stay(state);
}

function pause(state: TurnState, segment: Segment, isUnhurried: boolean): TurnMove {
  const silentMs = state.audioMs - segment.untilMs;
  if (segment.asked === null) return silentMs < RECOGNISE_AFTER_MS ? stay(state) : recognise(state, segment);
  return isDone(segment, silentMs, isUnhurried) ? end(state, segment) : stay(state);
}

/** Until the words are known the clock decides; see `elapsed`. */
function isDone({ words, ending, pausedAtMs, isFull }: Segment, silentMs: number, isUnhurried: boolean): boolean {
  if (words === undefined || pausedAtMs !== null) return false;
  return isFull || words === null || silentMs >= pauseMs(ending, isUnhurried);
}

function recognised(
  state: TurnState,
  { segment: number, words, ending, nowMs }: Of<"recognised">,
  isUnhurried: boolean,
): TurnMove {
  const { segment } = state;
  if (segment === null || segment.asked !== number || segment.words !== undefined) return stay(state);
  const known = { ...segment, words, ending };
  if (segment.pausedAtMs !== null)
    return isBackchannel(words?.text ?? "") ? resume(state, known, nowMs) : stopUs(state, known, isUnhurried);
  return pause({ ...state, segment: known }, known, isUnhurried);
}

/** Confirmed interruption: the callee takes the floor and may not be done. */
function stopUs(state: TurnState, segment: Segment, isUnhurried: boolean): TurnMove {
  const theirs = stopped(state, segment);
  const move = theirs.segment ? pause(theirs, theirs.segment, isUnhurried) : stay(theirs);
  return { state: move.state, commands: [{ do: "cancel" }, ...move.commands] };
}

/** Not an interruption. The words may answer the end of our question. */
function resume(state: TurnState, segment: Segment, nowMs: number): TurnMove {
  const hasWords = (segment.words?.text.trim() ?? "") !== "";
  return {
    state: { ...dropped(state, segment), early: hasWords ? { turn: turnOf(segment), atMs: nowMs } : null },
    commands: [{ do: "resume" }],
  };
}

/** Noise is not an answer, but speech may follow it. */
const dropped = (state: TurnState, { untilMs, untilNowMs }: Segment): TurnState => ({
  ...state,
  segment: null,
  heardUntilMs: untilMs,
  quiet: state.quiet && {
    ...state.quiet,
    sinceMs: Math.max(state.quiet.sinceMs, untilNowMs + AFTER_NOISE_MS - state.quiet.mostMs),
  },
});

const turnOf = ({ asked, words, fromMs, untilMs, wasInterruption }: Segment): HeardTurn => ({
  segment: asked ?? 0,
  words: words ?? null,
  fromMs,
  toMs: untilMs,
  wasInterruption,
});

/** A cough is not a turn, unless it interrupted: then the missed words must be repeated. */
function end(state: TurnState, segment: Segment): TurnMove {
  const isEmpty = segment.words !== undefined && segment.words !== null && isWordless(segment.words);
  const after = dropped(state, segment);
  if (isEmpty && !segment.wasInterruption) return stay(after);
  return { state: { ...after, isOurTurn: true, quiet: null }, commands: [turnCommand(turnOf(segment))] };
}

const isWordless = ({ text, alarms, nearAlarms = [] }: Recognised) =>
  text.trim() === "" && alarms.length + nearAlarms.length === 0;

const turnCommand = (turn: HeardTurn): TurnCommand => ({ do: "turn", turn });

/** The agent has something to say; a callee in mid-word is heard first. */
function speaks(state: TurnState, nowMs: number): TurnMove {
  const ours = { ...state, isOurTurn: true, quiet: null, early: null };
  const { segment } = state;
  if (!segment || segment.pausedAtMs !== null || segment.words !== undefined) return stay(ours);
  return { state: { ...ours, segment: { ...segment, pausedAtMs: nowMs } }, commands: [{ do: "pause" }] };
}

function listens(state: TurnState, { silenceAfterMs, nowMs }: Of<"listens">): TurnMove {
  const { early, segment } = state;
  const theirs = {
    ...state,
    isOurTurn: false,
    isKept: false,
    early: null,
    quiet: { sinceMs: nowMs, mostMs: silenceAfterMs },
  };
  if (early && nowMs - early.atMs <= EARLY_ANSWER_MS) {
    return { state: { ...theirs, isOurTurn: true, quiet: null }, commands: [turnCommand(early.turn)] };
  }
  if (!segment || segment.pausedAtMs === null) return stay(theirs);
  // Playback ended before the interruption was decided: the speech is a normal answer.
  return { state: { ...theirs, segment: { ...segment, pausedAtMs: null } }, commands: [{ do: "resume" }] };
}

/** Discards all speech so far; the rest of the current word must not start a segment. */
function forget(state: TurnState, nowMs: number): TurnMove {
  const { segment, quiet, audioMs } = state;
  const after = { ...state, run: NO_VOICE, early: null, quiet: quiet && { ...quiet, sinceMs: nowMs } };
  if (!segment) return stay(after);
  const commands: TurnCommand[] = segment.pausedAtMs === null ? [] : [{ do: "resume" }];
  return { state: dropped(after, { ...segment, untilMs: audioMs }), commands };
}

function elapsed(state: TurnState, nowMs: number): TurnMove {
  const { segment, quiet, isHeld } = state;
  if (isHeld) return stay(state);
  if (segment) return waitedFor(state, segment, nowMs);
  if (!quiet || nowMs - quiet.sinceMs < quiet.mostMs) return stay(state);
  return { state: { ...state, quiet: null }, commands: [{ do: "silence" }] };
}

const isToBeWaitedFor = ({ asked, words, pausedAtMs, isWaitedFor }: Segment): boolean =>
  asked !== null && words === undefined && pausedAtMs === null && !isWaitedFor;

function waitedFor(state: TurnState, segment: Segment, nowMs: number): TurnMove {
  const { pausedAtMs, untilNowMs } = segment;
  const isTooLate = nowMs - untilNowMs >= LONGEST_PAUSE_MS;
  if (!isTooLate && isToBeWaitedFor(segment) && nowMs - untilNowMs >= WAIT_AFTER_MS)
    return { state: { ...state, segment: { ...segment, isWaitedFor: true } }, commands: [{ do: "wait" }] };
  if (pausedAtMs === null) return isTooLate ? end(state, segment) : stay(state);
  const isOver = isTooLate || nowMs - pausedAtMs >= RESUME_AFTER_MS;
  return isOver ? resume(state, { ...segment, words: null }, nowMs) : stay(state);
}
