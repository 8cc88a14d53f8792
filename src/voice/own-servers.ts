// The hospital's own model servers on one call: language model, recogniser and voice, each with the built-in one as
// fallback. Records what was sent to which server.
import type { Clock } from "../core/clock.ts";
import type { OwnRecogniser } from "../speech/ears/port.ts";
import { languageNamed } from "../speech/languages.ts";
import { createChatClient } from "../speech/servers/chat/chat-client.ts";
import type { ChatClient, ModelServers, NoteSent, SentNote } from "../speech/servers/port.ts";
import { createOwnRecogniser } from "../speech/servers/recognition/own-recogniser.ts";
import { createTranscriber } from "../speech/servers/recognition/transcriber.ts";
import { createSentBook } from "../speech/servers/sent-book.ts";
import { createServerVoice, createSpeaker } from "../speech/servers/voice/server-voice.ts";
import type { Voice } from "../speech/tts/port.ts";
import type { SoundCache } from "../speech/tts/sound-cache.ts";
import { createSentReports } from "./sent-report.ts";

export interface OwnServers {
  /** The hospital's voice if configured, otherwise the built-in one. */
  voice: Voice;
  recogniser: OwnRecogniser | null;
  chat: ChatClient | null;
  sent(): readonly SentNote[];
  /** Opens connections before the first request. */
  warm(): void;
  close(): void;
}

const NOBODY: ModelServers = { language: null, recognition: null, voice: null };

export function createOwnServers(options: {
  clock: Clock;
  models: ModelServers | undefined;
  /** BCP 47 tag of the call's language. */
  language: string;
  builtIn: Voice;
  /** False on simulated lines, where words replace audio. */
  isHeard: boolean;
  /** Cache of synthesised speech, shared by all calls of this thread. */
  cache: SoundCache;
  /** Reports to the thread that stores the call. */
  ask: (question: unknown) => Promise<unknown>;
}): OwnServers {
  const { clock, language, builtIn, isHeard, cache, ask, models = NOBODY } = options;
  const book = createSentBook();
  const reports = createSentReports({ clock, ask, sent: () => book.list() });
  const note: NoteSent = (sent) => {
    book.note(sent);
    reports.noted();
  };
  const chat = models.language && createChatClient({ clock, address: models.language, note });
  const transcriber =
    models.recognition && isHeard ? createTranscriber({ clock, address: models.recognition, language, note }) : null;
  const speaker = models.voice && isHeard ? createSpeaker({ clock, address: models.voice, note, cache }) : null;
  const open = [chat, transcriber, speaker].filter((client) => client !== null);
  return {
    voice: speaker ? createServerVoice({ clock, speaker, builtIn }) : builtIn,
    recogniser:
      transcriber && createOwnRecogniser({ clock, transcriber, hasBuiltIn: languageNamed(language) === "en" }),
    chat,
    sent: () => book.list(),
    warm() {
      // The conversation lead warms up its own model.
      for (const client of open) if (client !== chat) client.warm();
    },
    close() {
      for (const client of open) client.close();
      reports.close();
    },
  };
}
