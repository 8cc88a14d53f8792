// RTCP exchange: builds our reports, and reads the peer's reports on our stream.
import { buildRtcp, parseRtcp, roundTripMs, type ReportBlock, type SenderCounts } from "./rtcp.ts";
import type { Reception } from "./reception.ts";

export interface ReportExchange {
  build(state: ReportState, goodbye: boolean): Uint8Array;
  receive(bytes: Uint8Array, epochMs: number, nowMs: number): void;
  /** From the peer's last report; null before the first. */
  readonly remote: { roundTripMs: number | null; lossShare: number | null; jitterMs: number | null };
}

export interface ReportState {
  sender: SenderCounts | null;
  reception: Reception;
  remoteSsrc: number | null;
  nowMs: number;
}

export function createReportExchange(ssrc: number): ReportExchange {
  /** Random per call, as RFC 7022 advises, so that calls cannot be linked. */
  const cname = `${ssrc.toString(36)}@ringward.invalid`;
  const remote: { roundTripMs: number | null; lossShare: number | null; jitterMs: number | null } = {
    roundTripMs: null,
    lossShare: null,
    jitterMs: null,
  };
  let lastSenderReport = 0;
  let lastSenderReportAtMs = 0;

  return {
    build({ sender, reception, remoteSsrc, nowMs }, goodbye) {
      const block: ReportBlock | null =
        remoteSsrc === null
          ? null
          : {
              ssrc: remoteSsrc,
              ...reception.report(),
              lastSenderReport,
              sinceLastSenderReportMs: lastSenderReport === 0 ? 0 : nowMs - lastSenderReportAtMs,
            };
      return buildRtcp({ ssrc, cname, sender, block, goodbye });
    },
    receive(bytes, epochMs, nowMs) {
      const heard = parseRtcp(bytes, ssrc);
      if (!heard) return;
      if (heard.senderReport !== null) {
        lastSenderReport = heard.senderReport;
        lastSenderReportAtMs = nowMs;
      }
      if (!heard.ofUs) return;
      remote.lossShare = heard.ofUs.fractionLost / 256;
      remote.jitterMs = heard.ofUs.jitter / 8;
      remote.roundTripMs = roundTripMs(epochMs, heard.ofUs) ?? remote.roundTripMs;
    },
    remote,
  };
}
