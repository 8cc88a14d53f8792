// The stream that we send: every 20 ms one packet of sound, key event or silence, on a timestamp that follows the clock
// whether or not a packet goes out.
import type { Codec } from "../../../audio/codec.ts";
import type { G711Law } from "../../../audio/g711.ts";
import { createDtmfSender } from "./dtmf-sender.ts";
import { createPlayer, type Player } from "./player.ts";
import { FRAME_SAMPLES, RTP_HEADER_BYTES, writeRtpHeader } from "./rtp.ts";
import { createSpeaking, type Speaking } from "./speaking.ts";
import { LONGEST_TAG_BYTES } from "./srtp-keys.ts";

export interface OutgoingFormat {
  codec: Codec;
  payloadType: number;
  /** Null where the peer takes keys only as tones. */
  dtmfPayloadType: number | null;
}

export interface Outgoing {
  readonly player: Player;
  /** The packet that `nextPacket` wrote, with room for an SRTP tag behind it; always the same memory. */
  readonly packet: Uint8Array<ArrayBuffer>;
  /** What it says, in G.711, for the recording; null in a frame that carries a key event. */
  readonly audio: Uint8Array | null;
  /** The law of `audio`. */
  readonly law: G711Law;
  readonly timestamp: number;
  /** Of packets that really went out. */
  readonly sent: { packets: number; octets: number };
  configure(format: OutgoingFormat): void;
  sendDtmf(digits: string): void;
  /** Writes the packet of this frame and returns its length. */
  nextPacket(): number;
  /** To be told what became of it. */
  wasSent(length: number): void;
  /** Time passes without a packet: on hold, or frames given up after a stall. */
  skip(frames: number): void;
}

const AUDIO_PACKET_BYTES = RTP_HEADER_BYTES + FRAME_SAMPLES;

interface StreamStart {
  ssrc: number;
  sequence: number;
  timestamp: number;
}

export function createOutgoing(start: StreamStart): Outgoing {
  const packet = new Uint8Array(new ArrayBuffer(AUDIO_PACKET_BYTES + LONGEST_TAG_BYTES));
  const payload = packet.subarray(RTP_HEADER_BYTES, AUDIO_PACKET_BYTES);
  const player = createPlayer();
  const dtmf = createDtmfSender();
  const sent = { packets: 0, octets: 0 };
  let format: OutgoingFormat = { codec: "PCMU", payloadType: 0, dtmfPayloadType: null };
  let speaking: Speaking = createSpeaking(format.codec, payload);
  const head = new PacketHead(packet, start);
  /** The first packet after a pause bears the marker (RFC 3551, section 4.1). */
  let isAfterPause = true;
  let carriesAudio = false;

  function writeAudio(): number {
    speaking.encode();
    head.write(format.payloadType, isAfterPause, head.timestamp);
    isAfterPause = false;
    carriesAudio = true;
    return AUDIO_PACKET_BYTES;
  }

  function writeSilence(): number {
    speaking.frame.fill(0);
    return writeAudio();
  }

  /** Between two keys silence is sent; the sound waits until all are through. */
  function writeKey(): number {
    dtmf.step();
    if (format.dtmfPayloadType === null) {
      dtmf.writeTone(speaking.frame);
      return writeAudio();
    }
    const eventBytes = dtmf.writeEvent(packet, RTP_HEADER_BYTES);
    if (eventBytes === 0) return writeSilence();
    head.write(format.dtmfPayloadType, dtmf.isFirstPacket, (head.timestamp - dtmf.ageSamples) >>> 0);
    carriesAudio = false;
    return RTP_HEADER_BYTES + eventBytes;
  }

  return {
    player,
    packet,
    get audio() {
      return carriesAudio ? speaking.recordable : null;
    },
    get law() {
      return speaking.law;
    },
    get timestamp() {
      return head.timestamp;
    },
    sent,
    configure(newFormat) {
      // G.722 goes on from what the peer heard last, so the same codec keeps its memory.
      if (newFormat.codec !== format.codec) speaking = createSpeaking(newFormat.codec, payload);
      format = newFormat;
    },
    sendDtmf: (digits) => dtmf.queue(digits),
    nextPacket() {
      let length: number;
      if (dtmf.busy) {
        length = writeKey();
      } else {
        player.nextFrame(speaking.frame);
        length = writeAudio();
      }
      head.advance(1);
      return length;
    },
    wasSent(length) {
      sent.packets++;
      sent.octets += length - RTP_HEADER_BYTES;
    },
    skip(frames) {
      if (frames <= 0) return;
      head.advance(frames);
      isAfterPause = true;
      carriesAudio = false;
    },
  };
}

/** What stands before the payload: its numbers go on from packet to packet. */
class PacketHead {
  /** Of the frame that is due. */
  timestamp: number;
  private sequence: number;
  private readonly ssrc: number;

  constructor(
    private readonly packet: Uint8Array,
    start: StreamStart,
  ) {
    this.timestamp = start.timestamp >>> 0;
    this.sequence = start.sequence & 0xffff;
    this.ssrc = start.ssrc;
  }

  advance(frames: number): void {
    this.timestamp = (this.timestamp + frames * FRAME_SAMPLES) >>> 0;
  }

  write(payloadType: number, marker: boolean, timestamp: number): void {
    writeRtpHeader(this.packet, payloadType, marker, this.sequence, timestamp, this.ssrc);
    this.sequence = (this.sequence + 1) & 0xffff;
  }
}
