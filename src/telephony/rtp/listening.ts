// Processing of each received frame of 20 ms: recorded together with the audio we sent, searched for in-band DTMF, and
// passed to the listener.
import type { Logger } from "../../core/logger.ts";
import type { FileKey } from "../../core/sealed-frames.ts";
import { createIncoming, type Incoming, type IncomingFormat } from "./incoming.ts";
import type { Outgoing } from "./outgoing.ts";
import { createRecorder, type Recorded, type Recorder } from "./recorder.ts";
import { createToneKeys, type ToneKeys } from "./tone-keys.ts";

/**
 * 160 samples at 8 kHz; the buffer is reused, so copy it to keep it. `heard` is false for generated silence. `wide` is
 * the same audio as 320 samples at 16 kHz on a wideband line. `lost`: frames found lost since the previous call.
 */
export type FrameListener = (frame: Int16Array, heard: boolean, wide: Int16Array | null, lost: number) => void;

export interface Listening {
  readonly incoming: Incoming;
  configure(format: IncomingFormat): void;
  /** Starts recording into this file, or continues. */
  record(file: string, logger: Logger, key: FileKey | null): void;
  /** The file keeps the frames so far. */
  stopRecording(): void;
  /** Advances by 20 ms. `said` is the audio sent meanwhile, in `outgoing`'s law. */
  hear(said: Uint8Array | null): void;
  onDtmf(listener: (digit: string) => void): void;
  onFrame(listener: FrameListener): void;
  close(): Promise<Recorded>;
}

export function createListening(outgoing: Outgoing): Listening {
  return new CallListening(outgoing);
}

class CallListening implements Listening {
  readonly incoming = createIncoming((digit) => this.dtmfListener?.(digit));
  private recorder: Recorder | null = null;
  /** The recorder while it is on. */
  private recording: Recorder | null = null;
  private dtmfListener: ((digit: string) => void) | null = null;
  private frameListener: FrameListener | null = null;
  /** A peer without telephone-event sends keys as in-band tones, if at all. */
  private tones: ToneKeys | null = null;
  /** Counts of the buffer that were already reported. */
  private readonly told = { gaps: 0, late: 0, givenUp: 0 };

  constructor(private readonly outgoing: Outgoing) {}

  configure(format: IncomingFormat): void {
    this.incoming.configure(format);
    this.tones = format.dtmfPayloadType === null ? (this.tones ?? createToneKeys()) : null;
  }

  record(file: string, logger: Logger, key: FileKey | null): void {
    this.recording = this.recorder ??= createRecorder(file, logger, key);
  }

  stopRecording(): void {
    this.recording = null;
  }

  hear(said: Uint8Array | null): void {
    const isHeard = this.incoming.pull();
    if (this.recording) {
      const { recordable, law } = this.incoming.hearing;
      this.recording.write(said, isHeard ? recordable : null, this.outgoing.law, law);
    }
    if (this.frameListener || this.tones) this.tell(isHeard);
  }

  onDtmf(listener: (digit: string) => void): void {
    this.dtmfListener = listener;
  }

  onFrame(listener: FrameListener): void {
    this.frameListener = listener;
  }

  async close(): Promise<Recorded> {
    return this.recorder ? this.recorder.close() : { recorded: false, seconds: 0 };
  }

  private tell(isHeard: boolean): void {
    const { hearing } = this.incoming;
    const samples = hearing.samples();
    const key = this.tones?.hear(samples) ?? null;
    if (key !== null) this.dtmfListener?.(key);
    this.frameListener?.(samples, isHeard, hearing.wide, this.newlyLost());
  }

  /** A late packet is either already counted as a gap, or was taken for a pause. */
  private newlyLost(): number {
    const { told } = this;
    const { gaps, late, givenUp } = this.incoming.buffer;
    const lost = Math.max(gaps - told.gaps, late - told.late) + (givenUp - told.givenUp);
    told.gaps = gaps;
    told.late = late;
    told.givenUp = givenUp;
    return lost;
  }
}
