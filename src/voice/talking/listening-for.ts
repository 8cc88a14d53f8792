// The listening side of one call agent: its events and what each of them does.
import type { Recognised } from "../../speech/ears/port.ts";
import { SURE, confidenceIn } from "../conversation/confidence.ts";
import type { TalkEvent } from "../conversation/model.ts";
import type { Lead } from "../model-led/lead.ts";
import type { Expecting, Meaning } from "../understanding/meaning.ts";
import { judgeLong } from "./background.ts";
import { guessLed, type LedTurn } from "./be-led.ts";
import { coverFor } from "./covers.ts";
import type { FoundAppointment } from "./errands.ts";
import { endingOf, MAY_BE_ALARM } from "./hearing-words.ts";
import { phrasesAfter } from "./likely-phrases.ts";
import { createListening } from "./listening.ts";
import type { Listening, ListeningOptions } from "./listening-port.ts";
import type { Speaking } from "./speaking.ts";
import type { TalkingAgentOptions } from "./talk-call.ts";

export interface ListeningParts {
  /** Since the answer. */
  nowMs(): number;
  meaningOf(heard: Recognised): Meaning;
  /** The words answer nothing. */
  isLost(heard: Recognised): boolean;
  speaking: Speaking;
  expecting(): Expecting;
  /** The current state of the call, for a model too. */
  ledTurn(): LedTurn;
  appointment(): FoundAppointment;
  lead(): Lead | null;
  interrupted(atMs: number): void;
  /** Resumes after noise. */
  goOn(): void;
  offerKeys(): void;
  heardTurn: ListeningOptions["on"]["turn"];
  heardAlarm(heard: Recognised): void;
  heardBeep(): void;
  /** Recognition is lost for the rest of the call. */
  deaf(): void;
  handle(event: TalkEvent): void;
}

export function listeningFor(options: TalkingAgentOptions, parts: ListeningParts): Listening {
  const { clock, logger, brief, tools, start } = options;
  const { speaking, meaningOf } = parts;
  const listening: Listening = createListening({
    clock,
    ears: tools.ears,
    isUnhurried: brief.isUnhurried ?? false,
    nowMs: parts.nowMs,
    start,
    endingOf: (heard) => endingOf(heard && meaningOf(heard), parts.expecting()),
    playedFrame: () => speaking.playedFrame(),
    on: {
      pause: () => speaking.pause(),
      resume: () => speaking.resume(),
      cancel(pausedAtMs) {
        parts.interrupted(pausedAtMs);
        speaking.interrupt();
      },
      likely(heard) {
        const meaning = meaningOf(heard);
        if (confidenceIn(meaning, "emergency") >= SURE) parts.heardAlarm(heard);
        else {
          const turn = parts.ledTurn();
          speaking.prepare(phrasesAfter(turn.state, meaning, turn.context, parts.appointment()));
          guessLed(heard, meaning, turn);
        }
      },
      judgeLong: (speech) => judgeLong(speech, parts.ledTurn().state, parts.isLost),
      unclear: () => speaking.sayAgain() && listening.speaksOn(),
      background: (wasInterruption) => (wasInterruption ? parts.goOn() : parts.offerKeys()),
      goesOn: () => parts.lead()?.dropGuess(),
      turn: parts.heardTurn,
      alarm: (phrases, isSure) =>
        isSure
          ? parts.heardAlarm({ text: phrases.join(", "), confidence: 1, alarms: phrases })
          : parts.handle({ type: "heard", meaning: MAY_BE_ALARM }),
      wait() {
        const { state, context } = parts.ledTurn();
        coverFor(speaking, state, context);
      },
      silence: () => (listening.hasBackground() ? parts.offerKeys() : parts.handle({ type: "silence" })),
      beep: parts.heardBeep,
      deaf() {
        logger.warn("speech recognition lost on a call; the keypad is used");
        parts.deaf();
      },
    },
  });
  return listening;
}
