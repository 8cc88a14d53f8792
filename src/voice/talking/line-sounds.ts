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
import type { SpokenLine } from "../conversation/lines/spoken-line.ts";
import type { AgentTools } from "../port.ts";
import { countOf } from "./said-line.ts";

/** The voice gives up after 5 s by itself; this is for the case that nobody answers at all. */
const VOICE_MOST_MS = 6 * SECOND_MS;
/** Twice the power: heard clearly, and far from the distortion that its peaks would have from 6 dB on. */
const LOUDER_BY_DB = 4;
/** A line of a few sentences has fewer; nobody listens to more. */
const MOST_CLAUSES = 60;

export interface LineSound {
  readonly isRecording: boolean;
  /** The clause with this number, from 0; null after the last, and where the voice failed. Never rejects. */
  clause(index: number): Promise<Sound | null>;
}

/** How the callee asked to be spoken to. */
export interface Speech {
  isSlow: boolean;
  isLoud: boolean;
}

export interface LineSounds {
  /** From the next line on that is asked for. A recording is as slow as it was spoken. */
  speakAs(speech: Speech): void;
  /** Begins to make it, so that it is there when it is needed. */
  prepare(line: SpokenLine): void;
  of(line: SpokenLine): LineSound;
  /** What of it could be heard at once: its recording, or its first clause; null where that is not made yet. */
  madeOf(line: SpokenLine): Sound | null;
  /** Nothing more is made. */
  close(): void;
}

interface Spoken extends LineSound {
  first: Sound | null;
  cancel(): void;
}

export function createLineSounds(options: {
  clock: Clock;
  logger: Logger;
  language: string;
  tools: Pick<AgentTools, "recorded" | "say" | "hurry">;
}): LineSounds {
  const { clock, logger, language, tools } = options;
  /** By pace and text. */
  const spoken = new Map<string, Spoken>();
  let pace: Pace = "usual";
  let isLoud = false;
  let isOpen = true;
  let wasSilenceLogged = false;

  function speak(line: SpokenLine): Spoken {
    const key = `${pace} ${line.text}`;
    const known = spoken.get(key);
    if (known) return known;
    const stream = isOpen ? tools.say(line.text, pace) : SILENT;
    const clauses: Promise<Sound | null>[] = [];
    let words = 0;
    const next = async (index: number): Promise<Sound | null> => {
      const before = index === 0 ? true : await clauses[index - 1];
      if (!before) return null;
      const sound = await within(clock, VOICE_MOST_MS, () => stream.next(), null);
      if (index === 0) made.first = sound;
      words += countOf(sound?.words ?? "");
      // Broken off in the middle it is of no use either: whoever did not hear the time of it can agree to nothing.
      if (!sound && (index === 0 || words < countOf(line.text))) failed(key, line);
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
  function failed(key: string, line: SpokenLine): void {
    spoken.delete(key);
    if (wasSilenceLogged || !isOpen) return;
    wasSilenceLogged = true;
    logger.warn("An agent is silent where it should speak: the voice failed, or does not have the language.", {
      line: line.name,
      language,
    });
  }

  function recordingOf(line: SpokenLine): LineSound | null {
    const sound = recordedSound(line, tools);
    return sound && { isRecording: true, clause: async (index) => (index === 0 ? sound : null) };
  }

  return {
    prepare(line) {
      if (!recordingOf(line)) void makeAll(speak(line));
    },
    of(line) {
      const sound = recordingOf(line) ?? hurried(speak(line), () => tools.hurry?.(line.text));
      return isLoud ? turnedUp(sound) : sound;
    },
    madeOf(line) {
      const made = spoken.get(`${pace} ${line.text}`) ?? spoken.get(`usual ${line.text}`);
      const sound = recordedSound(line, tools) ?? made?.first ?? null;
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

function recordedSound({ recorded, text }: SpokenLine, tools: Pick<AgentTools, "recorded">): Sound | null {
  const samples = recorded === null ? null : tools.recorded(recorded);
  if (!samples?.length) return null;
  return { samples, lengthMs: (samples.length / G711_SAMPLE_RATE_HZ) * SECOND_MS, words: text };
}

/** What somebody waits for comes before what may be said to them later. */
const hurried = ({ isRecording, clause }: LineSound, hurry: () => void): LineSound => ({
  isRecording,
  clause(index) {
    const sound = clause(index);
    hurry();
    return sound;
  },
});

const turnedUp = ({ isRecording, clause }: LineSound): LineSound => ({
  isRecording,
  async clause(index) {
    const sound = await clause(index);
    return sound && loud(sound);
  },
});

const loud = (sound: Sound): Sound =>
  sound.samples ? { ...sound, samples: louder(sound.samples, LOUDER_BY_DB) } : sound;

const SILENT: SpokenStream = { next: () => Promise.resolve(null), cancel() {} };

async function makeAll(line: LineSound): Promise<void> {
  for (let i = 0; await line.clause(i); i++);
}
