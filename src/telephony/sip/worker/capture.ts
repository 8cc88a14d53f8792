// Packet capture of one call for Wireshark, written during the call: SIP without its secrets, RTP and RTCP unchanged.
import { rm } from "node:fs/promises";
import { monotonicMs, systemClock, type Clock } from "../../../core/clock.ts";
import type { Logger } from "../../../core/logger.ts";
import type { FileKey } from "../../../core/sealed-frames.ts";
import type { LineMessage } from "../../line-report.ts";
import { PCAP_HEADER_BYTES, pcapHeader, pcapRecord, sipRecord } from "../../pcap.ts";
import type { Endpoint } from "../../udp-packet.ts";
import { openBackgroundFile } from "../../background-file.ts";

export interface Capture {
  sip(message: LineMessage, local: Endpoint): void;
  rtp(direction: "sent" | "received", bytes: Uint8Array, local: Endpoint, remote: Endpoint): void;
  /** Whether the file holds packets; otherwise it is deleted. Idempotent: repeated calls return the same result. */
  close(): Promise<boolean>;
}

export interface CaptureOptions {
  clock?: Clock;
  nowMs?: () => number;
  mostBytes?: number;
  /** Encrypts the file. */
  key?: FileKey | null | undefined;
}

/** Three seconds of a two-way call: the loss in a crash, traded against a write per packet. */
const BLOCK_BYTES = 64 * 1024;
const MOST_WAITING_BLOCKS = 10;
/** 40 minutes of a call. */
const MOST_BYTES = 50_000_000;
const WORDS = {
  failed: "a packet capture could not be written; check the disk and the folder's permissions",
  tooSlow: "a packet capture was given up because the disk is too slow",
};

/** Never throws and never blocks: an error loses the capture, never the call. */
export function openCapture(file: string, logger: Logger, options: CaptureOptions = {}): Capture {
  const { clock = systemClock, nowMs = monotonicMs, mostBytes = MOST_BYTES, key } = options;
  const background = openBackgroundFile({ file, logger, words: WORDS, mostWaiting: MOST_WAITING_BLOCKS, key });
  /** Base for sub-millisecond timestamps: whole milliseconds would appear as jitter of 20 ms packets. */
  const epochOfNowMs = clock.now() - nowMs();
  let records: Uint8Array[] = [pcapHeader()];
  let recordedBytes = PCAP_HEADER_BYTES;
  let writtenBytes = 0;
  let isFull = false;
  let closed: Promise<boolean> | null = null;

  function add(record: () => Uint8Array): void {
    if (isFull || closed || background.isBroken) return;
    const bytes = record();
    isFull = recordedBytes + bytes.length > mostBytes;
    if (isFull) return;
    records.push(bytes);
    recordedBytes += bytes.length;
    if (recordedBytes - writtenBytes >= BLOCK_BYTES) writeBlock();
  }

  function writeBlock(): void {
    const block = Buffer.concat(records);
    records = [];
    background.write(block, writtenBytes);
    writtenBytes += block.length;
  }

  async function close(): Promise<boolean> {
    writeBlock();
    const isWhole = await background.close();
    const holdsPackets = isWhole && writtenBytes > PCAP_HEADER_BYTES;
    // An unreported file would never be erased.
    if (!holdsPackets) await rm(file, { force: true }).catch(() => undefined);
    return holdsPackets;
  }

  return {
    sip: (message, local) => add(() => sipRecord(message, local)),
    rtp: (direction, bytes, local, remote) =>
      add(() => {
        const [from, to] = direction === "sent" ? [local, remote] : [remote, local];
        return pcapRecord(epochOfNowMs + nowMs(), from, to, bytes);
      }),
    close: () => (closed ??= close()),
  };
}
