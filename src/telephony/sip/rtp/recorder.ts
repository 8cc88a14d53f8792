// Both legs of a call as one stereo WAV, agent left and caller right, written while it happens. It runs on the clock:
// a peer that sends nothing while it is silent leaves silence in the file, not a hole.
import type { Logger } from "../../../core/logger.ts";
import { G711_SAMPLE_RATE_HZ, G711_SILENCE, transcodeTable, type G711Law } from "../../../audio/g711.ts";
import { G711_WAV_HEADER_BYTES, mulawWavHeader } from "../../../audio/wav.ts";
import { openBackgroundFile } from "../worker/background-file.ts";
import { FRAME_SAMPLES } from "./rtp.ts";

const CHANNELS = 2;
const FRAME_BYTES = FRAME_SAMPLES * CHANNELS;
/** Two seconds: what a crash can cost, against a write per frame. */
const BLOCK_FRAMES = 100;
const BLOCK_BYTES = BLOCK_FRAMES * FRAME_BYTES;
/** 20 s of sound, and the header before and after it. */
const MOST_WAITING_WRITES = 12;
const WORDS = {
  failed: "a recording could not be written; check the disk and the folder's permissions",
  tooSlow: "a recording was given up because the disk is too slow",
};

export interface Recorder {
  /** The next 20 ms of both legs, 160 bytes each, in the laws given; null is silence. */
  write(agent: Uint8Array | null, caller: Uint8Array | null, agentLaw: G711Law, callerLaw: G711Law): void;
  /** Writes what is left and the true length into the header. */
  close(): Promise<{ recorded: boolean; seconds: number }>;
}

/** Never throws and never waits: what goes wrong with the disk is logged, told by `close`, and leaves the call alone. */
export function createRecorder(file: string, logger: Logger): Recorder {
  const background = openBackgroundFile({ file, logger, words: WORDS, mostWaiting: MOST_WAITING_WRITES });
  let block = newBlock();
  /** The first block is shorter, by another length in every call, so that calls answered together write apart. */
  let blockBytes = firstBlockFrames() * FRAME_BYTES;
  let filled = 0;
  /** Every recording is µ-law, whatever the line speaks, so that there is one kind of file to read. */
  const toMulaw = { PCMA: transcodeTable("PCMA", "PCMU"), PCMU: transcodeTable("PCMU", "PCMU") };
  let writtenBytes = 0;
  writeHeader();

  function writeHeader(): void {
    background.write(mulawWavHeader({ channels: CHANNELS, frames: writtenBytes / CHANNELS }), 0);
  }

  function append(bytes: Uint8Array): void {
    background.write(bytes, G711_WAV_HEADER_BYTES + writtenBytes);
    writtenBytes += bytes.length;
  }

  return {
    write(agent, caller, agentLaw, callerLaw) {
      if (background.isBroken) return;
      if (agent) place(block, filled, agent, toMulaw[agentLaw]);
      if (caller) place(block, filled + 1, caller, toMulaw[callerLaw]);
      filled += FRAME_BYTES;
      if (filled < blockBytes) return;
      append(block.subarray(0, filled));
      block = newBlock();
      blockBytes = BLOCK_BYTES;
      filled = 0;
    },
    async close() {
      if (filled > 0) append(block.subarray(0, filled));
      filled = 0;
      writeHeader();
      const seconds = writtenBytes / CHANNELS / G711_SAMPLE_RATE_HZ;
      return (await background.close()) ? { recorded: true, seconds } : { recorded: false, seconds: 0 };
    },
  };
}

let recordersMade = 0;

function firstBlockFrames(): number {
  recordersMade = (recordersMade + 37) % BLOCK_FRAMES;
  return 1 + recordersMade;
}

function newBlock(): Uint8Array {
  return new Uint8Array(BLOCK_BYTES).fill(G711_SILENCE.PCMU);
}

function place(block: Uint8Array, from: number, frame: Uint8Array, toMulaw: Uint8Array): void {
  for (let i = 0; i < FRAME_SAMPLES; i++) block[from + i * CHANNELS] = toMulaw[frame[i] ?? 0] ?? 0;
}
