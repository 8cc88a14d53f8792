// The call agent: connects ears, turn-taking, understanding, the conversation table and the voice. Keys count at any
// moment.
import type { Recognised } from "../../speech/ears/port.ts";
import type { Line } from "../../telephony/port.ts";
import { spokenMs } from "../../audio/speaking-pace.ts";
import { FIRST_STATE, type TalkAction, type TalkCall, type TalkEvent, type TalkMove } from "../conversation/model.ts";
import type { TalkContext } from "../conversation/moves.ts";
import { requiredNotices } from "../conversation/notices.ts";
import { agreedIn } from "../conversation/result.ts";
import { firstTalkMove } from "../conversation/opening.ts";
import { nextTalkMove } from "../conversation/steps.ts";
import { createTruthful } from "../conversation/truthful.ts";
import type { Agent, TalkResult } from "../port.ts";
import { createAgreements, type Agreements } from "../agreements.ts";
import { createTalkLog, type TalkLog } from "./talk-log.ts";
import type { HeardTurn } from "../turns/turn-model.ts";
import type { Expecting } from "../understanding/meaning.ts";
import type { Lead } from "../model-led/lead.ts";
import { isLeaving, isLost, judgeTurn, type Loudness } from "./background.ts";
import { beLed, leadFor, type LedTurn } from "./be-led.ts";
import { createCallRecording, type CallRecording } from "./call-recording.ts";
import { coversFor } from "./covers.ts";
import type { Errands } from "./errands.ts";
import { errandsFor } from "./errands-for.ts";
import { hearingNow, meaningOf, overUs, writtenOf } from "./hearing-words.ts";
import { createLastErrands, isLastErrand, lastWordsOf } from "./last-words.ts";
import { likelyPhrases } from "./likely-phrases.ts";
import { createPhraseSounds, type PhraseSounds } from "./phrase-sounds.ts";
import { listeningFor } from "./listening-for.ts";
import type { HearingTimes, Listening } from "./listening-port.ts";
import { createMessageMoment, isForMachine, type MessageMoment } from "./message-moment.ts";
import { createSpeaking, type Speaking } from "./speaking.ts";
import { phrasesOf, talkCallOf, talkContextOf, type TalkingAgentOptions } from "./talk-call.ts";
import { talkResultOf } from "./talk-result.ts";
import { createTurnRecord } from "./turn-record.ts";

export const createTalkingAgent = (options: TalkingAgentOptions): Agent => new TalkingAgent(options);

/** An action with an outcome. */
type Lasting = Exclude<TalkAction, { do: "hangUp" | "listen" }>;

class TalkingAgent implements Agent {
  readonly #options: TalkingAgentOptions;
  readonly #call: TalkCall;
  readonly #sounds: PhraseSounds;
  readonly #log: TalkLog;
  readonly #record = createTurnRecord();
  readonly #errands: Errands;
  readonly #agreements: Agreements;
  readonly #speaking: Speaking;
  readonly #listening: Listening;
  readonly #messageMoment: MessageMoment;
  readonly #lead: Lead | null;
  readonly #lastErrands = createLastErrands();
  readonly #recording: CallRecording;
  readonly #first: TalkMove;
  readonly heardFrame?: NonNullable<Agent["heardFrame"]>;
  #line: Line | null = null;
  #state = FIRST_STATE;
  #expecting: Expecting = "anything";
  #silenceAfterMs = 0;
  #turn = 0;
  #answeredAtMs = 0;
  readonly #counts = { wordsHeard: 0, unrecognised: 0, isLost: false };
  #stopsByNoise = 0;
  #isDeafFromTheStart = false;
  #hasOfferedKeys = false;
  #isEnded = false;
  /** The line is down; last words may still be recognised and stored in the calendar. */
  #isDown = false;
  readonly #nowMs = (): number => this.#options.clock.elapsedMs() - this.#answeredAtMs;
  readonly #meaningOf = (heard: Recognised) =>
    meaningOf(heard, hearingNow(this.#state, this.#expecting, this.#context().now, this.#options.brief.language));
  readonly #isLost = (heard: Recognised) => isLost(this.#state, this.#meaningOf(heard), this.#context());

  constructor(options: TalkingAgentOptions) {
    const { clock, logger, brief, tools, start } = options;
    this.#options = options;
    this.#call = talkCallOf(brief, tools);
    this.#sounds = createPhraseSounds({
      clock,
      logger,
      language: brief.language,
      isMute: brief.isMute ?? false,
      tools,
    });
    this.#log = createTalkLog(clock);
    this.#recording = createCallRecording(brief.recording, this.#nowMs);
    const recording = () => this.#recording.state();
    const truthful = createTruthful({ call: this.#call, phrases: phrasesOf(brief), recording });
    this.#errands = errandsFor(options, {
      sounds: this.#sounds,
      speaking: () => this.#speaking,
      context: () => this.#context(),
      isCurrent: () => !this.#isEnded,
    });
    this.#agreements = createAgreements({ clock, logger, agree: tools.agree });
    this.#speaking = createSpeaking({
      clock,
      sounds: this.#sounds,
      log: this.#log,
      covers: coversFor(brief, tools),
      truthful,
      required: requiredNotices(this.#call),
      noticed: (kinds) => this.#recording.noticed(kinds),
      mayCover: () => !brief.notices || this.#speaking.told.isHeard("caller"),
      quietForMs: () => this.#listening.quietForMs(),
      ready: () => this.#record.mark("tts_first", this.#nowMs()),
      begins: (agoMs) => this.#record.mark("rtp_first", this.#nowMs() - agoMs),
    });
    this.#listening = this.#createListening();
    // Ignores early media, which is not the callee.
    if (tools.ears) this.heardFrame = (frame, lost) => this.#line && this.#listening.heardFrame(frame, lost);
    this.#messageMoment = createMessageMoment({ clock, quietForMs: () => this.#listening.quietForMs() });
    this.#lead = leadFor(options, truthful, (ahead) => this.#speaking.prepare(ahead));
    this.#first = firstTalkMove(this.#state, this.#context());
    const { action, state } = this.#first;
    this.#speaking.prepare([...(action?.do === "say" ? action.phrases : state.lead), ...coversFor(brief, tools)]);
    start(async () => {
      const appointment = await this.#errands.lookedUp;
      if (!this.#isEnded) this.#speaking.prepare(likelyPhrases(state, this.#context(), appointment));
    });
  }

  answered(line: Line): void {
    if (this.#line || this.#isEnded) return;
    this.#line = line;
    this.#answeredAtMs = this.#options.clock.elapsedMs();
    this.#log.answered();
    this.#record.begins({ commit: 0 });
    this.#speaking.answered(line);
    this.#recording.answered(line);
    this.#state = this.#first.state;
    if (this.#first.action) this.#perform(this.#first.action);
  }

  keyPressed(key: string): void {
    if (!this.#line || this.#isEnded) return;
    this.#log.pressed(key);
    this.#listening.forget();
    this.#record.begins({ commit: this.#nowMs(), llm_start: this.#nowMs() });
    this.#handle({ type: "key", key });
  }

  held(isHeld: boolean): void {
    this.#speaking.held(isHeld);
    this.#listening.held(isHeld);
  }

  heardWords(heard: string): void {
    if (!this.#line || this.#isEnded) return;
    this.#listening.forget();
    this.#record.begins({ speech_end: this.#nowMs(), commit: this.#nowMs() });
    this.#understood({ text: heard, confidence: 1, alarms: [] }, spokenMs(heard));
  }

  async lastWords(): Promise<void> {
    if (!this.#line || this.#isEnded) return;
    this.#isDown = true;
    this.#speaking.drop();
    const words = await lastWordsOf(this.#listening, this.#options.clock);
    if (words) this.#understood(words, this.#listening.quietForMs());
    await this.#lastErrands.done();
  }

  ended(by: "us" | "peer"): TalkResult {
    this.#isEnded = true;
    this.#lead?.close();
    this.#listening.close();
    this.#speaking.drop();
    this.#sounds.close();
    const turns = this.#listening.hasHeardSound() ? this.#record.list() : null;
    const end = { ...this.#counts, state: this.#state, by };
    const said = { log: this.#log, notices: this.#speaking.notices(), recording: this.#recording.report() };
    return talkResultOf({ ...this.#options, ...said, lead: this.#lead, call: this.#call, turns, end });
  }

  #createListening(): Listening {
    return listeningFor(this.#options, {
      nowMs: this.#nowMs,
      meaningOf: this.#meaningOf,
      isLost: this.#isLost,
      speaking: this.#speaking,
      expecting: () => this.#expecting,
      ledTurn: () => this.#ledTurn(),
      appointment: () => this.#errands.appointment(),
      lead: () => this.#lead,
      interrupted: (atMs) => this.#record.mark("interrupted_at", atMs),
      goOn: () => this.#goOn(true),
      offerKeys: () => this.#offerKeys(),
      heardTurn: (turn, times, loudness) => this.#heardTurn(turn, times, loudness),
      heardAlarm: (heard) => this.#heardAlarm(heard),
      heardBeep: () => this.#heardBeep(),
      deaf: () => {
        this.#counts.isLost = true;
        this.#isDeafFromTheStart = this.#line === null;
        this.#handle({ type: "deaf" });
      },
      handle: (event) => this.#handle(event),
    });
  }

  #context(): TalkContext {
    const isLed = this.#lead?.isReady(this.#nowMs()) ?? null;
    return talkContextOf(this.#options, this.#call, this.#speaking.told, isLed);
  }

  #heardTurn(turn: HeardTurn, times: HearingTimes, loudness: Loudness): void {
    const { words: heard, fromMs, toMs } = turn;
    this.#record.begins({ ...times, commit: this.#nowMs() });
    const agoMs = this.#nowMs() - (times.speech_end - (toMs - fromMs));
    // Recogniser or line fault: names the keys; recognised words still count.
    if (!heard) {
      this.#counts.unrecognised++;
      this.#options.logger.warn("recogniser timed out on a call; the keys are named");
      this.#handle({ type: "deaf" });
    } else this.#heardWords(heard, turn, loudness, agoMs);
  }

  #heardWords(heard: Recognised, turn: HeardTurn, loudness: Loudness, agoMs: number): void {
    const { aside, from } = judgeTurn(heard, this.#isLost(heard), turn.wasInterruption, loudness);
    if (from) this.#listening.learn(turn, from);
    if (aside) this.#log.heard(aside, agoMs);
    if (aside === null) this.#understood(heard, agoMs);
    else if (aside === "" || turn.wasInterruption || isLeaving(this.#state)) this.#goOn(turn.wasInterruption);
    else this.#offerKeys();
  }

  /** An alarm does not wait for the end of turn; once acted on, the rest of the turn adds nothing. */
  #heardAlarm(heard: Recognised): void {
    if (this.#state.outcome === "emergency") return;
    this.#listening.forget();
    this.#record.begins({ commit: this.#nowMs() });
    this.#understood(heard, this.#listening.quietForMs() + spokenMs(heard.text));
  }

  /** Only background voices are heard: names the keys, once. */
  #offerKeys(): void {
    this.#handle({ type: this.#hasOfferedKeys && this.#state.question !== "danger" ? "silence" : "deaf" });
    this.#hasOfferedKeys = true;
  }

  #understood(heard: Recognised, agoMs: number): void {
    this.#log.heard(writtenOf(heard), agoMs);
    this.#counts.wordsHeard++;
    this.#record.mark("llm_start", this.#nowMs());
    this.#handle({ type: "heard", meaning: this.#meaningOf(heard) });
  }

  #handle(event: TalkEvent): void {
    if (!this.#line || this.#isEnded) return;
    const wasTelling = this.#state.stage === "telling";
    const move = nextTalkMove(this.#state, event, this.#context());
    this.#state = move.state;
    this.#recording.stands(move.state.recordingConsent);
    if (move.state.handover === "connected") this.#recording.joined();
    if (wasTelling && move.action && event.type === "heard") this.#speaking.interrupt();
    this.#sounds.speakAs(move.state);
    this.#agreements.stand(agreedIn(this.#state, this.#options.brief));
    const isBuiltIn = move.action?.do !== "lead";
    if (isBuiltIn && (event.type === "heard" || event.type === "key")) this.#record.mark("llm_first", this.#nowMs());
    if (move.action) this.#perform(move.action);
    else this.#goOn();
  }

  /** Resumes the interrupted action. */
  #goOn(wasStoppedByNoise = false): void {
    const { stage } = this.#state;
    const isSaidAgain = stage !== "telling" && this.#speaking.sayAgain();
    if (wasStoppedByNoise && (isSaidAgain || stage === "telling")) this.#stopsByNoise++;
    // No objection to the closing: resumes it where it was paused.
    if (stage === "telling") this.#speaking.resume();
    else if (isSaidAgain) this.#listening.speaks(overUs(this.#state, this.#stopsByNoise, this.#listening));
    else if (stage === "listening" || stage === "leaving") this.#listening.listens(this.#silenceAfterMs);
  }

  #perform(action: TalkAction): void {
    this.#turn++;
    if (action.do !== "lead") this.#lead?.drop();
    this.#speaking.drop();
    if (this.#isDown && !isLastErrand(action)) return;
    if (action.do === "hangUp") this.#line?.hangUp();
    else if (action.do === "listen") this.#listen(action);
    else this.#carryOut(action);
  }

  #listen({ forMs, expecting: answers }: Extract<TalkAction, { do: "listen" }>): void {
    if (this.#isDeafFromTheStart) {
      this.#isDeafFromTheStart = false;
      this.#handle({ type: "deaf" });
      return;
    }
    this.#expecting = answers;
    this.#silenceAfterMs = forMs;
    this.#stopsByNoise = 0;
    this.#listening.listens(forMs);
  }

  #carryOut(action: Lasting): void {
    if (action.do === "say" || action.do === "lead") this.#expecting = action.expecting;
    this.#listening.speaks(overUs(this.#state, this.#stopsByNoise, this.#listening));
    const mine = this.#turn;
    const isCurrent = () => mine === this.#turn && !this.#isEnded;
    const carryOut = async () => {
      const event = await this.#outcomeOf(action, isCurrent);
      if (event && isCurrent()) this.#handle(event);
    };
    this.#options.start(() => this.#lastErrands.begin(action, carryOut));
  }

  #heardBeep(): void {
    this.#messageMoment.beeped();
    const again = isForMachine(this.#state) ? this.#messageMoment.again() : null;
    if (again) this.#perform(again);
    else if (!isForMachine(this.#state)) this.#handle({ type: "beep" });
  }

  #ledTurn(): LedTurn {
    return {
      lead: this.#lead,
      speaking: this.#speaking,
      log: this.#log,
      state: this.#state,
      call: this.#call,
      context: this.#context(),
      first: () => this.#record.answersFirst(this.#nowMs()),
    };
  }

  async #outcomeOf(action: Lasting, isCurrent: () => boolean): Promise<TalkEvent | null> {
    if (action.do === "lead") {
      this.#record.led();
      return beLed(action, this.#ledTurn());
    }
    if (action.do !== "say") return this.#errands.run(action, this.#line);
    if (isForMachine(this.#state)) await this.#messageMoment.comes();
    // Stores agreements before confirming them.
    await this.#agreements.written();
    if (!isCurrent()) return null;
    if (isForMachine(this.#state)) {
      this.#messageMoment.says(action);
      // A person may pick up now.
      this.#listening.speaks("heard");
    }
    this.#record.mark("tts_start", this.#nowMs());
    const saying = this.#speaking.say(action.phrases);
    this.#speaking.prepare(likelyPhrases(this.#state, this.#context(), this.#errands.appointment()));
    return saying;
  }
}
