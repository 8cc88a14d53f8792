// The agent that listens and talks. It joins ears, turn taking, understanding, the conversation's table and the voice; keys work at
// any moment beside words, and are what is left when nobody can be heard.
import type { Clock } from "../../core/clock.ts";
import type { Logger } from "../../core/logger.ts";
import { instantOf, wallTime } from "../../core/zones.ts";
import type { Recognised } from "../../speech/ears/port.ts";
import type { Line } from "../../telephony/port.ts";
import { spokenMs } from "../../telephony/simulator/speaking-pace.ts";
import { english } from "../conversation/lines/en.ts";
import {
  FIRST_STATE,
  type CallbackTime,
  type TalkAction,
  type TalkCall,
  type TalkEvent,
} from "../conversation/model.ts";
import type { TalkContext } from "../conversation/moves.ts";
import { analyseTalk, finalOutcome, talkDetails } from "../conversation/result.ts";
import { firstTalkMove, nextTalkMove } from "../conversation/steps.ts";
import { CALL_LATER_MINUTES, words } from "../keypad/words.ts";
import type { Agent, AgentBrief, AgentTools, TalkResult } from "../port.ts";
import { createTalkLog } from "../talk-log.ts";
import { isBackchannel } from "../turns/end-of-turn.ts";
import type { HeardTurn } from "../turns/turn-model.ts";
import type { Expecting, Hearing } from "../understanding/meaning.ts";
import { createErrands } from "./errands.ts";
import { endingOf, meaningOf } from "./hearing-words.ts";
import { likelyLines, linesAfter } from "./likely-lines.ts";
import { createLineSounds } from "./line-sounds.ts";
import { createListening, type HearingTimes } from "./listening.ts";
import { createMessageMoment } from "./message-moment.ts";
import { createSpeaking } from "./speaking.ts";
import { createTurnRecord } from "./turn-record.ts";

export interface TalkingAgentOptions {
  clock: Clock;
  logger: Logger;
  brief: AgentBrief;
  tools: AgentTools;
  /** Should the work fail, the call ends. */
  start(work: () => Promise<void>): void;
}

/** What stops us without a word is noise; the third time it does not stop us again. */
const MOST_STOPS_BY_NOISE = 2;
/** A greeting that asks it by itself need not be followed by the question. */
const ASKS_IDENTITY = /\b(?:am i speaking|is this|speaking (?:with|to)|do i have)\b[^.!]*\?\s*$/i;

/** Whether there are words for a conversation in this language. */
export function canTalkIn(language: string): boolean {
  return /^(?:en|eng|english)(?:[-_ (]|$)/i.test(language.trim());
}

export function createTalkingAgent({ clock, logger, brief, tools, start }: TalkingAgentOptions): Agent {
  const greeting = words.greeting(brief);
  const call: TalkCall = {
    canBook: tools.desk?.canBook ?? false,
    canTransfer: brief.transferTo !== null,
    isOutbound: brief.direction === "outbound",
    agentName: brief.agentName,
    contactName: brief.contactName,
    greeting,
    greetingAsksIdentity: tools.recorded("greeting") === null && ASKS_IDENTITY.test(greeting.text),
  };
  const sounds = createLineSounds({ clock, logger, language: brief.language, tools });
  const log = createTalkLog(clock);
  const record = createTurnRecord();
  const errands = createErrands({ clock, logger, desk: tools.desk, transferTo: brief.transferTo });
  const speaking = createSpeaking({
    clock,
    sounds,
    log,
    ready: () => record.mark("tts_first", nowMs()),
    begins: (agoMs) => record.mark("rtp_first", nowMs() - agoMs),
  });
  const listening = createListening({
    clock,
    ears: tools.ears,
    isUnhurried: brief.isUnhurried ?? false,
    nowMs,
    start,
    endingOf: (heard) => endingOf(heard && meaningOf(heard, hearing()), expecting),
    playedFrame: speaking.playedFrame,
    on: {
      pause: speaking.pause,
      resume: speaking.resume,
      cancel(pausedAtMs) {
        record.mark("interrupted_at", pausedAtMs);
        speaking.interrupt();
      },
      likely: (heard) =>
        speaking.prepare(linesAfter(state, meaningOf(heard, hearing()), context(), errands.appointment())),
      turn: heardTurn,
      silence: () => handle({ type: "silence" }),
      beep: heardBeep,
      deaf() {
        logger.warn("The ears of a call were lost; it goes on by keypad.");
        if (line) handle({ type: "deaf" });
        else isDeafFromTheStart = true;
      },
    },
  });
  const messageMoment = createMessageMoment({ clock, quietForMs: listening.quietForMs });
  let line: Line | null = null;
  let state = FIRST_STATE;
  let expecting: Expecting = "anything";
  let silenceAfterMs = 0;
  /** Counts actions: what an old one still reports is dropped. */
  let turn = 0;
  let answeredAtMs = 0;
  let wordsHeard = 0;
  let stopsByNoise = 0;
  let isDeafFromTheStart = false;
  /** For a machine, once it is being said. */
  let message: TalkAction | null = null;
  let wasMessageRepeated = false;
  let isEnded = false;

  // The greeting first: it is what the callee waits for.
  const first = firstTalkMove(state, context());
  if (first.action?.do === "say") speaking.prepare(first.action.lines);
  else speaking.prepare([greeting]);
  start(async () => {
    const appointment = await errands.lookedUp;
    if (!isEnded) speaking.prepare(likelyLines(first.state, context(), appointment));
  });

  function nowMs(): number {
    return clock.elapsedMs() - answeredAtMs;
  }

  function localNow(): CallbackTime {
    const { date, minuteOfDay } = wallTime(clock.now(), brief.timeZone);
    const twoDigits = (value: number) => String(value).padStart(2, "0");
    return { date, startTime: `${twoDigits(Math.floor(minuteOfDay / 60))}:${twoDigits(minuteOfDay % 60)}` };
  }

  function context(): TalkContext {
    return { call, lines: english, told: speaking.told, now: localNow() };
  }

  function hearing(): Hearing {
    const { date: today, startTime: nowTime } = localNow();
    const { offers, chosen, appointment } = state;
    const lastOffered = chosen ?? offers.at(-1) ?? appointment;
    return { expecting, offers, today, nowTime, lastOffered, language: brief.language };
  }

  function heardTurn({ words: heard, fromMs, toMs, wasInterruption }: HeardTurn, times: HearingTimes): void {
    record.begins({ ...times, commit: nowMs() });
    const agoMs = nowMs() - (times.speech_end - (toMs - fromMs));
    if (!heard) recogniserFailed();
    else if (heard.text.trim() === "" && heard.alarms.length === 0) stoppedByNoise(wasInterruption);
    // A long "hello?" or "mhm": they want to hear it, and answer nothing.
    else if (wasInterruption && isBackchannel(heard.text)) {
      log.heard(heard.text, agoMs);
      stoppedByNoise(true);
    } else understood(heard, agoMs);
  }

  /** It may be the machine's fault or the line's: the keys are named, and words still count where they are heard. */
  function recogniserFailed(): void {
    logger.warn("The recogniser did not answer for a call; the keys are named.");
    handle({ type: "deaf" });
  }

  function stoppedByNoise(wasInterruption: boolean): void {
    if (wasInterruption) stopsByNoise++;
    goOn();
  }

  function understood(heard: Recognised, agoMs: number): void {
    log.heard(heard.text, agoMs);
    wordsHeard++;
    record.mark("llm_start", nowMs());
    handle({ type: "heard", meaning: meaningOf(heard, hearing()) });
  }

  function handle(event: TalkEvent): void {
    if (!line || isEnded) return;
    const move = nextTalkMove(state, event, context());
    state = move.state;
    if (event.type === "heard" || event.type === "key") record.mark("llm_first", nowMs());
    if (move.action) perform(move.action);
    else goOn();
  }

  /** What was under way goes on, from where it was cut off. */
  function goOn(): void {
    if (speaking.sayAgain()) listening.speaks(canBeStopped());
    else if (state.stage === "listening") listening.listens(silenceAfterMs);
  }

  /** Once the call's business is done, nothing that is said would change anything: our words are heard to their end. */
  function canBeStopped(): boolean {
    return state.stage === "asking" && stopsByNoise < MOST_STOPS_BY_NOISE;
  }

  function perform(action: TalkAction): void {
    turn++;
    speaking.drop();
    if (action.do === "hangUp") line?.hangUp();
    else if (action.do === "listen") listen(action);
    else carryOut(action);
  }

  function listen({ forMs, expecting: answers }: Extract<TalkAction, { do: "listen" }>): void {
    if (isDeafFromTheStart) {
      isDeafFromTheStart = false;
      handle({ type: "deaf" });
      return;
    }
    expecting = answers;
    silenceAfterMs = forMs;
    stopsByNoise = 0;
    listening.listens(forMs);
  }

  function carryOut(action: Exclude<TalkAction, { do: "hangUp" | "listen" }>): void {
    if (action.do === "say") ({ expecting } = action);
    listening.speaks(canBeStopped());
    const mine = turn;
    const isCurrent = () => mine === turn && !isEnded;
    start(async () => {
      const event = await outcomeOf(action, isCurrent);
      if (event && isCurrent()) handle(event);
    });
  }

  const isForMachine = () => state.stage === "telling" && state.outcome === "machine_answered";

  /** What was said before it is in no message, so it is said again. */
  function heardBeep(): void {
    messageMoment.beeped();
    if (!isForMachine()) handle({ type: "beep" });
    else if (message && !wasMessageRepeated) {
      wasMessageRepeated = true;
      perform(message);
    }
  }

  async function outcomeOf(
    action: Exclude<TalkAction, { do: "hangUp" | "listen" }>,
    isCurrent: () => boolean,
  ): Promise<TalkEvent | null> {
    if (action.do !== "say") return errands.run(action, line);
    if (isForMachine()) await messageMoment.comes();
    if (!isCurrent()) return null;
    if (isForMachine()) message = action;
    const saying = speaking.say(action.lines);
    // After what is said now: the voice makes one clause after the other.
    speaking.prepare(likelyLines(state, context(), errands.appointment()));
    const said = await saying;
    return said && { type: "said", ...said };
  }

  return {
    answered(answeredLine) {
      if (line || isEnded) return;
      line = answeredLine;
      answeredAtMs = clock.elapsedMs();
      log.answered();
      record.begins({ commit: 0 });
      speaking.answered(answeredLine);
      ({ state } = first);
      if (first.action) perform(first.action);
    },
    keyPressed(key) {
      if (!line || isEnded) return;
      log.pressed(key);
      listening.forget();
      record.begins({ commit: nowMs(), llm_start: nowMs() });
      handle({ type: "key", key });
    },
    heardFrame(frame) {
      if (line && !isEnded) listening.heardFrame(frame);
    },
    heardWords(heard) {
      if (!line || isEnded) return;
      listening.forget();
      record.begins({ speech_end: nowMs(), commit: nowMs() });
      understood({ text: heard, confidence: 1, alarms: [] }, spokenMs(heard));
    },
    ended(by) {
      isEnded = true;
      listening.close();
      speaking.drop();
      sounds.close();
      const transcript = log.transcript();
      const hasSpoken = transcript.some(({ speaker }) => speaker === "agent");
      const end = { state, by, keys: log.keys(), wordsHeard, hasSpoken };
      return {
        transcript,
        analytics: analyseTalk(brief, end),
        extractedDetails: talkDetails(end),
        // Where words stand in for sound, nobody waited for anything.
        ...(listening.hasHeardSound() && { turns: record.list() }),
        ...consequences(),
      };
    },
  };

  function consequences(): Pick<TalkResult, "callbackAt" | "callbackInMinutes" | "optOut"> {
    const outcome = finalOutcome(state);
    if (outcome === "opted_out") return { optOut: true };
    if (outcome !== "call_later") return {};
    const { callback } = state;
    if (!callback) return { callbackInMinutes: CALL_LATER_MINUTES };
    const [hours = 0, minutes = 0] = callback.startTime.split(":").map(Number);
    return { callbackAt: instantOf(callback.date, hours * 60 + minutes, brief.timeZone) };
  }
}
