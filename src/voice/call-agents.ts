// Puts an agent on a line: opens the brief that came with the call, and gives the agent its tools. Without ears it goes
// by keys.
import type { Ears, OwnRecogniser } from "../speech/ears/port.ts";
import { languageNamed } from "../speech/languages.ts";
import type { Manner, Voice } from "../speech/tts/port.ts";
import { createMark } from "../speech/tts/pronunciation.ts";
import { createSoundCache } from "../speech/tts/sound-cache.ts";
import type { CreateCallAgent } from "../telephony/port.ts";
import type { Agreement } from "./agreements.ts";
import { createRemoteDesk } from "./desk-questions.ts";
import { createOwnServers, type OwnServers } from "./own-servers.ts";
import type { Agent, AgentBrief, AgentTools } from "./port.ts";
import { canTalkIn } from "./talking/talk-call.ts";
import { createTalkingAgent } from "./talking/talking.ts";

/** Of the hospital's own voice. A sentence of three seconds takes 48 kB. */
const CACHE = { mostSentences: 400, mostBytes: 32 * 1024 * 1024 };

/** What is heard with, asked for each call; null where nobody can be heard now. `own` recognises in place of ours. */
export type EarsForCall = (own: OwnRecogniser | null) => Ears | null;

/** `isHeard`: false where words stand in for sound, so that no server is asked for either. */
export function createCallAgents(voice: Voice, ears: EarsForCall = () => null, isHeard = true): CreateCallAgent {
  const cache = createSoundCache(CACHE);
  return ({ clock, logger, brief: sealed, clip, ask, start }) => {
    // Sealed by calls/talks/talks.ts, and carried here unread.
    const brief = sealed as AgentBrief;
    const manner: Manner = {
      language: brief.language,
      voice: brief.voice,
      mark: createMark(brief.pronunciations ?? []),
    };
    const own = createOwnServers({
      clock,
      models: brief.models,
      language: brief.language,
      builtIn: voice,
      isHeard,
      cache,
      ask,
    });
    // The built-in recogniser has English alone.
    const isRecognised = own.recogniser !== null || languageNamed(brief.language) === "en";
    const tools: AgentTools = {
      recorded: clip,
      say: (text, pace = "usual") => own.voice.say(text, { ...manner, pace }),
      hurry: (text) => own.voice.hurry?.(text, manner),
      ears: canTalkIn(brief.language) && isRecognised ? ears(own.recogniser) : null,
      desk: brief.desk && createRemoteDesk(brief.desk, ask),
      agree: async (agreed) => void (await ask({ kind: "agree", agreed } satisfies Agreement)),
      ...(brief.models && { chat: own.chat, sent: own.sent }),
    };
    const agent = createTalkingAgent({ clock, logger, brief, start, tools });
    return brief.models ? withServers(agent, own) : agent;
  };
}

/** Connections are opened while the phone rings and once more at the answer: servers close those that wait for long. */
function withServers(agent: Agent, own: OwnServers): Agent {
  own.warm();
  // Only where the agent listens: the sound of other calls need not be decoded.
  const ears: Pick<Agent, "heardFrame"> = agent.heardFrame
    ? { heardFrame: (frame, lost) => agent.heardFrame?.(frame, lost) }
    : {};
  return {
    answered(line) {
      own.warm();
      agent.answered(line);
    },
    keyPressed: (key) => agent.keyPressed(key),
    ...ears,
    held: (isHeld) => agent.held?.(isHeld),
    heardWords: (words) => agent.heardWords(words),
    lastWords: async () => agent.lastWords?.(),
    ended(by) {
      const result = agent.ended(by);
      const sent = own.sent();
      own.close();
      return sent.length === 0 ? result : { ...result, sent };
    },
  };
}
