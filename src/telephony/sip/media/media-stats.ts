// What a call's media looked like, in numbers that a person or a dashboard can read.
import type { Incoming } from "./incoming.ts";
import type { Outgoing } from "./outgoing.ts";
import { estimateMos } from "./quality.ts";
import type { ReportExchange } from "./report-exchange.ts";
import { FRAME_MS } from "./rtp.ts";

export interface MediaStats {
  sentPackets: number;
  receivedPackets: number;
  lostPackets: number;
  /** Came, but too late to be played. */
  latePackets: number;
  duplicatePackets: number;
  /** From strangers, or nothing we agreed on. */
  ignoredPackets: number;
  /** Of what we should have received, 0 to 1: lost or late. */
  lossShare: number;
  jitterMs: number;
  jitterBufferMs: number;
  /** Frames that had to be made up while later audio was there. */
  gaps: number;
  /** Null before the peer's first report on us. */
  roundTripMs: number | null;
  remoteLossShare: number | null;
  remoteJitterMs: number | null;
  /** 1 to 4.4, of what we hear; null before anything was heard. */
  mos: number | null;
  /** Nothing has come since the answer, and five seconds have passed in which something should have. */
  oneWayAudio: boolean;
}

export function mediaStats(
  { reception, buffer, ignored }: Incoming,
  { sent }: Outgoing,
  { remote }: ReportExchange,
  oneWayAudio: boolean,
): MediaStats {
  const { received, lost, expected } = reception;
  const lossShare = expected > 0 ? Math.min(1, (lost + buffer.late) / expected) : 0;
  const oneWayDelayMs = (remote.roundTripMs ?? 0) / 2 + buffer.delayMs + FRAME_MS;
  return {
    sentPackets: sent.packets,
    receivedPackets: received,
    lostPackets: lost,
    latePackets: buffer.late,
    duplicatePackets: buffer.duplicates,
    ignoredPackets: ignored,
    lossShare,
    jitterMs: reception.jitterMs,
    jitterBufferMs: buffer.delayMs,
    gaps: buffer.gaps,
    roundTripMs: remote.roundTripMs,
    remoteLossShare: remote.lossShare,
    remoteJitterMs: remote.jitterMs,
    mos: received > 0 ? estimateMos({ lossShare, oneWayDelayMs }) : null,
    oneWayAudio,
  };
}
