// Media statistics of a call for people and dashboards.
import type { MediaStats } from "../line-report.ts";
import type { Incoming } from "./incoming.ts";
import type { Outgoing } from "./outgoing.ts";
import { estimateMos } from "./quality.ts";
import type { ReportExchange } from "./report-exchange.ts";
import type { Protection } from "./protection.ts";
import { FRAME_MS } from "./rtp.ts";

export function mediaStats(
  { reception, buffer, ignored }: Incoming,
  { sent }: Outgoing,
  { remote }: Pick<ReportExchange, "remote">,
  { suite, wasInClear }: Protection,
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
    encryption: suite === null ? null : { suite, isWhole: !wasInClear },
  };
}
