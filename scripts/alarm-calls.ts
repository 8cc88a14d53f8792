// One call of the alarm measurement: what a patient says goes through the recogniser, the spotter and the rules as on a live line, and
// the conversation's own table decides what the agent does about it.
import { decodeG711, encodeG711 } from "../src/audio/g711.ts";
import type { Moonshine } from "../src/speech/asr/moonshine.ts";
import { transcribeWell } from "../src/speech/asr/second-opinion.ts";
import type { Recognised } from "../src/speech/ears/port.ts";
import { isDenied } from "../src/speech/spotter/denied.ts";
import type { Spotter } from "../src/speech/spotter/spotter.ts";
import { english } from "../src/voice/conversation/lines/en.ts";
import { FIRST_STATE, type TalkEvent, type TalkMove, type TalkState } from "../src/voice/conversation/model.ts";
import type { TalkContext } from "../src/voice/conversation/moves.ts";
import { nextTalkMove } from "../src/voice/conversation/steps.ts";
import { hearingNow, meaningOf } from "../src/voice/talking/hearing-words.ts";
import { inRoom, roomNamed } from "../test/support/patient/room.ts";

/** The fixed phrase was said, the question was asked, a person was called, or none of it. */
export type Reaction = "phrase" | "question" | "person" | "none";

export interface Cried {
  first: Reaction;
  /** After the patient has said it as often as they were asked again. */
  last: Reaction;
  sayings: number;
  heard: string;
}

export interface Ordinary {
  /** `phrase`: a false alarm, at once or after the question. */
  reaction: Reaction;
  heard: string;
}

type Speak = (text: string) => Promise<Int16Array>;

export interface Caller {
  speak: Speak;
  /** As roomNamed has them. */
  room: string;
  seed: number;
}

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
  lines: english,
  told: { isTold: () => true },
  now: NOW,
};
/** "Will you come?" was asked, and is listened for. */
const ASKED: TalkState = {
  ...FIRST_STATE,
  stage: "listening",
  question: "attend",
  isContact: true,
  appointment: APPOINTMENT,
};

export function createAlarmCalls(moonshine: Moonshine, spotter: Spotter) {
  async function hear(words: string, { speak, room, seed }: Caller): Promise<Recognised> {
    const sound = inRoom(await speak(words), roomNamed(room, seed), 0.1);
    const samples = decodeG711(encodeG711(sound, "PCMU"), "PCMU");
    const { text, confidence, others } = transcribeWell(moonshine, samples, () => () => 0);
    const { alarms, near } = spotter.spot(samples);
    const meant = (phrases: readonly string[]) => phrases.filter((phrase) => !isDenied(text, phrase));
    return { text, confidence, others, alarms: meant(alarms), nearAlarms: meant(near) };
  }

  const tell = (state: TalkState, event: TalkEvent) => nextTalkMove(state, event, CONTEXT);
  const understood = (state: TalkState, heard: Recognised) =>
    tell(state, { type: "heard", meaning: meaningOf(heard, hearingNow(state, "yes_no", NOW, "en")) });

  return {
    async cry(words: string, caller: Caller): Promise<Cried> {
      let state = ASKED;
      let first: Reaction | null = null;
      let heardFirst = "";
      for (let saying = 1; ; saying++) {
        const heard = await hear(words, { ...caller, seed: caller.seed + 100_000 * saying });
        const move = settled(understood(state, heard), tell);
        const reaction = reactionIn(move.state);
        first ??= reaction;
        if (saying === 1) heardFirst = describe(heard);
        state = move.state;
        if (reaction !== "none" || state.stage === "over" || saying === MOST_SAYINGS)
          return { first, last: reaction, sayings: saying, heard: heardFirst };
      }
    },

    async ordinary(words: string, caller: Caller): Promise<Ordinary> {
      const heard = await hear(words, caller);
      const { state } = understood(ASKED, heard);
      const reaction = reactionIn(state);
      if (reaction !== "question") return { reaction, heard: describe(heard) };
      const answer = await hear("No, I am fine.", { ...caller, seed: caller.seed + 100_000 });
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

/** The calendar does what it is asked to, and what is said is heard out, up to the next moment that the patient may speak in. */
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
