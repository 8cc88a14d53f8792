// What becomes of each 20 ms that we hear: it is recorded beside what we said, searched for keys that come as tones, and told
// to whoever listens.
import type { Logger } from "../../../core/logger.ts";
import { createIncoming, type Incoming, type IncomingFormat } from "./incoming.ts";
import type { Outgoing } from "./outgoing.ts";
import { createRecorder, type Recorded, type Recorder } from "./recorder.ts";
import { createToneKeys } from "./tone-keys.ts";

/**
 * 160 samples of 8 kHz, to be copied by who wants to keep them; `heard` is false for silence that we made up. `wide` is the
 * same as 320 samples of 16 kHz, where the line carries so much.
 */
export type FrameListener = (frame: Int16Array, heard: boolean, wide: Int16Array | null) => void;

export interface Listening {
  readonly incoming: Incoming;
  configure(format: IncomingFormat): void;
  /** From now on, into this file. A second time changes nothing. */
  record(file: string, logger: Logger): void;
  /** Moves on by 20 ms. `said` is what we said meanwhile, in `outgoing`'s law. */
  hear(said: Uint8Array | null): void;
  onDtmf(listener: (digit: string) => void): void;
  onFrame(listener: FrameListener): void;
  close(): Promise<Recorded>;
}

export function createListening(outgoing: Outgoing): Listening {
  const incoming = createIncoming((digit) => dtmfListener?.(digit));
  const tones = createToneKeys();
  let recorder: Recorder | null = null;
  let dtmfListener: ((digit: string) => void) | null = null;
  let frameListener: FrameListener | null = null;
  /** A peer that knows no key events sends keys as tones, if at all. */
  let listensForTones = false;

  function tell(isHeard: boolean): void {
    const { hearing } = incoming;
    const samples = hearing.samples();
    const key = listensForTones ? tones.hear(samples) : null;
    if (key !== null) dtmfListener?.(key);
    frameListener?.(samples, isHeard, hearing.wide);
  }

  return {
    incoming,
    configure(format) {
      incoming.configure(format);
      listensForTones = format.dtmfPayloadType === null;
    },
    record(file, logger) {
      recorder ??= createRecorder(file, logger);
    },
    hear(said) {
      const isHeard = incoming.pull();
      const { recordable, law } = incoming.hearing;
      recorder?.write(said, isHeard ? recordable : null, outgoing.law, law);
      if (frameListener || listensForTones) tell(isHeard);
    },
    onDtmf(listener) {
      dtmfListener = listener;
    },
    onFrame(listener) {
      frameListener = listener;
    },
    close: async () => (recorder ? recorder.close() : { recorded: false, seconds: 0 }),
  };
}
