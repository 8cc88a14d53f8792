// A voice reminder with keypad answers. It carries out what the steps decide: plays, waits, asks the calendar, hangs up.
import { SECOND_MS, type Clock } from "../../core/clock.ts";
import type { Logger } from "../../core/logger.ts";
import { wallTime } from "../../core/zones.ts";
import { FIRST_STATE, type Action, type KeypadCall, type KeypadEvent } from "./keypad-model.ts";
import { createHearing } from "./hearing.ts";
import { analyseKeypad, keypadDetails } from "./keypad-result.ts";
import { MOST_OFFERS, menuLines, nextMove, withAppointment } from "./keypad-steps.ts";
import type { Line, Sound, TransferEnd } from "../../telephony/port.ts";
import { createAgreements, type Agreements } from "../agreements.ts";
import { askDesk, NOTHING_UNDONE } from "../desk-questions.ts";
import type {
  Agent,
  AgentBrief,
  AgentTools,
  Agreed,
  BookingDesk,
  KnownAppointment,
  SlotOffer,
  TalkResult,
} from "../port.ts";
import { createHoldTimers, type HoldTimers } from "../hold-timers.ts";
import { createSounds, type Sounds } from "../sounds.ts";
import { createTalkLog, type TalkLog } from "../talk-log.ts";
import { within } from "../../core/within.ts";
import { confidenceIn, SURE } from "../conversation/confidence.ts";
import { understand } from "../understanding/understand.ts";
import { keypadWordsIn } from "./lines/languages.ts";
import { CALL_LATER_MINUTES, type SpokenLine } from "./words.ts";

/** The calendar answers in milliseconds; a caller takes three seconds of silence for a dead line. */
const DESK_MOST_MS = 2.5 * SECOND_MS;
/** Then what will be said without it is made. */
const DESK_USUAL_MS = 500;
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

export function createKeypadAgent(options: KeypadAgentOptions): Agent {
  return new KeypadAgent(options);
}

class KeypadAgent implements Agent {
  readonly #options: KeypadAgentOptions;
  readonly #call: KeypadCall;
  readonly #greeting: SpokenLine;
  readonly #sounds: Sounds;
  readonly #log: TalkLog;
  readonly #hearing = createHearing();
  readonly #agreements: Agreements;
  readonly #timers: HoldTimers;
  readonly #lookUp: Promise<KnownAppointment | null | "unknown">;
  #line: Line | null = null;
  #state = FIRST_STATE;
  /** Counts actions: what an old one still reports is dropped. */
  #turn = 0;
  #isEnded = false;
  #isPlaying = false;
  #stopWaiting = (): void => {};

  constructor(options: KeypadAgentOptions) {
    const { clock, logger, brief, tools, start } = options;
    this.#options = options;
    this.#call = callOf(brief, tools);
    this.#greeting = this.#call.words.greeting(brief);
    this.#sounds = createSounds({ clock, logger, language: brief.language, tools });
    this.#log = createTalkLog(clock);
    this.#timers = createHoldTimers(clock);
    this.#agreements = createAgreements({ clock, logger, agree: tools.agree });
    // The greeting first: it is what the callee waits for.
    this.#sounds.prepare(this.#greeting);
    const { desk } = tools;
    this.#lookUp = desk
      ? within(clock, DESK_MOST_MS, () => desk.appointment(), "unknown" as const)
      : Promise.resolve(null);
    start(() => this.#prepareMenu());
  }

  answered(line: Line): void {
    if (this.#line || this.#isEnded) return;
    this.#line = line;
    this.#log.answered();
    this.#perform({ do: "say", lines: [this.#greeting] });
  }

  keyPressed(key: string): void {
    if (!this.#line || this.#isEnded) return;
    this.#log.pressed(key);
    this.#handle({ type: "key", key });
  }

  held(isHeld: boolean): void {
    this.#timers.held(isHeld);
  }

  heardWords(heard: string): void {
    if (!this.#line || this.#isEnded) return;
    this.#log.heard(heard);
    if (this.#isMachine(heard)) this.#handle({ type: "machine" });
  }

  /** What answers with words is a machine or a person; a person is heard by keys alone. */
  #isMachine(words: string): boolean {
    const { clock, brief } = this.#options;
    const { date: today } = wallTime(clock.now(), brief.timeZone);
    const { language } = brief;
    const hearing = {
      expecting: "anything",
      offers: [],
      today,
      nowTime: "12:00",
      lastOffered: null,
      language,
    } as const;
    return confidenceIn(understand(words, hearing), "machine") >= SURE;
  }

  ended(by: "us" | "peer"): TalkResult {
    this.#isEnded = true;
    this.#stopWaiting();
    this.#sounds.close();
    const transcript = this.#log.transcript();
    const hasSpoken = transcript.some(({ speaker }) => speaker === "agent");
    const end = { state: this.#state, by, keys: this.#log.keys(), hasSpoken };
    return {
      transcript,
      analytics: analyseKeypad(this.#options.brief, end),
      extractedDetails: keypadDetails(end),
      ...this.#agreed(),
    };
  }

  #agreed(): Agreed {
    return this.#state.answer === "call_later" ? { callbackInMinutes: CALL_LATER_MINUTES } : {};
  }

  async #prepareMenu(): Promise<void> {
    const appointment = await this.#lookUp;
    if (appointment === "unknown") this.#options.logger.warn("An agent could not look up the appointment of its call.");
    if (this.#isEnded) return;
    const known = withAppointment(this.#state, { appointment, canBeNamed: true }, this.#call);
    for (const each of menuLines(known, this.#call, this.#hearing)) this.#sounds.prepare(each);
  }

  #handle(event: KeypadEvent): void {
    const move = nextMove(this.#state, event, this.#call, this.#hearing);
    this.#state = move.state;
    this.#agreements.stand(this.#agreed());
    if (!move.action) return;
    this.#turn++;
    this.#hearing.interrupted();
    this.#stopWaiting();
    if (this.#isPlaying) this.#line?.stopPlaying();
    this.#perform(move.action);
  }

  #perform(action: Action): void {
    if (action.do === "hangUp") return this.#line?.hangUp();
    const mine = this.#turn;
    const isCurrent = () => mine === this.#turn && !this.#isEnded;
    this.#options.start(async () => {
      const event = await this.#outcomeOf(action, isCurrent);
      if (isCurrent()) this.#handle(event);
    });
  }

  async #outcomeOf(action: Exclude<Action, { do: "hangUp" }>, isCurrent: () => boolean): Promise<KeypadEvent> {
    switch (action.do) {
      case "say":
        return { type: "said", wasHeard: await this.#say(action.lines, isCurrent) };
      case "listen":
        await this.#wait(action.forMs);
        return { type: "silence" };
      case "lookUp":
        return this.#lookedUp();
      case "confirm":
        return this.#ask("confirm", (at) => at.confirm(), done("confirmed"));
      case "requestChange":
        return this.#ask("requestChange", (at) => at.requestChange(), done("changeRequested"));
      case "offer":
        return this.#offers(isCurrent);
      case "book":
        return this.#ask(
          "book",
          (at) => at.book(action.label),
          (slot) => ({ type: "booked", slot }),
        );
      case "undo":
        return this.#ask(
          "undo",
          async (at) => (await at.undo?.()) ?? NOTHING_UNDONE,
          (undone) => ({ type: "undone", ...undone }),
        );
      case "join":
        return this.#ask("wait", async (at) => at.wait?.(null) ?? false, done("joined"));
      case "decline":
        return this.#ask("decline", async (at) => at.decline?.(action.stays) ?? false, done("declined"));
      case "transfer":
        return { type: "transferred", outcome: await this.#transfer() };
    }
  }

  async #lookedUp(): Promise<KeypadEvent> {
    const appointment = await this.#lookUp;
    const isKnown = appointment !== null && appointment !== "unknown";
    const canBeNamed = isKnown && (await this.#sounds.of(this.#call.words.appointment(appointment))) !== null;
    return { type: "lookedUp", appointment, canBeNamed };
  }

  #wait(forMs: number): Promise<void> {
    return new Promise((resolve) => {
      this.#stopWaiting = this.#timers.after(forMs, resolve);
    });
  }

  /** Whether there was sound for at least one line. */
  async #say(lines: readonly SpokenLine[], isCurrent: () => boolean): Promise<boolean> {
    let wasHeard = false;
    this.#hearing.announced(lines);
    for (const each of lines) this.#sounds.prepare(each);
    // Nobody is promised what is not written down.
    await this.#agreements.written();
    for (const each of lines) {
      const sound = await this.#sounds.of(each);
      if (!isCurrent()) break;
      if (!sound) {
        this.#hearing.ended(each);
        continue;
      }
      wasHeard = true;
      await this.#play(each, sound.sound, sound.isRecording);
      if (!isCurrent()) break;
    }
    return wasHeard;
  }

  #play(spoken: SpokenLine, sound: Sound, isRecording: boolean): Promise<void> {
    const { lengthMs } = sound;
    const fallsSilent = this.#log.begins(spoken, isRecording, lengthMs);
    return new Promise((resolve) => {
      const finish = (playedMs: number): void => {
        this.#isPlaying = false;
        cancel();
        fallsSilent(playedMs);
        resolve();
      };
      const cancel = this.#timers.after(lengthMs + PLAY_GRACE_MS, () => finish(lengthMs));
      this.#isPlaying = true;
      const playedMs = this.#line?.play(sound, (end) => {
        this.#hearing.ended(spoken);
        finish(end.isWhole ? lengthMs : end.playedMs);
      });
      if (playedMs) this.#hearing.begins(spoken, isRecording, lengthMs, playedMs);
    });
  }

  /** Slots that nobody could hear are not asked for, because they would be kept from others for a while. */
  async #offers(isCurrent: () => boolean): Promise<KeypadEvent> {
    const offered = (offers: readonly SlotOffer[]): KeypadEvent => ({ type: "offered", offers });
    const canSpeak = (await this.#sounds.of(this.#call.words.offersLead)) !== null;
    return canSpeak && isCurrent() ? this.#ask("offer", (at) => at.offer(MOST_OFFERS), offered) : offered([]);
  }

  async #ask<Value>(
    what: string,
    question: (at: BookingDesk) => Promise<Value>,
    told: (answer: Value) => KeypadEvent,
  ): Promise<KeypadEvent> {
    const { clock, logger, tools } = this.#options;
    const cancel = clock.after(DESK_USUAL_MS, () => this.#sounds.prepare(this.#call.words.unreachable));
    const answer = await askDesk(clock, tools.desk, DESK_MOST_MS, question);
    cancel();
    if ("is" in answer) return told(answer.is);
    logger.warn("The calendar did not answer an agent.", { question: what });
    return { type: "unreachable", ...answer };
  }

  async #transfer(): Promise<TransferEnd> {
    const line = this.#line;
    const { transferTo } = this.#options.brief;
    if (!line || transferTo === null) return "refused";
    return within(this.#options.clock, TRANSFER_MOST_MS, () => line.transfer(transferTo), "refused" as const);
  }
}

const done =
  (type: "confirmed" | "changeRequested" | "joined" | "declined") =>
  (isDone: boolean): KeypadEvent => ({ type, isDone });

function callOf(brief: AgentBrief, tools: KeypadAgentOptions["tools"]): KeypadCall {
  const words = keypadWordsIn(brief.language);
  return {
    words,
    canBook: tools.desk?.canBook ?? false,
    canWait: tools.desk?.canWait ?? false,
    hasPlace: tools.desk?.hasPlace ?? false,
    canTransfer: brief.transferTo !== null,
    isOutbound: brief.direction === "outbound",
    hasRecordedMenu: tools.recorded("menu") !== null,
    recordedGreeting: tools.recorded("greeting") === null ? null : words.greeting(brief),
    message: words.message(brief),
  };
}
