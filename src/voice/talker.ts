// Puts an agent on a line: opens the brief that came with the call, and gives the agent its tools.
import type { CreateTalker, Sound } from "../telephony/port.ts";
import { createRemoteDesk } from "./desk-questions.ts";
import { createKeypadAgent } from "./keypad/keypad.ts";
import type { AgentBrief } from "./port.ts";

/** `speak`: null where the voice does not have the words' language, or fails. */
export function createTalkers(speak: (text: string, language: string) => Promise<Sound | null>): CreateTalker {
  return ({ clock, logger, brief: sealed, clip, ask, start }) => {
    // Sealed by calls/talks.ts, and carried here unread.
    const brief = sealed as AgentBrief;
    return createKeypadAgent({
      clock,
      logger,
      brief,
      start,
      tools: {
        recorded: clip,
        speak: (text) => speak(text, brief.language),
        desk: brief.desk && createRemoteDesk(brief.desk.canBook, ask),
      },
    });
  };
}
