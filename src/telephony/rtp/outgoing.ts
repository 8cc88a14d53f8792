// The sent stream: one packet of audio, key event or silence every 20 ms. The timestamp follows the clock whether or
// not a packet is sent.
import type { Codec } from "../../audio/codec.ts";
import type { G711Law } from "../../audio/g711.ts";
import { createDtmfSender } from "./dtmf-sender.ts";
import { createPlayer, type Player } from "./player.ts";
import { FRAME_SAMPLES, RTP_HEADER_BYTES, writeRtpHeader } from "./rtp.ts";
import { createSpeaking, type Speaking } from "./speaking.ts";
import { LONGEST_TAG_BYTES } from "./srtp-keys.ts";

export interface OutgoingFormat {
  codec: Codec;
  payloadType: number;
  /** Null if the peer accepts DTMF in-band only. */
  dtmfPayloadType: number | null;
}

export interface Outgoing {
  readonly player: Player;
  /** The packet written by `nextPacket`, with room for an SRTP tag; always the same memory. */
  readonly packet: Uint8Array<ArrayBuffer>;
  /** Its audio in G.711, for the recording; null in a frame with a key event. */
  readonly audio: Uint8Array | null;
  /** The law of `audio`. */
  readonly law: G711Law;
  readonly timestamp: number;
  /** Packets that were sent successfully. */
  readonly sent: { packets: number; octets: number };
  configure(format: OutgoingFormat): void;
  sendDtmf(digits: string): void;
  /** Writes the packet of this frame and returns its length. */
  nextPacket(): number;
  /** Reports that the packet was sent. */
  wasSent(length: number): void;
  /** Advances time without a packet: on hold, or for frames dropped after a stall. */
  skip(frames: number): void;
}

const AUDIO_PACKET_BYTES = RTP_HEADER_BYTES + FRAME_SAMPLES;

interface StreamStart {
  ssrc: number;
  sequence: number;
  timestamp: number;
}

export function createOutgoing(start: StreamStart): Outgoing {
  return new OutgoingStream(start);
}

class OutgoingStream implements Outgoing {
  readonly player = createPlayer();
  readonly packet = new Uint8Array(new ArrayBuffer(AUDIO_PACKET_BYTES + LONGEST_TAG_BYTES));
  readonly sent = { packets: 0, octets: 0 };
  /** Of the due frame. */
  timestamp: number;
  private sequence: number;
  private readonly ssrc: number;
  private readonly dtmf = createDtmfSender();
  private hasKeys = false;
  private format: OutgoingFormat = { codec: "PCMU", payloadType: 0, dtmfPayloadType: null };
  private speaking: Speaking;
  /** The first packet after a pause has the marker bit (RFC 3551, section 4.1). */
  private isAfterPause = true;
  private carriesAudio = false;

  constructor(start: StreamStart) {
    this.timestamp = start.timestamp >>> 0;
    this.sequence = start.sequence & 0xffff;
    this.ssrc = start.ssrc;
    this.speaking = createSpeaking(this.format.codec, this.payload());
  }

  get audio(): Uint8Array | null {
    return this.carriesAudio ? this.speaking.recordable : null;
  }

  get law(): G711Law {
    return this.speaking.law;
  }

  configure(format: OutgoingFormat): void {
    // G.722 is stateful at the peer's decoder, so the encoder keeps its state while the codec is unchanged.
    if (format.codec !== this.format.codec) this.speaking = createSpeaking(format.codec, this.payload());
    this.format = format;
  }

  sendDtmf(digits: string): void {
    this.dtmf.queue(digits);
    this.hasKeys = this.dtmf.busy;
  }

  nextPacket(): number {
    let length: number;
    if (this.hasKeys) {
      length = this.writeKey();
      this.hasKeys = this.dtmf.busy;
    } else {
      this.player.nextFrame(this.speaking.frame);
      length = this.writeAudio();
    }
    this.advance(1);
    return length;
  }

  wasSent(length: number): void {
    this.sent.packets++;
    this.sent.octets += length - RTP_HEADER_BYTES;
  }

  skip(frames: number): void {
    if (frames <= 0) return;
    this.advance(frames);
    this.isAfterPause = true;
    this.carriesAudio = false;
  }

  private payload(): Uint8Array {
    return this.packet.subarray(RTP_HEADER_BYTES, AUDIO_PACKET_BYTES);
  }

  private advance(frames: number): void {
    this.timestamp = (this.timestamp + frames * FRAME_SAMPLES) >>> 0;
  }

  private writeHeader(payloadType: number, marker: boolean, timestamp: number): void {
    writeRtpHeader(this.packet, payloadType, marker, this.sequence, timestamp, this.ssrc);
    this.sequence = (this.sequence + 1) & 0xffff;
  }

  private writeAudio(): number {
    this.speaking.encode();
    this.writeHeader(this.format.payloadType, this.isAfterPause, this.timestamp);
    this.isAfterPause = false;
    this.carriesAudio = true;
    return AUDIO_PACKET_BYTES;
  }

  private writeSilence(): number {
    this.speaking.frame.fill(0);
    return this.writeAudio();
  }

  /** Sends silence between two keys; sounds wait until all keys are sent. */
  private writeKey(): number {
    const { dtmf } = this;
    dtmf.step();
    if (this.format.dtmfPayloadType === null) {
      dtmf.writeTone(this.speaking.frame);
      return this.writeAudio();
    }
    const eventBytes = dtmf.writeEvent(this.packet, RTP_HEADER_BYTES);
    if (eventBytes === 0) return this.writeSilence();
    const pressedAt = (this.timestamp - dtmf.ageSamples) >>> 0;
    this.writeHeader(this.format.dtmfPayloadType, dtmf.isFirstPacket, pressedAt);
    this.carriesAudio = false;
    return RTP_HEADER_BYTES + eventBytes;
  }
}
