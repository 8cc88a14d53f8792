// The words of a simulated call on a time line: laid out, cut short by a hang-up, and told as the carrier reports it.
import type { CallAnalytics } from "../../events/model.ts";
import type { Conversation } from "../port.ts";

export interface Turn {
  speaker: "agent" | "user";
  text: string;
  /** What is established once these words have been said. */
  facts?: Readonly<Record<string, unknown>>;
}

export interface TimedTurn extends Turn {
  startSeconds: number;
  lengthSeconds: number;
}

export interface Script {
  turns: readonly TimedTurn[];
  durationSeconds: number;
  analytics: CallAnalytics;
  callbackInMinutes?: number;
}

/** The recorded voices rise and fall four times a second; whole syllables end in silence, not in a click. */
const SYLLABLE_SECONDS = 0.25;
const WORDS_PER_SECOND = 3;
const SHORTEST_TURN_SECONDS = 1;
const LONGEST_TURN_SECONDS = 10;
const PAUSE_SECONDS = 0.5;

export function layOut(turns: readonly Turn[]): Pick<Script, "turns" | "durationSeconds"> {
  const timed: TimedTurn[] = [];
  let atSeconds = PAUSE_SECONDS;
  for (const turn of turns) {
    const lengthSeconds = spokenSeconds(turn.text);
    timed.push({ ...turn, startSeconds: atSeconds, lengthSeconds });
    atSeconds += lengthSeconds + PAUSE_SECONDS;
  }
  return { turns: timed, durationSeconds: atSeconds };
}

const KEPT_WHEN_CUT = new Set<CallAnalytics["disposition"]>(["voicemail", "appointment_booked"]);

/** The script of a call that is hung up from our side before it is over: what was said so far, and no callback. */
export function cutScript({ turns, analytics }: Script, durationSeconds: number): Script {
  return {
    turns: turns.flatMap((turn) => cutTurn(turn, durationSeconds)),
    durationSeconds,
    analytics: {
      summary: `The call was connected. It was hung up from this side after ${Math.round(durationSeconds)} seconds, before the conversation was over.`,
      sentiment: "neutral",
      next_steps: "Decide whether to call again.",
      // What was done before the hang-up stays done.
      disposition: KEPT_WHEN_CUT.has(analytics.disposition) ? analytics.disposition : "session_ended",
    },
  };
}

export function toConversation(script: Script, recorded: boolean): Conversation {
  const { turns, durationSeconds, analytics, callbackInMinutes } = script;
  return {
    kind: "completed",
    durationSeconds,
    transcript: turns.map(({ speaker, text, startSeconds }) => ({ speaker, text, timestamp: startSeconds })),
    analytics,
    extractedDetails: Object.fromEntries(turns.flatMap(({ facts }) => Object.entries(facts ?? {}))),
    recorded,
    ...(callbackInMinutes !== undefined && { callbackInMinutes }),
  };
}

/** A turn that was under way keeps the words that fit into its time, and establishes nothing. */
function cutTurn(turn: TimedTurn, atSeconds: number): TimedTurn[] {
  const { speaker, text, startSeconds, lengthSeconds } = turn;
  const saidSeconds = atSeconds - startSeconds;
  if (saidSeconds >= lengthSeconds) return [turn];
  const words = text.split(/\s+/);
  const said = words.slice(0, Math.max(0, Math.floor((words.length * saidSeconds) / lengthSeconds)));
  return said.length === 0 ? [] : [{ speaker, text: `${said.join(" ")} …`, startSeconds, lengthSeconds: saidSeconds }];
}

function spokenSeconds(text: string): number {
  const seconds = text.split(/\s+/).length / WORDS_PER_SECOND;
  const bounded = Math.min(Math.max(seconds, SHORTEST_TURN_SECONDS), LONGEST_TURN_SECONDS);
  return Math.ceil(bounded / SYLLABLE_SECONDS) * SYLLABLE_SECONDS;
}
