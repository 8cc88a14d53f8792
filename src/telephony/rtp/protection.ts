// SRTP state of one call across SDP changes. Without keys packets pass through unchanged.
import { createSrtpReceiver, createSrtpSender, type SrtpReceiver, type SrtpSender } from "./srtp.ts";
import type { SrtpSuite } from "./srtp-keys.ts";

/** Base64 of 16 bytes of key and 14 of salt for each direction. */
export interface ProtectionKeys {
  suite: SrtpSuite;
  ours: string;
  theirs: string;
}

export interface Protection {
  /** Null for unencrypted audio. */
  readonly suite: SrtpSuite | null;
  /** Whether any audio of the call was negotiated unencrypted. */
  readonly wasInClear: boolean;
  /** Packets that failed authentication with the negotiated key. */
  readonly refused: number;
  /** Called with every SDP. An unchanged key keeps its counters. */
  configure(keys: ProtectionKeys | null): void;
  /** Encrypts in place, with room for the tag; returns the new length. */
  sealRtp(packet: Uint8Array, length: number): number;
  sealRtcp(report: Uint8Array): Uint8Array;
  /** Decrypts in place; null if the packet is not the peer's. */
  openRtp(packet: Uint8Array): Uint8Array | null;
  openRtcp(report: Uint8Array): Uint8Array | null;
}

export function createProtection(): Protection {
  let keys: ProtectionKeys | null = null;
  let wasInClear = false;
  let refused = 0;
  let sender: SrtpSender | null = null;
  let receiver: SrtpReceiver | null = null;
  /**
   * The previous key: its packets are still in flight when the peer has signalled a new one. Dropped with the first
   * packet of the new key.
   */
  let previous: SrtpReceiver | null = null;

  function open(packet: Uint8Array, how: "unprotectRtp" | "unprotectRtcp"): Uint8Array | null {
    if (!receiver) return packet;
    const opened = receiver[how](packet);
    if (opened) {
      previous = null;
      return opened;
    }
    const late = previous?.[how](packet) ?? null;
    if (!late) refused += 1;
    return late;
  }

  return {
    get suite() {
      return keys?.suite ?? null;
    },
    get wasInClear() {
      return wasInClear;
    },
    get refused() {
      return refused;
    },
    configure(next) {
      if (!next) {
        [keys, sender, receiver, previous] = [null, null, null, null];
        wasInClear = true;
        return;
      }
      const { suite } = next;
      const isSameSuite = keys?.suite === suite;
      if (!isSameSuite || keys?.ours !== next.ours) sender = createSrtpSender(suite, bytesOf(next.ours));
      if (!isSameSuite || keys?.theirs !== next.theirs) {
        previous = receiver;
        receiver = createSrtpReceiver(suite, bytesOf(next.theirs));
      }
      keys = next;
    },
    sealRtp: (packet, length) => sender?.protectRtp(packet, length) ?? length,
    sealRtcp: (report) => sender?.protectRtcp(report) ?? report,
    openRtp: (packet) => open(packet, "unprotectRtp"),
    openRtcp: (report) => open(report, "unprotectRtcp"),
  };
}

function bytesOf(key: string): Uint8Array {
  return Uint8Array.from(Buffer.from(key, "base64"));
}
