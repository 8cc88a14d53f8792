// A voice reminder with keypad answers. It carries out what the steps decide: plays, waits, asks the calendar, hangs up.
import { SECOND_MS, type Clock } from "../../core/clock.ts";
import type { Logger } from "../../core/logger.ts";
import { FIRST_STATE, type Action, type KeypadCall, type KeypadEvent } from "./keypad-model.ts";
import { createHearing } from "./hearing.ts";
import { analyseKeypad, keypadDetails } from "./keypad-result.ts";
import { MOST_OFFERS, menuLines, nextMove, withAppointment } from "./keypad-steps.ts";
import type { Line, Sound, TransferEnd } from "../../telephony/port.ts";
import type { Agent, AgentBrief, AgentTools } from "../port.ts";
import { createSounds } from "../sounds.ts";
import { createTalkLog } from "../talk-log.ts";
import { within } from "../../core/within.ts";
import { soundsLikeMachine } from "../voicemail.ts";
import { CALL_LATER_MINUTES, words, type SpokenLine } from "./words.ts";

/** The calendar answers in milliseconds; a caller takes five seconds of silence for a dead line. */
const DESK_MOST_MS = 5 * SECOND_MS;
/** A phone rings for half a minute or so before a switchboard gives up; the line has its own end, this is the last one. */
const TRANSFER_MOST_MS = 90 * SECOND_MS;
/** Past its length, a sound whose end was never reported is over. */
const PLAY_GRACE_MS = 2 * SECOND_MS;

export interface KeypadAgentOptions {
  clock: Clock;
  logger: Logger;
  brief: AgentBrief;
  tools: Omit<AgentTools, "say" | "ears">;
  /** Should the work fail, the call ends. */
  start(work: () => Promise<void>): void;
}

export function createKeypadAgent({ clock, logger, brief, tools, start }: KeypadAgentOptions): Agent {
  const { desk } = tools;
  const call: KeypadCall = {
    canBook: desk?.canBook ?? false,
    canTransfer: brief.transferTo !== null,
    isOutbound: brief.direction === "outbound",
    hasRecordedMenu: tools.recorded("menu") !== null,
    recordedGreeting: tools.recorded("greeting") === null ? null : words.greeting(brief),
    message: words.message(brief),
  };
  const sounds = createSounds({ clock, logger, language: brief.language, tools });
  const log = createTalkLog(clock);
  const hearing = createHearing();
  let line: Line | null = null;
  let state = FIRST_STATE;
  /** Counts actions: what an old one still reports is dropped. */
  let turn = 0;
  let isEnded = false;
  let isPlaying = false;
  let stopWaiting = (): void => {};

  // The greeting first: it is what the callee waits for.
  const greeting = words.greeting(brief);
  sounds.prepare(greeting);
  const lookUp = desk
    ? within(clock, DESK_MOST_MS, () => desk.appointment(), "unknown" as const)
    : Promise.resolve(null);
  start(async () => {
    const appointment = await lookUp;
    if (appointment === "unknown") logger.warn("An agent could not look up the appointment of its call.");
    if (isEnded) return;
    const known = withAppointment(state, { appointment, canBeNamed: true }, call);
    for (const each of menuLines(known, call, hearing)) sounds.prepare(each);
  });

  function handle(event: KeypadEvent): void {
    const move = nextMove(state, event, call, hearing);
    state = move.state;
    if (!move.action) return;
    turn++;
    hearing.interrupted();
    stopWaiting();
    if (isPlaying) line?.stopPlaying();
    perform(move.action);
  }

  function perform(action: Action): void {
    if (action.do === "hangUp") return line?.hangUp();
    const mine = turn;
    const isCurrent = () => mine === turn && !isEnded;
    start(async () => {
      const event = await outcomeOf(action, isCurrent);
      if (isCurrent()) handle(event);
    });
  }

  async function outcomeOf(action: Exclude<Action, { do: "hangUp" }>, isCurrent: () => boolean): Promise<KeypadEvent> {
    switch (action.do) {
      case "say":
        return { type: "said", wasHeard: await say(action.lines, isCurrent) };
      case "listen":
        await wait(action.forMs);
        return { type: "silence" };
      case "lookUp":
        return lookedUp();
      case "confirm":
        return { type: "confirmed", isDone: await ask("confirm", (at) => at.confirm(), false) };
      case "requestChange":
        return { type: "changeRequested", isDone: await ask("requestChange", (at) => at.requestChange(), false) };
      case "offer":
        return { type: "offered", offers: await offers(isCurrent) };
      case "book":
        return { type: "booked", slot: await ask("book", (at) => at.book(action.label), "failed" as const) };
      case "transfer":
        return { type: "transferred", outcome: await transfer() };
    }
  }

  async function lookedUp(): Promise<KeypadEvent> {
    const appointment = await lookUp;
    const isKnown = appointment !== null && appointment !== "unknown";
    const canBeNamed = isKnown && (await sounds.of(words.appointment(appointment))) !== null;
    return { type: "lookedUp", appointment, canBeNamed };
  }

  function wait(forMs: number): Promise<void> {
    return new Promise((resolve) => {
      stopWaiting = clock.after(forMs, resolve);
    });
  }

  /** Whether there was sound for at least one line. */
  async function say(lines: readonly SpokenLine[], isCurrent: () => boolean): Promise<boolean> {
    let wasHeard = false;
    hearing.announced(lines);
    for (const each of lines) sounds.prepare(each);
    for (const each of lines) {
      const sound = await sounds.of(each);
      if (!isCurrent()) break;
      if (!sound) {
        hearing.ended(each);
        continue;
      }
      wasHeard = true;
      await play(each, sound.sound, sound.isRecording);
      if (!isCurrent()) break;
    }
    return wasHeard;
  }

  function play(spoken: SpokenLine, sound: Sound, isRecording: boolean): Promise<void> {
    const { lengthMs } = sound;
    const fallsSilent = log.begins(spoken, isRecording, lengthMs);
    return new Promise((resolve) => {
      const finish = (playedMs: number): void => {
        isPlaying = false;
        cancel();
        fallsSilent(playedMs);
        resolve();
      };
      const cancel = clock.after(lengthMs + PLAY_GRACE_MS, () => finish(lengthMs));
      isPlaying = true;
      const playedMs = line?.play(sound, (end) => {
        hearing.ended(spoken);
        finish(end.isWhole ? lengthMs : end.playedMs);
      });
      if (playedMs) hearing.begins(spoken, isRecording, lengthMs, playedMs);
    });
  }

  /** Slots that nobody could hear are not asked for, because they would be kept from others for a while. */
  async function offers(isCurrent: () => boolean) {
    const canSpeak = (await sounds.of(words.offersLead)) !== null;
    return canSpeak && isCurrent() ? ask("offer", (at) => at.offer(MOST_OFFERS), []) : [];
  }

  async function ask<Value, Otherwise>(
    what: string,
    question: (at: NonNullable<typeof desk>) => Promise<Value>,
    otherwise: Otherwise,
  ): Promise<Value | Otherwise> {
    const answer = desk ? await within(clock, DESK_MOST_MS, async () => ({ is: await question(desk) }), null) : null;
    if (answer) return answer.is;
    logger.warn("The calendar did not answer an agent.", { question: what });
    return otherwise;
  }

  async function transfer(): Promise<TransferEnd> {
    const { transferTo } = brief;
    if (!line || transferTo === null) return "refused";
    const on = line;
    return within(clock, TRANSFER_MOST_MS, () => on.transfer(transferTo), "refused" as const);
  }

  return {
    answered(answeredLine) {
      if (line || isEnded) return;
      line = answeredLine;
      log.answered();
      perform({ do: "say", lines: [greeting] });
    },
    keyPressed(key) {
      if (!line || isEnded) return;
      log.pressed(key);
      handle({ type: "key", key });
    },
    heardWords(heard) {
      if (!line || isEnded) return;
      log.heard(heard);
      if (soundsLikeMachine(heard)) handle({ type: "machine" });
    },
    ended(by) {
      isEnded = true;
      stopWaiting();
      sounds.close();
      const transcript = log.transcript();
      const hasSpoken = transcript.some(({ speaker }) => speaker === "agent");
      const end = { state, by, keys: log.keys(), hasSpoken };
      return {
        transcript,
        analytics: analyseKeypad(brief, end),
        extractedDetails: keypadDetails(end),
        ...(state.answer === "call_later" && { callbackInMinutes: CALL_LATER_MINUTES }),
      };
    },
  };
}
