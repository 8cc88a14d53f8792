// The received stream: accepts the right source only, reorders packets, reports each key once, and counts quality.
import type { Codec } from "../../audio/codec.ts";
import { transcodeTable, type G711Law } from "../../audio/g711.ts";
import { createDtmfReceiver } from "./dtmf-receiver.ts";
import type { Hearing } from "./hearing-port.ts";
import { createHearing, silenceOf } from "./hearing.ts";
import { createJitterBuffer, type JitterBuffer } from "./jitter-buffer.ts";
import { createReception, type Reception } from "./reception.ts";
import { emptyRtpHeader, PAYLOAD_TYPE, parseRtp } from "./rtp.ts";
import { createSourceLock, type Judgement, type SourceLock } from "./source-lock.ts";

export interface IncomingFormat {
  codec: Codec;
  payloadType: number;
  dtmfPayloadType: number | null;
}

export interface Incoming {
  readonly lock: SourceLock;
  readonly reception: Reception;
  readonly buffer: JitterBuffer;
  /** The frame pulled last. */
  readonly hearing: Hearing;
  /** Packets from other sources, of a type that was not negotiated, or not RTP. */
  readonly ignored: number;
  ignore(): void;
  configure(format: IncomingFormat): void;
  /** Result of the source check; an `ignored` packet only increases the count. */
  receive(bytes: Uint8Array, address: string, port: number, nowMs: number): Judgement;
  /** Advances by 20 ms; `hearing` has the result. False for generated silence. */
  pull(): boolean;
}

/** Static payload types (RFC 3551, section 6). */
const STATIC_CODECS: Readonly<Partial<Record<number, Codec>>> = {
  [PAYLOAD_TYPE.pcmu]: "PCMU",
  [PAYLOAD_TYPE.pcma]: "PCMA",
  [PAYLOAD_TYPE.g722]: "G722",
};

type PayloadKind = "audio" | "keys" | "comfort_noise" | null;

/** Header of the current packet. Shared by all calls: each call has finished with it at once. */
const header = emptyRtpHeader();

export function createIncoming(onDigit: (digit: string) => void): Incoming {
  return new IncomingStream(onDigit);
}

class IncomingStream implements Incoming {
  readonly lock = createSourceLock();
  readonly reception = createReception();
  readonly buffer: JitterBuffer;
  hearing: Hearing;
  ignored = 0;
  private format: IncomingFormat = { codec: "PCMU", payloadType: PAYLOAD_TYPE.pcmu, dtmfPayloadType: null };
  private readonly dtmf = createDtmfReceiver();

  constructor(private readonly onDigit: (digit: string) => void) {
    const { codec } = this.format;
    this.buffer = createJitterBuffer(silenceOf(codec));
    this.hearing = createHearing(this.buffer, codec);
  }

  ignore(): void {
    this.ignored++;
  }

  configure(format: IncomingFormat): void {
    if (format.codec !== this.hearing.codec) this.beginAnew(format.codec);
    this.format = format;
  }

  receive(bytes: Uint8Array, address: string, port: number, nowMs: number): Judgement {
    const kind = parseRtp(bytes, header) ? this.kindOf(header.payloadType) : null;
    const judgement = kind ? this.lock.judge(address, port, header.ssrc, header.sequence, nowMs) : "ignored";
    if (judgement === "ignored") {
      this.ignored++;
      return judgement;
    }
    if (judgement === "new_source") {
      this.reception.restart();
      this.beginAnew(this.format.codec);
      this.dtmf.reset();
    }
    this.reception.record(header.sequence, kind === "keys" ? null : header.timestamp, nowMs);
    if (kind === "audio") this.hear(bytes);
    else this.passOver(bytes, kind === "keys");
    return judgement;
  }

  pull(): boolean {
    return this.hearing.pull();
  }

  private hear(bytes: Uint8Array): void {
    this.toHeardCodec(bytes);
    const { sequence, timestamp, payloadStart, payloadEnd } = header;
    if (!this.buffer.push(sequence, timestamp, bytes, payloadStart, payloadEnd)) this.reception.wasDuplicate();
  }

  private passOver(bytes: Uint8Array, isKey: boolean): void {
    this.buffer.passOver(header.sequence);
    if (!isKey) return;
    const digit = this.dtmf.receive(header.timestamp, bytes, header.payloadStart, header.payloadEnd);
    if (digit !== null) this.onDigit(digit);
  }

  private kindOf(payloadType: number): PayloadKind {
    if (payloadType === this.format.payloadType) return "audio";
    if (payloadType === this.format.dtmfPayloadType) return "keys";
    // We offered all of them; a peer may switch between them without signalling (RFC 3264, section 5.1).
    if (STATIC_CODECS[payloadType]) return "audio";
    return payloadType === PAYLOAD_TYPE.comfortNoise ? "comfort_noise" : null;
  }

  private beginAnew(codec: Codec): void {
    this.buffer.reset(silenceOf(codec));
    this.hearing = createHearing(this.buffer, codec);
  }

  /**
   * Converts between the G.711 laws in place, because the packet is ours. A switch between G.711 and G.722 resets the
   * buffer.
   */
  private toHeardCodec(bytes: Uint8Array): void {
    const { payloadType } = header;
    const agreed = payloadType === this.format.payloadType ? this.format.codec : undefined;
    const codec = agreed ?? STATIC_CODECS[payloadType] ?? this.format.codec;
    const heard = this.hearing.codec;
    if (codec === heard) return;
    if (codec === "G722" || heard === "G722") this.beginAnew(codec);
    else translate(bytes, codec, heard);
  }
}

function translate(bytes: Uint8Array, from: G711Law, to: G711Law): void {
  const table = transcodeTable(from, to);
  for (let i = header.payloadStart; i < header.payloadEnd; i++) bytes[i] = table[bytes[i] ?? 0] ?? 0;
}
