// Sends one packet every 20 ms: written, encrypted if negotiated, and sent to the peer's address.
import type { Datagrams } from "./datagrams.ts";
import type { Outgoing } from "./outgoing.ts";
import type { Protection } from "./protection.ts";
import { FRAME_SAMPLES } from "./rtp.ts";
import type { RtpAddress } from "./source-lock.ts";

export interface Sending {
  /** Destination of packets; null while unknown. */
  readonly place: RtpAddress | null;
  /** Called with every SDP, once it is known whether packets are encrypted. */
  configure(): void;
  aimAt(place: RtpAddress | null): void;
  /** Sends the next packet. Returns its unencrypted audio for the recording; null for a key event. */
  sendFrame(): Uint8Array | null;
}

export function createSending(outgoing: Outgoing, protection: Protection, rtp: Datagrams): Sending {
  return new PacketSending(outgoing, protection, rtp);
}

/**
 * Copy of the audio for the recording, because packets are encrypted in place. Shared by all calls: it is recorded at
 * once.
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
