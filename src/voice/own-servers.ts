// The hospital's own servers on one call: its language model, its recogniser and its voice, each with what is built in
// behind it, and a note of what was sent where.
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
  /** Theirs where they have one, otherwise the built-in one. */
  voice: Voice;
  recogniser: OwnRecogniser | null;
  chat: ChatClient | null;
  sent(): readonly SentNote[];
  /** Opens connections ahead of the first question. */
  warm(): void;
  close(): void;
}

const NOBODY: ModelServers = { language: null, recognition: null, voice: null };

export function createOwnServers(options: {
  clock: Clock;
  models: ModelServers | undefined;
  /** BCP 47: what is spoken on this call. */
  language: string;
  builtIn: Voice;
  /** Where words stand in for sound, nothing is recognised or spoken. */
  isHeard: boolean;
  /** What servers said last, for every call of this thread. */
  cache: SoundCache;
  /** Tells who keeps the call's record. */
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
      // Whoever leads the conversation warms its model itself.
      for (const client of open) if (client !== chat) client.warm();
    },
    close() {
      for (const client of open) client.close();
      reports.close();
    },
  };
}
