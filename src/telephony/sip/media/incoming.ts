// The stream that we receive: from the right source only, put in order, its keys told once, its quality counted.
import { G711_SILENCE, transcodeTable, type G711Law } from "../../audio/g711.ts";
import { createDtmfReceiver } from "./dtmf-receiver.ts";
import { createJitterBuffer, type JitterBuffer } from "./jitter-buffer.ts";
import { createPlayout } from "./playout.ts";
import { createReception, type Reception } from "./reception.ts";
import { emptyRtpHeader, PAYLOAD_TYPE, parseRtp } from "./rtp.ts";
import { createSourceLock, type SourceLock } from "./source-lock.ts";

export interface IncomingFormat {
  codec: G711Law;
  payloadType: number;
  dtmfPayloadType: number | null;
}

export interface Incoming {
  readonly lock: SourceLock;
  readonly reception: Reception;
  readonly buffer: JitterBuffer;
  /** Packets from somebody else, of a type that was not agreed on, or not RTP. */
  readonly ignored: number;
  ignore(): void;
  configure(format: IncomingFormat): void;
  /** Whether the packet was the peer's. */
  receive(bytes: Uint8Array, address: string, port: number, nowMs: number): boolean;
  /** The next 20 ms, in the call's codec. False for silence that we made up. */
  pull(into: Uint8Array): boolean;
}

type PayloadKind = "audio" | "keys" | "comfort_noise" | null;

export function createIncoming(onDigit: (digit: string) => void): Incoming {
  const header = emptyRtpHeader();
  const lock = createSourceLock();
  const reception = createReception();
  const dtmf = createDtmfReceiver();
  let format: IncomingFormat = { codec: "PCMU", payloadType: PAYLOAD_TYPE.pcmu, dtmfPayloadType: null };
  const buffer = createJitterBuffer(G711_SILENCE[format.codec]);
  const playout = createPlayout(buffer, format.codec);
  let ignored = 0;

  function kindOf(payloadType: number): PayloadKind {
    if (payloadType === format.payloadType) return "audio";
    if (payloadType === format.dtmfPayloadType) return "keys";
    // We offered both laws; a peer may change between them without a word (RFC 3264, section 5.1).
    if (payloadType === PAYLOAD_TYPE.pcma || payloadType === PAYLOAD_TYPE.pcmu) return "audio";
    return payloadType === PAYLOAD_TYPE.comfortNoise ? "comfort_noise" : null;
  }

  /** In place: the packet is ours. */
  function toOurLaw(bytes: Uint8Array): void {
    if (header.payloadType === format.payloadType) return;
    const law = header.payloadType === PAYLOAD_TYPE.pcma ? "PCMA" : "PCMU";
    if (law === format.codec) return;
    const table = transcodeTable(law, format.codec);
    for (let i = header.payloadStart; i < header.payloadEnd; i++) bytes[i] = table[bytes[i] ?? 0] ?? 0;
  }

  function beginAnew(): void {
    buffer.reset(G711_SILENCE[format.codec]);
    playout.restart(format.codec);
  }

  return {
    lock,
    reception,
    buffer,
    get ignored() {
      return ignored;
    },
    ignore: () => void ignored++,
    configure(newFormat) {
      const isOtherCodec = newFormat.codec !== format.codec;
      format = newFormat;
      if (isOtherCodec) beginAnew();
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
        beginAnew();
        dtmf.reset();
      }
      reception.record(header.sequence, kind === "keys" ? null : header.timestamp, nowMs);
      if (kind === "audio") {
        toOurLaw(bytes);
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
    pull: (into) => playout.pull(into),
  };
}
