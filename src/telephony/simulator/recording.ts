// A simulated call as a WAV: G.711 µ-law at 8 kHz, the agent on the left, the user on the right, a hum for each voice.
import { closeSync, fchmodSync, openSync, rmSync, writeSync } from "node:fs";
import type { Script, TimedTurn } from "./script.ts";

const SAMPLE_RATE_HZ = 8_000;
const CHANNELS = 2;
const WAVE_FORMAT_MULAW = 7;
const MULAW_SILENCE = 0xff;
/** RIFF 12, `fmt ` 26 (18 of them its body), `fact` 12 and the head of `data` 8. */
const HEADER_BYTES = 58;
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
  const descriptor = openSync(file, "w", 0o600);
  try {
    fchmodSync(descriptor, 0o600); // The mode given to open does not touch a file that is there already.
    writeAll(descriptor, header(frames));
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

function header(frames: number): Buffer {
  const dataBytes = frames * CHANNELS;
  const bytes = Buffer.alloc(HEADER_BYTES);
  bytes.write("RIFF", 0);
  bytes.writeUInt32LE(HEADER_BYTES - 8 + dataBytes, 4);
  bytes.write("WAVEfmt ", 8);
  bytes.writeUInt32LE(18, 16);
  bytes.writeUInt16LE(WAVE_FORMAT_MULAW, 20);
  bytes.writeUInt16LE(CHANNELS, 22);
  bytes.writeUInt32LE(SAMPLE_RATE_HZ, 24);
  bytes.writeUInt32LE(SAMPLE_RATE_HZ * CHANNELS, 28); // bytes per second
  bytes.writeUInt16LE(CHANNELS, 32); // bytes per frame
  bytes.writeUInt16LE(8, 34); // bits per sample
  bytes.writeUInt16LE(0, 36); // no extension
  bytes.write("fact", 38); // required of every format but PCM
  bytes.writeUInt32LE(4, 42);
  bytes.writeUInt32LE(frames, 46);
  bytes.write("data", 50);
  bytes.writeUInt32LE(dataBytes, 54);
  return bytes;
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

/** ITU-T G.711, from 16-bit linear. */
function toMulaw(linear: number): number {
  const sign = linear < 0 ? 0x80 : 0;
  const magnitude = Math.min(Math.abs(linear), 32_635) + 132;
  const exponent = 24 - Math.clz32(magnitude);
  return ~(sign | (exponent << 4) | ((magnitude >> (exponent + 3)) & 0x0f)) & 0xff;
}
