// Both legs of a call as one stereo WAV, agent left and caller right, written while it happens. It runs on the clock:
// a peer that sends nothing while it is silent leaves silence in the file, not a hole.
import { open, type FileHandle } from "node:fs/promises";
import type { Logger } from "../../../core/logger.ts";
import { G711_SAMPLE_RATE_HZ, G711_SILENCE, transcodeTable, type G711Law } from "../../audio/g711.ts";
import { G711_WAV_HEADER_BYTES, mulawWavHeader } from "../../audio/wav.ts";
import { FRAME_SAMPLES } from "./rtp.ts";

const CHANNELS = 2;
const FRAME_BYTES = FRAME_SAMPLES * CHANNELS;
/** Two seconds: what a crash can cost, against a write per frame. */
const BLOCK_FRAMES = 100;
const BLOCK_BYTES = BLOCK_FRAMES * FRAME_BYTES;
/** A disk that has been stuck for 20 s will not catch up; a call must not eat memory meanwhile. */
const MOST_WAITING_BLOCKS = 10;

export interface Recorder {
  /** The next 20 ms of both legs, 160 bytes each in `law`; null is silence. */
  write(agent: Uint8Array | null, caller: Uint8Array | null, law: G711Law): void;
  /** Writes what is left and the true length into the header. */
  close(): Promise<{ recorded: boolean; seconds: number }>;
}

/** Never throws and never waits: what goes wrong with the disk is logged, told by `close`, and leaves the call alone. */
export function createRecorder(file: string, logger: Logger): Recorder {
  let handle: FileHandle | null = null;
  let isBroken = false;
  let block = newBlock();
  /** The first block is shorter, by another length in every call, so that calls answered together write apart. */
  let blockBytes = firstBlockFrames() * FRAME_BYTES;
  let filled = 0;
  /** Every recording is µ-law, whatever the line speaks, so that there is one kind of file to read. */
  let tableLaw: G711Law = "PCMU";
  let toMulaw = transcodeTable(tableLaw, "PCMU");
  let writtenBytes = 0;
  let waitingBlocks = 0;

  /** Writes one after the other, so that a crash leaves a file that is whole up to its end. */
  let work: Promise<void> = run(async () => {
    handle = await open(file, "w", 0o600);
    await handle.chmod(0o600); // The mode given to open does not touch a file that is there already.
    await writeAll(handle, mulawWavHeader({ channels: CHANNELS, frames: 0 }), 0);
  });

  async function run(step: () => Promise<void>): Promise<void> {
    if (isBroken) return;
    try {
      await step();
    } catch (error) {
      isBroken = true;
      const code = error instanceof Error && "code" in error ? String(error.code) : String(error);
      logger.error("a recording could not be written; check the disk and the folder's permissions", { code });
    }
  }

  function append(bytes: Uint8Array): void {
    if (waitingBlocks >= MOST_WAITING_BLOCKS) {
      if (!isBroken) logger.error("a recording was given up because the disk is too slow");
      isBroken = true;
      return;
    }
    waitingBlocks++;
    const at = G711_WAV_HEADER_BYTES + writtenBytes;
    writtenBytes += bytes.length;
    work = work.then(async () => {
      await run(async () => {
        if (handle) await writeAll(handle, bytes, at);
      });
      waitingBlocks--;
    });
  }

  return {
    write(agent, caller, law) {
      if (isBroken) return;
      if (law !== tableLaw) {
        tableLaw = law;
        toMulaw = transcodeTable(law, "PCMU");
      }
      if (agent) place(block, filled, agent, toMulaw);
      if (caller) place(block, filled + 1, caller, toMulaw);
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
      await work;
      const frames = writtenBytes / CHANNELS;
      await run(async () => {
        if (handle) await writeAll(handle, mulawWavHeader({ channels: CHANNELS, frames }), 0);
      });
      await handle?.close().catch(() => undefined); // Everything is written; there is nothing left to lose.
      return isBroken ? { recorded: false, seconds: 0 } : { recorded: true, seconds: frames / G711_SAMPLE_RATE_HZ };
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

/** A disk that is nearly full takes part of a write before it refuses the rest. */
async function writeAll(handle: FileHandle, bytes: Uint8Array, at: number): Promise<void> {
  for (let written = 0; written < bytes.length;) {
    written += (await handle.write(bytes, written, bytes.length - written, at + written)).bytesWritten;
  }
}
