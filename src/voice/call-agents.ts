// Factory of call agents: opens the brief of a call and gives the agent its tools. Without ears the agent works by
// keypad.
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

/** Cache for speech from the hospital's own voice server. A sentence of three seconds takes 48 kB. */
const CACHE = { mostSentences: 400, mostBytes: 32 * 1024 * 1024 };

/** Provides the ears of one call; null when recognition is unavailable. `own` replaces the built-in recogniser. */
export type EarsForCall = (own: OwnRecogniser | null) => Ears | null;

/** `isHeard`: false on simulated lines, where words replace audio and no speech server is needed. */
export function createCallAgents(voice: Voice, ears: EarsForCall = () => null, isHeard = true): CreateCallAgent {
  const cache = createSoundCache(CACHE);
  return ({ clock, logger, brief: sealed, clip, ask, start }) => {
    // Built by calls/talks/talks.ts; telephony passes it through without reading it.
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
    // The built-in recogniser supports English only.
    const isRecognised = own.recogniser !== null || languageNamed(brief.language) === "en";
    const tools: AgentTools = {
      recorded: clip,
      say: (text, pace = "usual", language = brief.language) => own.voice.say(text, { ...manner, language, pace }),
      hurry: (text) => own.voice.hurry?.(text, manner),
      ears: canTalkIn(brief.language) && isRecognised && !brief.isMute ? ears(own.recogniser) : null,
      desk: brief.desk && createRemoteDesk(brief.desk, ask),
      agree: async (agreed) => void (await ask({ kind: "agree", agreed } satisfies Agreement)),
      ...(brief.models && { chat: own.chat, sent: own.sent }),
    };
    const agent = createTalkingAgent({ clock, logger, brief, start, tools });
    return brief.models ? withServers(agent, own) : agent;
  };
}

/** Opens connections while the phone rings and again at the answer, because servers close idle connections. */
function withServers(agent: Agent, own: OwnServers): Agent {
  own.warm();
  // Defined only if the agent listens, so that the audio of other calls is not decoded.
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
