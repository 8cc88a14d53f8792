// Sends DTMF as telephone-event packets (RFC 4733), or as in-band tones if the peer does not support events.
import { writeKeyTone } from "../../audio/key-tone.ts";
import { DTMF_DIGITS } from "./dtmf-receiver.ts";
import { FRAME_MS, FRAME_SAMPLES } from "./rtp.ts";

/** 100 ms of key and 100 ms of pause: ITU-T Q.24 requires 40 and 40, but deployed menus need more. */
const KEY_FRAMES = 5;
const PAUSE_FRAMES = 5;
/** The last packet is sent three times (section 2.5.1.4); the pause is counted from the end of the key. */
const END_PACKETS = 3;
const DIGIT_FRAMES = KEY_FRAMES + PAUSE_FRAMES;
/** −10 dBm0, as most gateways send. */
const VOLUME = 10;

export interface DtmfSender {
  /** Throws on anything but 0–9, *, # and A–D. */
  queue(digits: string): void;
  readonly busy: boolean;
  /** Advances by one frame of 20 ms; call once per frame while busy. */
  step(): void;
  /** Writes the event of this frame at `at`; 0 bytes during the pause between keys. */
  writeEvent(into: Uint8Array, at: number): number;
  /** Age of the event in samples: all its packets carry the timestamp of the key press. */
  readonly ageSamples: number;
  readonly isFirstPacket: boolean;
  /** The tone of this frame, at 8 or 16 kHz depending on its length; silence between keys. */
  writeTone(into: Int16Array): void;
}

export function createDtmfSender(): DtmfSender {
  let waiting = "";
  let digit = "";
  let frame = 0;

  return {
    queue(digits) {
      const upper = digits.toUpperCase();
      for (const character of upper) {
        if (!DTMF_DIGITS.includes(character)) {
          throw new Error(`Only 0-9, *, # and A-D can be sent as keys, not ${JSON.stringify(character)}.`);
        }
      }
      waiting += upper;
    },
    get busy() {
      return digit !== "" || waiting !== "";
    },
    step() {
      if (digit !== "" && ++frame < DIGIT_FRAMES) return;
      digit = waiting.slice(0, 1);
      waiting = waiting.slice(1);
      frame = 0;
    },
    writeEvent(into, at) {
      if (digit === "" || frame >= KEY_FRAMES - 1 + END_PACKETS) return 0;
      const isEnd = frame >= KEY_FRAMES - 1;
      const duration = Math.min(frame + 1, KEY_FRAMES) * FRAME_SAMPLES;
      into[at] = DTMF_DIGITS.indexOf(digit);
      into[at + 1] = (isEnd ? 0x80 : 0) | VOLUME;
      into[at + 2] = duration >>> 8;
      into[at + 3] = duration;
      return 4;
    },
    get ageSamples() {
      return frame * FRAME_SAMPLES;
    },
    get isFirstPacket() {
      return frame === 0;
    },
    writeTone(into) {
      if (digit === "" || frame >= KEY_FRAMES) {
        into.fill(0);
        return;
      }
      // A frame is 20 ms at either rate.
      writeKeyTone(digit, frame * into.length, into, (into.length * 1_000) / FRAME_MS);
    },
  };
}
