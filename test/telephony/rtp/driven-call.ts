// The media of one call without sockets: the test delivers each packet with its source address.
import { silentLogger } from "../../../src/core/logger.ts";
import { createAudioStream, type RemoteMedia } from "../../../src/telephony/rtp/audio-stream.ts";
import type { Datagrams } from "../../../src/telephony/rtp/datagrams.ts";
import { createOutgoing } from "../../../src/telephony/rtp/outgoing.ts";
import { buildRtcp } from "../../../src/telephony/rtp/rtcp.ts";
import { writeRtpHeader } from "../../../src/telephony/rtp/rtp.ts";

export interface Address {
  address: string;
  port: number;
}

export const OUR_SSRC = 77;

export interface Witness {
  /** A packet of ours leaves; the bytes are its own. */
  onSent?: (bytes: Uint8Array) => void;
  onHeard?: (samples: Int16Array, isHeard: boolean, lost: number) => void;
}

export function drivenCall({ onSent, onHeard }: Witness = {}) {
  let nowMs = 0;
  let frame = 0;
  const keys: string[] = [];
  /** Every value of a sample that was heard. */
  const heard = new Set<number>();
  /** Where our packets went, voice and reports. */
  const sentTo: Address[] = [];
  const outgoing = createOutgoing({ ssrc: OUR_SSRC, sequence: 0, timestamp: 0 });
  const wire = (): Datagrams => {
    let aim: Address | null = null;
    return {
      port: 4_000,
      aim: (address, port) => void (aim = { address, port }),
      send(length) {
        if (aim && length > 0) sentTo.push(aim);
        onSent?.(outgoing.packet.slice(0, length));
        return aim !== null;
      },
      sendTo: (_, address, port) => void sentTo.push({ address, port }),
      close() {},
    };
  };
  const stream = createAudioStream({
    logger: silentLogger,
    clock: { now: () => nowMs, elapsedMs: () => nowMs, after: () => () => {} },
    nowMs: () => nowMs,
    callId: "call",
    localAddress: "127.0.0.1",
    recordingFile: null,
    ssrc: OUR_SSRC,
    random: 0,
    outgoing,
    rtp: wire(),
    rtcp: wire(),
    onClose() {},
  });
  stream.onDtmf((key) => keys.push(key));
  stream.onFrame((samples, isHeard, _wide, lost) => {
    onHeard?.(samples, isHeard, lost);
    let last: number | null = null;
    for (const sample of samples) {
      if (sample !== last) heard.add(sample);
      last = sample;
    }
  });
  return {
    stream,
    keys,
    heard,
    sentTo,
    now: () => nowMs,
    /** 20 ms go by. */
    tick() {
      nowMs += 20;
      stream.tick(++frame);
    },
    /** The process stands still. */
    stall(ms: number) {
      nowMs += ms;
      frame += ms / 20;
    },
    rtp: (from: Address, bytes: Uint8Array) => stream.receiveRtp(bytes, from.address, from.port),
    rtcp: (from: Address, bytes: Uint8Array) => stream.receiveRtcp(bytes, from.address, from.port),
  };
}

export function sdpNaming(from: Address, changes: Partial<RemoteMedia> = {}): RemoteMedia {
  return {
    ...from,
    codec: "PCMU",
    payloadType: 0,
    dtmfPayloadType: 101,
    direction: "sendrecv",
    trunkAddresses: [],
    symmetricRtp: false,
    keys: null,
    ...changes,
  };
}

/**
 * 20 ms of one value, so that it is known again when it is heard. `frame`: another time than the sequence has it, after
 * a pause.
 */
export function audioOf(value: number, ssrc: number, sequence: number, frame = sequence): Uint8Array {
  const bytes = new Uint8Array(172).fill(value);
  writeRtpHeader(bytes, 0, false, sequence & 0xffff, (frame * 160) >>> 0, ssrc);
  return bytes;
}

export function keyOf(event: number, ssrc: number, sequence: number): Uint8Array {
  const bytes = new Uint8Array(16);
  writeRtpHeader(bytes, 101, true, sequence & 0xffff, (sequence * 160) >>> 0, ssrc);
  bytes.set([event, 0x8a, 3, 0x20], 12);
  return bytes;
}

export function reportOf(ssrc: number, goodbye: boolean): Uint8Array {
  const sender = { nowMs: 5_000, rtpTimestamp: 1, packets: 1, octets: 1 };
  const ofUs = { fractionLost: 255, cumulativeLost: 99, extendedHighest: 1, jitter: 800 };
  const block = { ssrc: OUR_SSRC, ...ofUs, lastSenderReport: 1, sinceLastSenderReportMs: 0 };
  return buildRtcp({ ssrc, cname: "stranger", sender, block, goodbye });
}
