// The stream that we receive: from the right source only, put in order, its keys told once, its quality counted.
import type { Codec } from "../../../audio/codec.ts";
import { transcodeTable, type G711Law } from "../../../audio/g711.ts";
import { createDtmfReceiver } from "./dtmf-receiver.ts";
import type { Hearing } from "./hearing-port.ts";
import { createHearing, silenceOf } from "./hearing.ts";
import { createJitterBuffer, type JitterBuffer } from "./jitter-buffer.ts";
import { createReception, type Reception } from "./reception.ts";
import { emptyRtpHeader, PAYLOAD_TYPE, parseRtp } from "./rtp.ts";
import { createSourceLock, type SourceLock } from "./source-lock.ts";

export interface IncomingFormat {
  codec: Codec;
  payloadType: number;
  dtmfPayloadType: number | null;
}

export interface Incoming {
  readonly lock: SourceLock;
  readonly reception: Reception;
  readonly buffer: JitterBuffer;
  /** What was pulled last. */
  readonly hearing: Hearing;
  /** Packets from somebody else, of a type that was not agreed on, or not RTP. */
  readonly ignored: number;
  ignore(): void;
  configure(format: IncomingFormat): void;
  /** Whether the packet was the peer's. */
  receive(bytes: Uint8Array, address: string, port: number, nowMs: number): boolean;
  /** Moves on by 20 ms, for `hearing` to tell. False for silence that we made up. */
  pull(): boolean;
}

/** By the payload types that are always theirs (RFC 3551, section 6). */
const STATIC_CODECS: Readonly<Partial<Record<number, Codec>>> = {
  [PAYLOAD_TYPE.pcmu]: "PCMU",
  [PAYLOAD_TYPE.pcma]: "PCMA",
  [PAYLOAD_TYPE.g722]: "G722",
};

type PayloadKind = "audio" | "keys" | "comfort_noise" | null;

export function createIncoming(onDigit: (digit: string) => void): Incoming {
  const header = emptyRtpHeader();
  const lock = createSourceLock();
  const reception = createReception();
  const dtmf = createDtmfReceiver();
  let format: IncomingFormat = { codec: "PCMU", payloadType: PAYLOAD_TYPE.pcmu, dtmfPayloadType: null };
  const buffer = createJitterBuffer(silenceOf(format.codec));
  let hearing = createHearing(buffer, format.codec);
  let ignored = 0;

  function kindOf(payloadType: number): PayloadKind {
    if (payloadType === format.payloadType) return "audio";
    if (payloadType === format.dtmfPayloadType) return "keys";
    // We offered all of them; a peer may change between them without a word (RFC 3264, section 5.1).
    if (STATIC_CODECS[payloadType]) return "audio";
    return payloadType === PAYLOAD_TYPE.comfortNoise ? "comfort_noise" : null;
  }

  function beginAnew(codec: Codec): void {
    buffer.reset(silenceOf(codec));
    hearing = createHearing(buffer, codec);
  }

  /** From law to law in place: the packet is ours. Between G.711 and G.722 the buffer begins anew. */
  function toHeardCodec(bytes: Uint8Array): void {
    const agreed = header.payloadType === format.payloadType ? format.codec : undefined;
    const codec = agreed ?? STATIC_CODECS[header.payloadType] ?? format.codec;
    const heard = hearing.codec;
    if (codec === heard) return;
    if (codec === "G722" || heard === "G722") beginAnew(codec);
    else translate(bytes, codec, heard);
  }

  function translate(bytes: Uint8Array, from: G711Law, to: G711Law): void {
    const table = transcodeTable(from, to);
    for (let i = header.payloadStart; i < header.payloadEnd; i++) bytes[i] = table[bytes[i] ?? 0] ?? 0;
  }

  return {
    lock,
    reception,
    buffer,
    get hearing() {
      return hearing;
    },
    get ignored() {
      return ignored;
    },
    ignore: () => void ignored++,
    configure(newFormat) {
      if (newFormat.codec !== hearing.codec) beginAnew(newFormat.codec);
      format = newFormat;
    },
    receive(bytes, address, port, nowMs) {
      const kind = parseRtp(bytes, header) ? kindOf(header.payloadType) : null;
      const judgement = kind && lock.judge(address, port, header.ssrc, header.sequence, nowMs);
      if (!judgement || judgement === "ignored") {
        ignored++;
        return false;
      }
      if (judgement === "new_source") {
        reception.restart();
        beginAnew(format.codec);
        dtmf.reset();
      }
      reception.record(header.sequence, kind === "keys" ? null : header.timestamp, nowMs);
      if (kind === "audio") {
        toHeardCodec(bytes);
        const { sequence, timestamp, payloadStart, payloadEnd } = header;
        if (!buffer.push(sequence, timestamp, bytes, payloadStart, payloadEnd)) reception.wasDuplicate();
        return true;
      }
      buffer.passOver(header.sequence);
      if (kind === "keys") {
        const digit = dtmf.receive(header.timestamp, bytes, header.payloadStart, header.payloadEnd);
        if (digit !== null) onDigit(digit);
      }
      return true;
    },
    pull: () => hearing.pull(),
  };
}
