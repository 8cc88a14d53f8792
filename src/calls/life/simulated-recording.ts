// Recordings of simulated calls, generated on first request: the built-in voice reads the transcript, the agent on the
// left channel, the callee on the right. Until then a simulated call needs no disk space for audio.
import { existsSync } from "node:fs";
import { encodeTable, G711_SAMPLE_RATE_HZ, G711_SILENCE } from "../../audio/g711.ts";
import { SECOND_MS, type Clock } from "../../core/clock.ts";
import { AppError } from "../../core/errors.ts";
import { inTime } from "../../core/within.ts";
import { keyTone } from "../../audio/key-tone.ts";
import { mulawWavHeader } from "../../audio/wav.ts";
import type { Utterance } from "../../payloads/conversation.ts";
import type { RecordingReport } from "../../payloads/lawful.ts";
import type { Recordings } from "../../media/recordings.ts";

/** The extension marks a recording that can be generated again. */
const EXTENSION = ".simulated.wav";
/** Longer than any simulated call: 10 minutes are 10 MB. */
const MOST_SECONDS = 600;
const MOST_UTTERANCES = 200;
const CHANNELS = 2;
/** Each occupies the voice for seconds. */
const MOST_AT_ONCE = 4;
const ASK_AGAIN_SECONDS = 5;
/** Generation takes seconds on an idle machine; the client's connection stays open for two minutes. */
const LONGEST_WAIT_MS = 110 * SECOND_MS;
/** Text that the built-in voice can read; other scripts stay silent. */
const READABLE = /[a-z0-9]/i;
const PRESSED = /^Pressed ([0-9*#])\.$/;
/** The callee's voice is deeper than the agent's, to tell them apart. */
const DEEPER = 1.12;

export interface SimulatedTalk {
  /** JSON of utterances. */
  transcript: string | null;
  seconds: number;
  /** JSON of a RecordingReport; null: recorded from the answer on. */
  recording: string | null;
}

export interface SimulatedRecordings {
  /** Name of the simulated recording for a recording's name. */
  nameFor(recording: string): string;
  /** Afterwards the file exists, unless the disk or the call is gone. Rejects if it cannot be generated now. */
  make(name: string, call: SimulatedTalk): Promise<void>;
}

export const isSimulated = (name: string): boolean => name.endsWith(EXTENSION);

export function createSimulatedRecordings(deps: {
  clock: Clock;
  recordings: Recordings;
  /** 16-bit samples at 8 kHz; null if the voice cannot speak the text. */
  speak: (text: string) => Promise<Int16Array | null>;
}): SimulatedRecordings {
  const { clock, recordings, speak } = deps;
  /** Concurrent requests share one generation. */
  const making = new Map<string, Promise<void>>();

  async function soundOf({ speaker, text }: Utterance): Promise<Int16Array | null> {
    const key = PRESSED.exec(text)?.[1];
    if (key !== undefined) return keyTone(key);
    const said = await speak(text);
    return speaker === "agent" || !said ? said : deeper(said);
  }

  async function write(name: string, talk: SimulatedTalk): Promise<void> {
    const { utterances, seconds } = recordedPart(talk);
    const frames = Math.round(Math.min(seconds, MOST_SECONDS) * G711_SAMPLE_RATE_HZ);
    const audio = Buffer.alloc(frames * CHANNELS, G711_SILENCE.PCMU);
    const encode = encodeTable("PCMU");
    let hasSound = !utterances.some(({ text }) => READABLE.test(text));
    for (const [i, utterance] of utterances.entries()) {
      const sound = (await soundOf(utterance)) ?? new Int16Array(0);
      hasSound ||= sound.length > 0;
      const from = Math.round(utterance.timestamp * G711_SAMPLE_RATE_HZ);
      const channel = utterance.speaker === "agent" ? 0 : 1;
      const next = utterances.slice(i + 1).find(({ speaker }) => speaker === utterance.speaker);
      const until = Math.min(frames, from + sound.length, next ? next.timestamp * G711_SAMPLE_RATE_HZ : Infinity);
      for (let at = from; at < until; at++) {
        audio[at * CHANNELS + channel] = encode[(sound[at - from] ?? 0) & 0xffff] ?? G711_SILENCE.PCMU;
      }
    }
    // A silent file would be kept for good.
    if (!hasSound) throw notNow("The voice is not ready to read this call's words.");
    recordings.store(name, Buffer.concat([mulawWavHeader({ channels: CHANNELS, frames }), audio]));
  }

  return {
    nameFor: (recording) => recording.replace(/\.wav$/, EXTENSION),
    async make(name, talk) {
      if (existsSync(recordings.pathOf(name))) return;
      if (!making.has(name) && making.size >= MOST_AT_ONCE) throw notNow("Other recordings are being made.");
      const made = making.get(name) ?? write(name, talk).finally(() => making.delete(name));
      making.set(name, made);
      // Generation continues for the next request.
      await inTime(clock, LONGEST_WAIT_MS, made, () => notNow("The recording is still being made."));
    },
  };
}

/** Utterances that began while the recording was on, with times in the file. */
function recordedPart({ transcript, seconds, recording }: SimulatedTalk): { utterances: Utterance[]; seconds: number } {
  const report = recording === null ? null : (JSON.parse(recording) as RecordingReport);
  const from = report?.from ?? 0;
  const until = Math.min(report?.until ?? seconds, seconds);
  const utterances = (JSON.parse(transcript ?? "[]") as Utterance[])
    .filter(({ timestamp }) => timestamp >= from && timestamp < until)
    .slice(0, MOST_UTTERANCES)
    .map((utterance) => ({ ...utterance, timestamp: utterance.timestamp - from }));
  return { utterances, seconds: Math.max(0, until - from) };
}

const notNow = (why: string): AppError =>
  new AppError("UNAVAILABLE", `${why} Ask again in a moment.`, { retryAfterSeconds: ASK_AGAIN_SECONDS });

/** Slower and thereby deeper, by linear interpolation. */
function deeper(samples: Int16Array): Int16Array {
  return Int16Array.from({ length: Math.floor(samples.length * DEEPER) }, (_, i) => {
    const at = i / DEEPER;
    const [before, share] = [Math.floor(at), at % 1];
    return (samples[before] ?? 0) * (1 - share) + (samples[before + 1] ?? 0) * share;
  });
}
