// Schedule and destination of a call's RTCP reports, and which incoming reports are accepted.
import type { Clock } from "../../core/clock.ts";
import type { Datagrams } from "./datagrams.ts";
import type { Incoming } from "./incoming.ts";
import type { Outgoing } from "./outgoing.ts";
import type { Protection } from "./protection.ts";
import { createReportExchange, type ReportExchange } from "./report-exchange.ts";
import { senderOfReport } from "./rtcp.ts";
import { FRAME_MS } from "./rtp.ts";
import type { RtpAddress } from "./source-lock.ts";

/**
 * RFC 3550, section 6.2: every 5 s, with a random offset, so that calls that started together do not report together.
 */
const FRAMES_PER_REPORT = 5_000 / FRAME_MS;

export interface Reporting {
  readonly remote: ReportExchange["remote"];
  /** This many frames have passed. */
  passed(frames: number): void;
  /** Returns whether the report was the peer's. */
  receive(bytes: Uint8Array, address: string, port: number): boolean;
  goodbye(): void;
}

export interface ReportingParts {
  clock: Clock;
  nowMs: () => number;
  ssrc: number;
  /** Any integer: staggers this call's reports against those of others. */
  random: number;
  incoming: Incoming;
  outgoing: Outgoing;
  protection: Protection;
  rtcp: Datagrams;
  /** Destination of our audio, null while unknown. Reports go to the next port. */
  audioPlace: () => RtpAddress | null;
}

export function createReporting(parts: ReportingParts): Reporting {
  const { clock, nowMs, incoming, outgoing, protection } = parts;
  const reports = createReportExchange(parts.ssrc);
  let framesSinceReport = parts.random % FRAMES_PER_REPORT;

  function send(goodbye: boolean): void {
    const place = parts.audioPlace();
    if (!place) return;
    const { packets, octets } = outgoing.sent;
    const sender = packets > 0 ? { nowMs: clock.now(), rtpTimestamp: outgoing.timestamp, packets, octets } : null;
    const state = { sender, reception: incoming.reception, remoteSsrc: incoming.lock.ssrc, nowMs: nowMs() };
    parts.rtcp.sendTo(protection.sealRtcp(reports.build(state, goodbye)), place.address, place.port + 1);
  }

  return {
    remote: reports.remote,
    passed(frames) {
      framesSinceReport += frames;
      if (framesSinceReport < FRAMES_PER_REPORT) return;
      framesSinceReport -= FRAMES_PER_REPORT;
      send(false);
    },
    receive(bytes, address, port) {
      if (!incoming.lock.isPeersReport(address, port, senderOfReport(bytes))) return false;
      const opened = protection.openRtcp(bytes);
      if (opened) reports.receive(opened, clock.now(), nowMs());
      return opened !== null;
    },
    goodbye: () => send(true),
  };
}
