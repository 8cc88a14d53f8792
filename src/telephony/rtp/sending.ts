// Every 20 ms one packet of ours on its way: written, encrypted where that was agreed on, and sent to where the peer
// is.
import type { Datagrams } from "./datagrams.ts";
import type { Outgoing } from "./outgoing.ts";
import type { Protection } from "./protection.ts";
import { FRAME_SAMPLES } from "./rtp.ts";
import type { RtpAddress } from "./source-lock.ts";

export interface Sending {
  /** Where packets go; null as long as nobody knows. */
  readonly place: RtpAddress | null;
  /** With every SDP, once it is known whether packets are encrypted. */
  configure(): void;
  aimAt(place: RtpAddress | null): void;
  /** The next packet goes out. What it says, in clear, for the recording; null where it is a key. */
  sendFrame(): Uint8Array | null;
}

export function createSending(outgoing: Outgoing, protection: Protection, rtp: Datagrams): Sending {
  return new PacketSending(outgoing, protection, rtp);
}

/**
 * Packets are encrypted where they lie; the recording wants what they held. One for all calls: it is recorded at once.
 */
const clearFrame = new Uint8Array(FRAME_SAMPLES);

class PacketSending implements Sending {
  place: RtpAddress | null = null;
  private isInClear = true;

  constructor(
    private readonly outgoing: Outgoing,
    private readonly protection: Protection,
    private readonly rtp: Datagrams,
  ) {}

  configure(): void {
    this.isInClear = this.protection.suite === null;
  }

  aimAt(place: RtpAddress | null): void {
    if (!place || (this.place?.address === place.address && this.place.port === place.port)) return;
    this.place = { address: place.address, port: place.port };
    this.rtp.aim(place.address, place.port);
  }

  sendFrame(): Uint8Array | null {
    const { outgoing } = this;
    const length = outgoing.nextPacket();
    const { audio } = outgoing;
    if (this.isInClear) {
      if (this.rtp.send(length)) outgoing.wasSent(length);
      return audio;
    }
    if (audio) clearFrame.set(audio);
    if (this.rtp.send(this.protection.sealRtp(outgoing.packet, length))) outgoing.wasSent(length);
    return audio && clearFrame;
  }
}
