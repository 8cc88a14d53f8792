// Puts an agent on a line: opens the brief that came with the call, and gives the agent its tools. Where somebody can be heard it
// is the one that talks, otherwise the one that goes by keys.
import type { Ears } from "../speech/ears/port.ts";
import type { Manner, Voice } from "../speech/tts/port.ts";
import { createMark } from "../speech/tts/pronunciation.ts";
import { voiceNamed } from "../speech/tts/voices.ts";
import type { CreateTalker } from "../telephony/port.ts";
import type { Agreement } from "./agreements.ts";
import { createRemoteDesk } from "./desk-questions.ts";
import { createKeypadAgent } from "./keypad/keypad.ts";
import type { AgentBrief, AgentTools } from "./port.ts";
import { canTalkIn } from "./talking/talk-call.ts";
import { createTalkingAgent } from "./talking/talking.ts";

/** `ears` is asked for each call; null where nobody can be heard now. */
export function createTalkers(voice: Voice, ears: () => Ears | null = () => null): CreateTalker {
  return ({ clock, logger, brief: sealed, clip, ask, start }) => {
    // Sealed by calls/talks.ts, and carried here unread.
    const brief = sealed as AgentBrief;
    const manner: Manner = {
      language: brief.language,
      voice: voiceNamed(brief.voice),
      mark: createMark(brief.pronunciations ?? []),
    };
    const tools: AgentTools = {
      recorded: clip,
      speak: (text) => voice.speak(text, manner),
      say: (text, pace = "usual") => voice.say(text, { ...manner, pace }),
      ears: canTalkIn(brief.language) ? ears() : null,
      desk: brief.desk && createRemoteDesk(brief.desk.canBook, ask),
      agree: async (agreed) => void (await ask({ kind: "agree", agreed } satisfies Agreement)),
    };
    const createAgent = tools.ears ? createTalkingAgent : createKeypadAgent;
    return createAgent({ clock, logger, brief, start, tools });
  };
}
