// Every 20 ms one packet of ours on its way: written, encrypted where that was agreed on, and sent to where the peer is.
import type { Datagrams } from "./datagrams.ts";
import type { Outgoing } from "./outgoing.ts";
import type { Protection } from "./protection.ts";
import { FRAME_SAMPLES } from "./rtp.ts";
import type { RtpAddress } from "./source-lock.ts";

export interface Sending {
  /** Where packets go; null as long as nobody knows. */
  readonly place: RtpAddress | null;
  aimAt(place: RtpAddress | null): void;
  /** The next packet goes out. What it says, in clear, for the recording; null where it is a key. */
  sendFrame(): Uint8Array | null;
}

export function createSending(outgoing: Outgoing, protection: Protection, rtp: Datagrams): Sending {
  const clearFrame = new Uint8Array(FRAME_SAMPLES);
  let aimed: RtpAddress | null = null;

  /** Packets are encrypted where they lie; the recording wants what they held. */
  function copyInClear({ audio }: Outgoing): Uint8Array | null {
    if (!audio) return null;
    clearFrame.set(audio);
    return clearFrame;
  }

  return {
    get place() {
      return aimed;
    },
    aimAt(place) {
      if (!place || (aimed?.address === place.address && aimed.port === place.port)) return;
      aimed = { address: place.address, port: place.port };
      rtp.aim(aimed.address, aimed.port);
    },
    sendFrame() {
      const length = outgoing.nextPacket();
      const isInClear = protection.suite === null;
      const said = isInClear ? outgoing.audio : copyInClear(outgoing);
      const sentLength = isInClear ? length : protection.sealRtp(outgoing.packet, length);
      if (rtp.send(sentLength)) outgoing.wasSent(length);
      return said;
    },
  };
}
