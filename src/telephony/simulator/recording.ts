// A simulated call as a WAV: G.711 µ-law at 8 kHz, the agent on the left, the user on the right, a hum for each voice.
import { closeSync, existsSync, fchmodSync, mkdirSync, openSync, rmSync, writeSync } from "node:fs";
import { dirname } from "node:path";
import { G711_SAMPLE_RATE_HZ as SAMPLE_RATE_HZ, G711_SILENCE, toMulaw } from "../../audio/g711.ts";
import { mulawWavHeader } from "../../audio/wav.ts";
import type { Script, TimedTurn } from "./script.ts";

const CHANNELS = 2;
const MULAW_SILENCE = G711_SILENCE.PCMU;
/** 64 KB at a time, so that a long call takes no more memory than a short one. */
const FRAMES_PER_WRITE = 4 * SAMPLE_RATE_HZ;

/**
 * Blocks while it writes: 40 s of call are 640 KB. So `ended` follows the last word in the same tick, which keeps
 * tests on a manual clock free of races. On failure nothing is left of the file.
 */
export function writeRecording(
  file: string,
  { turns, durationSeconds }: Pick<Script, "turns" | "durationSeconds">,
): void {
  const frames = Math.round(durationSeconds * SAMPLE_RATE_HZ);
  // Somebody may have cleared the folder away since the call began.
  if (!existsSync(dirname(file))) mkdirSync(dirname(file), { mode: 0o700 });
  const descriptor = openSync(file, "w", 0o600);
  try {
    fchmodSync(descriptor, 0o600); // The mode given to open does not touch a file that is there already.
    writeAll(descriptor, mulawWavHeader({ channels: CHANNELS, frames }));
    const audio = Buffer.alloc(Math.min(frames, FRAMES_PER_WRITE) * CHANNELS);
    for (let from = 0; from < frames; from += FRAMES_PER_WRITE) {
      const until = Math.min(from + FRAMES_PER_WRITE, frames);
      audio.fill(MULAW_SILENCE);
      for (const turn of turns) place(audio, turn, from, until);
      writeAll(descriptor, audio.subarray(0, (until - from) * CHANNELS));
    }
  } catch (error) {
    rmSync(file, { force: true });
    throw error;
  } finally {
    closeSync(descriptor);
  }
}

/** Copies whole stretches: nobody speaks while the other does, so the listener's side may be overwritten by silence. */
function place(audio: Buffer, { speaker, startSeconds, lengthSeconds }: TimedTurn, from: number, until: number): void {
  const start = Math.round(startSeconds * SAMPLE_RATE_HZ);
  const end = Math.min(start + Math.round(lengthSeconds * SAMPLE_RATE_HZ), until);
  const voice = voiceOf(speaker);
  for (let frame = Math.max(start, from); frame < end;) {
    const inLoop = (frame - start) % SAMPLE_RATE_HZ;
    const length = Math.min(SAMPLE_RATE_HZ - inLoop, end - frame);
    audio.set(voice.subarray(inLoop * CHANNELS, (inLoop + length) * CHANNELS), (frame - from) * CHANNELS);
    frame += length;
  }
}

/** A disk that is nearly full takes part of a write before it refuses the rest. */
function writeAll(descriptor: number, bytes: Uint8Array): void {
  for (let written = 0; written < bytes.length;) written += writeSync(descriptor, bytes, written);
}

type Speaker = TimedTurn["speaker"];

const SOUND: Record<Speaker, { channel: number; pitchHz: number; formantHz: number }> = {
  agent: { channel: 0, pitchHz: 200, formantHz: 700 },
  user: { channel: 1, pitchHz: 125, formantHz: 550 },
};

const voices = new Map<Speaker, Uint8Array>();

/** Made at the first recording, because commands that make no calls load this file as well. */
function voiceOf(speaker: Speaker): Uint8Array {
  const voice = voices.get(speaker) ?? voiceLoop(SOUND[speaker]);
  voices.set(speaker, voice);
  return voice;
}

/**
 * One second, in stereo, of a hum that sounds faintly like speech: harmonics of the pitch, weighted by a formant that
 * wanders, in syllables of 250 ms. Whole frequencies, so that it repeats without a seam. Its peaks stay 12 dB below
 * full scale.
 */
function voiceLoop({ channel, pitchHz, formantHz }: (typeof SOUND)[Speaker]): Uint8Array {
  const loop = new Uint8Array(SAMPLE_RATE_HZ * CHANNELS).fill(MULAW_SILENCE);
  for (let frame = 0; frame < SAMPLE_RATE_HZ; frame++) {
    const angle = (2 * Math.PI * frame) / SAMPLE_RATE_HZ;
    const formantNowHz = formantHz * (1 + 0.4 * Math.sin(2 * angle));
    let wave = 0;
    for (let harmonicHz = pitchHz; harmonicHz < 1_600; harmonicHz += pitchHz) {
      wave += Math.exp(-(((harmonicHz - formantNowHz) / 250) ** 2)) * Math.sin(harmonicHz * angle);
    }
    const syllable = (1 - Math.cos(4 * angle)) / 2;
    loop[frame * CHANNELS + channel] = toMulaw(Math.round(2_500 * wave * syllable));
  }
  return loop;
}
