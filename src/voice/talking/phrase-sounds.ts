// Audio of phrases, clause by clause: playback starts while the rest is synthesised. Cached per call, because phrases
// are prepared in advance and repeated after interruptions.
import { SECOND_MS, type Clock } from "../../core/clock.ts";
import type { Logger } from "../../core/logger.ts";
import { within } from "../../core/within.ts";
import { G711_SAMPLE_RATE_HZ } from "../../audio/g711.ts";
import { NOTICES_IN } from "../../speech/languages.ts";
import { louder } from "../../audio/speech-level.ts";
import type { Pace } from "../../speech/tts/pace.ts";
import type { SpokenStream } from "../../speech/tts/port.ts";
import type { Sound } from "../../telephony/port.ts";
import type { Phrase } from "../conversation/phrase.ts";
import type { AgentTools } from "../port.ts";
import { countOf } from "./said-phrase.ts";

/** Synthesis times out after 5 s itself; this covers a missing reply. */
const VOICE_MOST_MS = 6 * SECOND_MS;
/** More than twice the power: clearly audible, and below the 6 dB at which peaks would clip. */
const LOUDER_BY_DB = 4;
/** Bounds the loop; phrases of a few sentences have fewer. */
const MOST_CLAUSES = 60;

export interface PhraseSound {
  readonly isRecording: boolean;
  /** The clause at this index, from 0; null after the last one and if synthesis failed. Never rejects. */
  clause(index: number): Promise<Sound | null>;
}

/** Speech settings the callee asked for. */
export interface Speech {
  isSlow: boolean;
  isLoud: boolean;
}

export interface PhraseSounds {
  /** Applies from the next phrase. Recordings keep their pace. */
  speakAs(speech: Speech): void;
  /** Starts synthesis in advance. */
  prepare(phrase: Phrase): void;
  of(phrase: Phrase): PhraseSound;
  /** Audio that can start at once: the recording or the first clause; null if not ready. */
  madeOf(phrase: Phrase): Sound | null;
  /** Stops synthesis. */
  close(): void;
}

interface Spoken extends PhraseSound {
  first: Sound | null;
  cancel(): void;
}

export function createPhraseSounds(options: {
  clock: Clock;
  logger: Logger;
  language: string;
  /** No voice speaks the language: only notices are synthesised, and recordings are played. */
  isMute: boolean;
  tools: Pick<AgentTools, "recorded" | "say" | "hurry">;
}): PhraseSounds {
  const { clock, logger, language, isMute, tools } = options;
  /** Keyed by pace and text. */
  const spoken = new Map<string, Spoken>();
  let pace: Pace = "usual";
  let isLoud = false;
  let isOpen = true;
  let wasSilenceLogged = false;

  function speak(phrase: Phrase): Spoken {
    const key = `${pace} ${phrase.text}`;
    const known = spoken.get(key);
    if (known) return known;
    // Menus are recorded.
    const other = isMute && phrase.notices && phrase.recorded === null ? [NOTICES_IN] : [];
    const stream = isOpen ? tools.say(phrase.text, pace, ...other) : SILENT;
    const clauses: Promise<Sound | null>[] = [];
    let words = 0;
    const next = async (index: number): Promise<Sound | null> => {
      const before = index === 0 ? true : await clauses[index - 1];
      if (!before) return null;
      const sound = await within(clock, VOICE_MOST_MS, () => stream.next(), null);
      if (index === 0) made.first = sound;
      words += countOf(sound?.words ?? "");
      // A partial phrase counts as failed: a callee who did not hear the time cannot agree to it.
      if (!sound && (index === 0 || words < countOf(phrase.text))) failed(key, phrase);
      return sound;
    };
    const made: Spoken = {
      first: null,
      isRecording: false,
      clause(index) {
        for (let i = clauses.length; i <= Math.min(index, MOST_CLAUSES); i++) clauses.push(next(i));
        return clauses[index] ?? Promise.resolve(null);
      },
      cancel: () => stream.cancel(),
    };
    spoken.set(key, made);
    return made;
  }

  /** Forgets the failure, so that the next use retries. */
  function failed(key: string, phrase: Phrase): void {
    spoken.delete(key);
    if (wasSilenceLogged || !isOpen) return;
    wasSilenceLogged = true;
    logger.warn("speech synthesis failed or does not support the language; the agent stays silent", {
      phrase: phrase.name,
      language,
    });
  }

  function recordingOf(phrase: Phrase): PhraseSound | null {
    const sound = recordedSound(phrase, tools);
    return sound && { isRecording: true, clause: async (index) => (index === 0 ? sound : null) };
  }

  return {
    prepare(phrase) {
      if (!recordingOf(phrase)) void makeAll(speak(phrase));
    },
    of(phrase) {
      const sound = recordingOf(phrase) ?? hurried(speak(phrase), () => tools.hurry?.(phrase.text));
      return isLoud ? turnedUp(sound) : sound;
    },
    madeOf(phrase) {
      const made = spoken.get(`${pace} ${phrase.text}`) ?? spoken.get(`usual ${phrase.text}`);
      const sound = recordedSound(phrase, tools) ?? made?.first ?? null;
      return sound && isLoud ? loud(sound) : sound;
    },
    speakAs(speech) {
      pace = speech.isSlow ? "slow" : "usual";
      isLoud = speech.isLoud;
    },
    close() {
      isOpen = false;
      for (const each of spoken.values()) each.cancel();
      spoken.clear();
    },
  };
}

function recordedSound({ recorded, text }: Phrase, tools: Pick<AgentTools, "recorded">): Sound | null {
  const samples = recorded === null ? null : tools.recorded(recorded);
  if (!samples?.length) return null;
  return { samples, lengthMs: (samples.length / G711_SAMPLE_RATE_HZ) * SECOND_MS, words: text };
}

/** Phrases being waited for take precedence over phrases prepared in advance. */
const hurried = ({ isRecording, clause }: PhraseSound, hurry: () => void): PhraseSound => ({
  isRecording,
  clause(index) {
    const sound = clause(index);
    hurry();
    return sound;
  },
});

const turnedUp = ({ isRecording, clause }: PhraseSound): PhraseSound => ({
  isRecording,
  async clause(index) {
    const sound = await clause(index);
    return sound && loud(sound);
  },
});

const loud = (sound: Sound): Sound =>
  sound.samples ? { ...sound, samples: louder(sound.samples, LOUDER_BY_DB) } : sound;

const SILENT: SpokenStream = { next: () => Promise.resolve(null), cancel() {} };

async function makeAll(phrase: PhraseSound): Promise<void> {
  for (let i = 0; await phrase.clause(i); i++);
}
