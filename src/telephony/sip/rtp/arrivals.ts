// What comes in at a call's two sockets: whose it is, in clear again, and to where it belongs.
import type { Incoming } from "./incoming.ts";
import type { LostAudioWatch } from "./lost-audio-watch.ts";
import type { Protection } from "./protection.ts";
import type { Reporting } from "./reporting.ts";
import { isRtcp } from "./rtp.ts";
import type { Sending } from "./sending.ts";

export interface Arrivals {
  receiveRtp(bytes: Uint8Array, address: string, port: number): void;
  receiveRtcp(bytes: Uint8Array, address: string, port: number): void;
}

export interface ArrivalsParts {
  incoming: Incoming;
  protection: Protection;
  sending: Sending;
  reporting: Reporting;
  lostAudio: LostAudioWatch;
  nowMs: () => number;
}

export function createArrivals(parts: ArrivalsParts): Arrivals {
  const { incoming, protection, sending, reporting, lostAudio, nowMs } = parts;
  const { lock } = incoming;

  function receiveRtcp(bytes: Uint8Array, address: string, port: number): void {
    if (reporting.receive(bytes, address, port) && lock.ssrc !== null) lostAudio.heard();
  }

  /** Nothing is decrypted for somebody who could not be the peer. */
  function open(bytes: Uint8Array, address: string, port: number): Uint8Array | null {
    return lock.mayCome(address, port) ? protection.openRtp(bytes) : null;
  }

  return {
    receiveRtp(bytes, address, port) {
      if (isRtcp(bytes)) {
        receiveRtcp(bytes, address, port);
        return;
      }
      const clear = protection.suite === null ? bytes : open(bytes, address, port);
      if (!clear) {
        incoming.ignore();
        return;
      }
      if (!incoming.receive(clear, address, port, nowMs())) return;
      lostAudio.heard();
      sending.aimAt(lock.target);
    },
    receiveRtcp,
  };
}
