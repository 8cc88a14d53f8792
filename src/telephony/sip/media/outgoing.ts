// The stream that we send: every 20 ms one packet of prompt, key event or silence, on a timestamp that follows the clock
// whether or not a packet goes out.
import { encodeTable, G711_SILENCE, type G711Law } from "../../audio/g711.ts";
import { createDtmfSender } from "./dtmf-sender.ts";
import { createPlayer, type Player } from "./player.ts";
import { FRAME_SAMPLES, RTP_HEADER_BYTES, writeRtpHeader } from "./rtp.ts";
import { LONGEST_TAG_BYTES } from "./srtp-keys.ts";

export interface OutgoingFormat {
  codec: G711Law;
  payloadType: number;
  /** Null where the peer takes keys only as tones. */
  dtmfPayloadType: number | null;
}

export interface Outgoing {
  readonly player: Player;
  /** The packet that `nextPacket` wrote, with room for an SRTP tag behind it; always the same memory. */
  readonly packet: Uint8Array<ArrayBuffer>;
  /** What of it is audio, for the recording; null in a frame that carries a key event. */
  readonly audio: Uint8Array | null;
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

export function createOutgoing(start: { ssrc: number; sequence: number; timestamp: number }): Outgoing {
  const packet = new Uint8Array(new ArrayBuffer(AUDIO_PACKET_BYTES + LONGEST_TAG_BYTES));
  const payload = packet.subarray(RTP_HEADER_BYTES, AUDIO_PACKET_BYTES);
  const samples = new Int16Array(FRAME_SAMPLES);
  const player = createPlayer();
  const dtmf = createDtmfSender();
  const sent = { packets: 0, octets: 0 };
  let format: OutgoingFormat = { codec: "PCMU", payloadType: 0, dtmfPayloadType: null };
  let encode = encodeTable(format.codec);
  let sequence = start.sequence & 0xffff;
  let timestamp = start.timestamp >>> 0;
  /** The first packet after a pause bears the marker (RFC 3551, section 4.1). */
  let isAfterPause = true;
  let carriesAudio = false;

  function advance(frames: number): void {
    timestamp = (timestamp + frames * FRAME_SAMPLES) >>> 0;
  }

  function writePacket(payloadType: number, marker: boolean, at: number): void {
    writeRtpHeader(packet, payloadType, marker, sequence, at, start.ssrc);
    sequence = (sequence + 1) & 0xffff;
  }

  function writeAudio(): number {
    for (let i = 0; i < FRAME_SAMPLES; i++) payload[i] = encode[(samples[i] ?? 0) & 0xffff] ?? 0;
    writePacket(format.payloadType, isAfterPause, timestamp);
    isAfterPause = false;
    carriesAudio = true;
    return AUDIO_PACKET_BYTES;
  }

  function writeSilence(): number {
    payload.fill(G711_SILENCE[format.codec]);
    writePacket(format.payloadType, isAfterPause, timestamp);
    isAfterPause = false;
    carriesAudio = true;
    return AUDIO_PACKET_BYTES;
  }

  /** Between two keys silence is sent; the prompt waits until all are through. */
  function writeKey(): number {
    dtmf.step();
    if (format.dtmfPayloadType === null) {
      dtmf.writeTone(samples);
      return writeAudio();
    }
    const eventBytes = dtmf.writeEvent(packet, RTP_HEADER_BYTES);
    if (eventBytes === 0) return writeSilence();
    writePacket(format.dtmfPayloadType, dtmf.isFirstPacket, (timestamp - dtmf.ageSamples) >>> 0);
    carriesAudio = false;
    return RTP_HEADER_BYTES + eventBytes;
  }

  return {
    player,
    packet,
    get audio() {
      return carriesAudio ? payload : null;
    },
    get timestamp() {
      return timestamp;
    },
    sent,
    configure(newFormat) {
      format = newFormat;
      encode = encodeTable(format.codec);
    },
    sendDtmf: (digits) => dtmf.queue(digits),
    nextPacket() {
      let length: number;
      if (dtmf.busy) {
        length = writeKey();
      } else {
        player.nextFrame(samples);
        length = writeAudio();
      }
      advance(1);
      return length;
    },
    wasSent(length) {
      sent.packets++;
      sent.octets += length - RTP_HEADER_BYTES;
    },
    skip(frames) {
      if (frames <= 0) return;
      advance(frames);
      isAfterPause = true;
      carriesAudio = false;
    },
  };
}
