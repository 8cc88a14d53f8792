// The sound of each line: the recording where there is one, otherwise the built-in voice, asked for as early as possible.
import { SECOND_MS, type Clock } from "../core/clock.ts";
import type { Logger } from "../core/logger.ts";
import type { Sound } from "../telephony/port.ts";
import { G711_SAMPLE_RATE_HZ } from "../audio/g711.ts";
import type { AgentTools } from "./port.ts";
import { within } from "../core/within.ts";
import type { SpokenLine } from "./keypad/words.ts";

/** The voice gives up by itself after 5 s for a clause; this is for a long greeting on a busy machine. */
const VOICE_MOST_MS = 20 * SECOND_MS;

export interface LineSound {
  sound: Sound;
  isRecording: boolean;
}

export interface Sounds {
  /** Begins to make it, so that it is there when it is needed. */
  prepare(line: SpokenLine): void;
  /** Null where it can be neither played nor spoken. Never rejects. */
  of(line: SpokenLine): Promise<LineSound | null>;
  /** No more is asked of the voice. */
  close(): void;
}

export function createSounds(options: {
  clock: Clock;
  logger: Logger;
  language: string;
  tools: Pick<AgentTools, "recorded" | "speak" | "hurry">;
}): Sounds {
  const { clock, logger, language, tools } = options;
  /** By text; only what succeeded is kept, so that a voice that was down is asked again. */
  const spoken = new Map<string, Promise<Sound | null>>();
  let isOpen = true;
  let wasSilenceLogged = false;

  function speak(text: string): Promise<Sound | null> {
    const known = spoken.get(text);
    if (known) return known;
    if (!isOpen) return Promise.resolve(null);
    const made = within(clock, VOICE_MOST_MS, () => tools.speak(text), null);
    spoken.set(text, made);
    void made.then((sound) => {
      if (!sound?.lengthMs) spoken.delete(text);
    });
    return made;
  }

  function logSilence(line: SpokenLine): void {
    if (wasSilenceLogged || !isOpen) return;
    wasSilenceLogged = true;
    logger.warn(
      "An agent is silent where it should speak. Record these words for it: the built-in voice does not have the language.",
      {
        words: line.name,
        language,
      },
    );
  }

  function recordingOf({ recorded, text }: SpokenLine): Sound | null {
    const samples = recorded === null ? null : tools.recorded(recorded);
    if (!samples?.length) return null;
    return { samples, lengthMs: (samples.length / G711_SAMPLE_RATE_HZ) * SECOND_MS, words: text };
  }

  return {
    prepare(line) {
      if (!recordingOf(line)) void speak(line.text);
    },
    async of(line) {
      const recording = recordingOf(line);
      if (recording) return { sound: recording, isRecording: true };
      const made = speak(line.text);
      tools.hurry?.(line.text);
      const sound = await made;
      if (sound?.lengthMs) return { sound, isRecording: false };
      logSilence(line);
      return null;
    },
    close() {
      isOpen = false;
      spoken.clear();
    },
  };
}
