// What has come of a stream and was not played yet, from the frame that is due next on. Nearly every packet is one
// whole frame and is copied as one; which bytes are there is kept only for frames that come in pieces.
import { FRAME_SAMPLES } from "./rtp.ts";

/** A second: room for the longest packet, at the furthest that is still believed. */
const FRAMES = 50;
const RING_SAMPLES = FRAMES * FRAME_SAMPLES;

export class FrameRing {
  private readonly bytes = new Uint8Array(RING_SAMPLES);
  /** How many bytes of each frame are there. */
  private readonly held = new Uint8Array(FRAMES);
  /** Of a frame that is there in part, 1 for each byte that is. Of all others 0. */
  private readonly pieces = new Uint8Array(RING_SAMPLES);
  /** The frame that is due next. */
  private due = 0;

  /**
   * `bytes[start … end)` are to be played from sample `at` on, counted from the due frame; all of it within the ring.
   */
  lay(at: number, bytes: Uint8Array, start: number, end: number): void {
    let frame = Math.floor(at / FRAME_SAMPLES);
    let from = at - frame * FRAME_SAMPLES;
    for (let next = start; next < end; frame++) {
      const length = Math.min(FRAME_SAMPLES - from, end - next);
      this.layInFrame((this.due + frame) % FRAMES, from, bytes, next, length);
      next += length;
      from = 0;
    }
  }

  /**
   * Moves the due frame to `into` and returns how many bytes of it were there. Where some were, `present` tells which.
   */
  take(into: Uint8Array, present: Uint8Array): number {
    const slot = this.due;
    const at = slot * FRAME_SAMPLES;
    const held = this.held[slot] ?? 0;
    if (held > 0) copyBytes(this.bytes, at, FRAME_SAMPLES, into, 0);
    if (held > 0 && held < FRAME_SAMPLES) copyBytes(this.pieces, at, FRAME_SAMPLES, present, 0);
    this.skip(1);
    return held;
  }

  skip(frames: number): void {
    for (let i = 0; i < frames; i++) {
      this.forgetPieces(this.due);
      this.held[this.due] = 0;
      this.due = (this.due + 1) % FRAMES;
    }
  }

  clear(): void {
    this.held.fill(0);
    this.pieces.fill(0);
  }

  private layInFrame(slot: number, from: number, bytes: Uint8Array, start: number, length: number): void {
    const at = slot * FRAME_SAMPLES + from;
    copyBytes(bytes, start, length, this.bytes, at);
    if (length < FRAME_SAMPLES) {
      this.notePiece(slot, at, length);
      return;
    }
    this.forgetPieces(slot);
    this.held[slot] = FRAME_SAMPLES;
  }

  /** Pieces may lie over each other: a byte counts once. */
  private notePiece(slot: number, at: number, length: number): void {
    let held = this.held[slot] ?? 0;
    if (held === FRAME_SAMPLES) return;
    for (let i = at; i < at + length; i++) {
      if (this.pieces[i] === 0) held++;
      this.pieces[i] = 1;
    }
    if (held === FRAME_SAMPLES) this.pieces.fill(0, slot * FRAME_SAMPLES, (slot + 1) * FRAME_SAMPLES);
    this.held[slot] = held;
  }

  private forgetPieces(slot: number): void {
    const held = this.held[slot] ?? 0;
    if (held === 0 || held === FRAME_SAMPLES) return;
    this.pieces.fill(0, slot * FRAME_SAMPLES, (slot + 1) * FRAME_SAMPLES);
  }
}

/**
 * Of any bytes, whether or not they are a Buffer. It takes 40 ns and makes no object for the part that is copied; a
 * loop over 160 bytes takes 300 ns and more.
 */
const copyOfBuffers: (this: Uint8Array, into: Uint8Array, at: number, start: number, end: number) => number =
  Buffer.alloc(0).copy;

function copyBytes(from: Uint8Array, start: number, length: number, into: Uint8Array, at: number): void {
  copyOfBuffers.call(from, into, at, start, start + length);
}
