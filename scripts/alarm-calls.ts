// One call of the alarm measurement: the patient's words go through recogniser, spotter and rules as on a live line,
// and the conversation's state table decides the agent's reaction.
import type { Recognised } from "../src/speech/ears/port.ts";
import { english } from "../src/voice/conversation/phrases/en.ts";
import { FIRST_STATE, type TalkEvent, type TalkMove, type TalkState } from "../src/voice/conversation/model.ts";
import type { TalkContext } from "../src/voice/conversation/moves.ts";
import { nextTalkMove } from "../src/voice/conversation/steps.ts";
import { hearingNow, meaningOf } from "../src/voice/talking/hearing-words.ts";
import type { Hear, Saying } from "./alarm-hearing.ts";

/** The agent said the fixed phrase, asked the question, called a person, or did nothing of these. */
export type Reaction = "phrase" | "question" | "person" | "none";

export interface Cried {
  first: Reaction;
  /** The reaction after the patient repeated it as often as the agent asked. */
  last: Reaction;
  sayings: number;
  heard: string;
}

export interface Ordinary {
  /** `phrase`: a false alarm, immediately or after the question. */
  reaction: Reaction;
  heard: string;
}

export type Caller = Pick<Saying, "voice" | "room">;

const MOST_SAYINGS = 6;
const APPOINTMENT = { date: "2026-03-09", startTime: "10:30" };
const NOW = { date: "2026-03-02", startTime: "10:00" };
const CONTEXT: TalkContext = {
  call: {
    canBook: true,
    canTransfer: true,
    isOutbound: true,
    agentName: "City Clinic",
    contactName: "Asha",
    greeting: { name: "greeting", text: "Good morning.", recorded: null },
    greetingAsksIdentity: false,
  },
  phrases: english,
  told: { isTold: () => true, isHeard: () => true },
  now: NOW,
};
/** The agent has asked "Will you come?" and is listening. */
const ASKED: TalkState = {
  ...FIRST_STATE,
  stage: "listening",
  question: "attend",
  isContact: true,
  appointment: APPOINTMENT,
};

export function createAlarmCalls(hear: Hear) {
  const tell = (state: TalkState, event: TalkEvent) => nextTalkMove(state, event, CONTEXT);
  const understood = (state: TalkState, heard: Recognised) =>
    tell(state, { type: "heard", meaning: meaningOf(heard, hearingNow(state, "yes_no", NOW, "en")) });

  return {
    async cry(sentence: string, caller: Caller): Promise<Cried> {
      let state = ASKED;
      let first: Reaction | null = null;
      let heardFirst = "";
      for (let time = 1; ; time++) {
        const before = state;
        const isAlarm = (words: Recognised) => reactionIn(understood(before, words).state) === "phrase";
        const heard = await hear({ ...caller, sentence, time }, isAlarm);
        const move = settled(understood(state, heard), tell);
        const reaction = reactionIn(move.state);
        first ??= reaction;
        if (time === 1) heardFirst = describe(heard);
        state = move.state;
        if (reaction !== "none" || state.stage === "over" || time === MOST_SAYINGS)
          return { first, last: reaction, sayings: time, heard: heardFirst };
      }
    },

    async ordinary(sentence: string, caller: Caller): Promise<Ordinary> {
      const heard = await hear({ ...caller, sentence, time: 1 });
      const { state } = understood(ASKED, heard);
      const reaction = reactionIn(state);
      if (reaction !== "question") return { reaction, heard: describe(heard) };
      const answer = await hear({ ...caller, sentence: "No, I am fine.", time: 1 });
      const after = reactionIn(understood({ ...state, stage: "listening" }, answer).state);
      return {
        reaction: after === "phrase" ? "phrase" : "question",
        heard: `${describe(heard)} / ${describe(answer)}`,
      };
    },
  };
}

export type AlarmCalls = ReturnType<typeof createAlarmCalls>;

const describe = ({ text, confidence, others = [], alarms, nearAlarms = [] }: Recognised) =>
  `${text} (${confidence.toFixed(2)}) {${others.join(" | ")}} [${alarms.join(", ")}] <${nearAlarms.join(", ")}>`;

function reactionIn({ outcome, question }: TalkState): Reaction {
  if (outcome === "emergency") return "phrase";
  if (outcome === "not_understood") return "person";
  return question === "danger" ? "question" : "none";
}

/** Completes calendar actions and speech until the patient may speak again. */
function settled(first: TalkMove, tell: (state: TalkState, event: TalkEvent) => TalkMove): TalkMove {
  let move = first;
  for (;;) {
    const { state, action } = move;
    const event = action && answerTo(action.do);
    if (!event || reactionIn(state) !== "none") return move;
    move = tell(state, event);
  }
}

function answerTo(action: string): TalkEvent | null {
  switch (action) {
    case "confirm":
      return { type: "confirmed", isDone: true };
    case "cancel":
      return { type: "cancelled", isDone: true };
    case "requestChange":
      return { type: "changeRequested", isDone: true };
    case "offer":
      return { type: "offered", offers: [{ label: "A", date: "2026-03-10", startTime: "09:00", endTime: "09:30" }] };
    default:
      return null;
  }
}
