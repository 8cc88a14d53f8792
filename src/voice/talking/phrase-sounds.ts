// The sound of each line, clause by clause: the first is heard while the rest is made. What was made once on a call is
// kept, because lines are made ready before they are said, and said again where they were cut off.
import { SECOND_MS, type Clock } from "../../core/clock.ts";
import type { Logger } from "../../core/logger.ts";
import { within } from "../../core/within.ts";
import { G711_SAMPLE_RATE_HZ } from "../../audio/g711.ts";
import { louder } from "../../audio/speech-level.ts";
import type { Pace } from "../../speech/tts/pace.ts";
import type { SpokenStream } from "../../speech/tts/port.ts";
import type { Sound } from "../../telephony/port.ts";
import type { Phrase } from "../conversation/phrases/phrase.ts";
import type { AgentTools } from "../port.ts";
import { countOf } from "./said-phrase.ts";

/** The voice gives up after 5 s by itself; this is for the case that nobody answers at all. */
const VOICE_MOST_MS = 6 * SECOND_MS;
/** Twice the power: heard clearly, and far from the distortion that its peaks would have from 6 dB on. */
const LOUDER_BY_DB = 4;
/** A line of a few sentences has fewer; nobody listens to more. */
const MOST_CLAUSES = 60;

export interface PhraseSound {
  readonly isRecording: boolean;
  /** The clause with this number, from 0; null after the last, and where the voice failed. Never rejects. */
  clause(index: number): Promise<Sound | null>;
}

/** How the callee asked to be spoken to. */
export interface Speech {
  isSlow: boolean;
  isLoud: boolean;
}

export interface PhraseSounds {
  /** From the next line on that is asked for. A recording is as slow as it was spoken. */
  speakAs(speech: Speech): void;
  /** Begins to make it, so that it is there when it is needed. */
  prepare(phrase: Phrase): void;
  of(phrase: Phrase): PhraseSound;
  /** What of it could be heard at once: its recording, or its first clause; null where that is not made yet. */
  madeOf(phrase: Phrase): Sound | null;
  /** Nothing more is made. */
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
  tools: Pick<AgentTools, "recorded" | "say" | "hurry">;
}): PhraseSounds {
  const { clock, logger, language, tools } = options;
  /** By pace and text. */
  const spoken = new Map<string, Spoken>();
  let pace: Pace = "usual";
  let isLoud = false;
  let isOpen = true;
  let wasSilenceLogged = false;

  function speak(phrase: Phrase): Spoken {
    const key = `${pace} ${phrase.text}`;
    const known = spoken.get(key);
    if (known) return known;
    const stream = isOpen ? tools.say(phrase.text, pace) : SILENT;
    const clauses: Promise<Sound | null>[] = [];
    let words = 0;
    const next = async (index: number): Promise<Sound | null> => {
      const before = index === 0 ? true : await clauses[index - 1];
      if (!before) return null;
      const sound = await within(clock, VOICE_MOST_MS, () => stream.next(), null);
      if (index === 0) made.first = sound;
      words += countOf(sound?.words ?? "");
      // Broken off in the middle it is of no use either: whoever did not hear the time of it can agree to nothing.
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

  /** A voice that was down is asked again. */
  function failed(key: string, phrase: Phrase): void {
    spoken.delete(key);
    if (wasSilenceLogged || !isOpen) return;
    wasSilenceLogged = true;
    logger.warn("An agent is silent where it should speak: the voice failed, or does not have the language.", {
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

/** What somebody waits for comes before what may be said to them later. */
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
