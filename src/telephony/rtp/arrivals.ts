// Receives the packets of a call's two sockets: checks the source, decrypts, and passes them on.
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

export interface OpenArrivals extends Arrivals {
  /** Called with every SDP, once it is known whether packets are encrypted. */
  configure(): void;
}

export function createArrivals(parts: ArrivalsParts): OpenArrivals {
  return new CallArrivals(parts);
}

class CallArrivals implements OpenArrivals {
  private readonly incoming: Incoming;
  private readonly nowMs: () => number;
  private isInClear = true;

  constructor(private readonly parts: ArrivalsParts) {
    this.incoming = parts.incoming;
    this.nowMs = parts.nowMs;
  }

  configure(): void {
    this.isInClear = this.parts.protection.suite === null;
  }

  receiveRtp(bytes: Uint8Array, address: string, port: number): void {
    if (isRtcp(bytes)) {
      this.receiveRtcp(bytes, address, port);
      return;
    }
    const clear = this.isInClear ? bytes : this.open(bytes, address, port);
    if (!clear) {
      this.incoming.ignore();
      return;
    }
    const judgement = this.incoming.receive(clear, address, port, this.nowMs());
    // The send address moves only here and with a new SDP.
    if (judgement === "new_source") this.parts.sending.aimAt(this.incoming.lock.target);
  }

  receiveRtcp(bytes: Uint8Array, address: string, port: number): void {
    const { reporting, lostAudio } = this.parts;
    if (reporting.receive(bytes, address, port) && this.incoming.lock.ssrc !== null) lostAudio.heard();
  }

  /** Packets that cannot be the peer's are not decrypted. */
  private open(bytes: Uint8Array, address: string, port: number): Uint8Array | null {
    return this.incoming.lock.mayCome(address, port) ? this.parts.protection.openRtp(bytes) : null;
  }
}
