// The media of one call: sends a packet every 20 ms from the moment it knows where to, receives, records, and counts.
import type { Clock } from "../../../core/clock.ts";
import type { Logger } from "../../../core/logger.ts";
import { decodeTable, type G711Law } from "../../audio/g711.ts";
import type { Datagrams } from "./datagrams.ts";
import type { Incoming } from "./incoming.ts";
import type { Outgoing } from "./outgoing.ts";
import type { Paced } from "./pacer.ts";
import type { PromptEnd } from "./player.ts";
import type { Prompt } from "./prompt.ts";
import { estimateMos } from "./quality.ts";
import { createRecorder, type Recorder } from "./recorder.ts";
import type { ReportExchange } from "./report-exchange.ts";
import { FRAME_MS, FRAME_SAMPLES } from "./rtp.ts";

/** RFC 3550, section 6.2: no more often than every 5 s. */
const FRAMES_PER_REPORT = 5_000 / FRAME_MS;
const ONE_WAY_AFTER_MS = 5_000;
/** A stall longer than this is not filled frame by frame; nobody would want to hear it. */
const MOST_FRAMES_FILLED = 3_000;

/** As the peer's SDP puts it: `sendonly` is a peer that holds us and plays music. */
export type MediaDirection = "sendrecv" | "sendonly" | "recvonly" | "inactive";

export interface RemoteMedia {
  address: string;
  port: number;
  codec: G711Law;
  payloadType: number;
  /** Null where the peer did not offer telephone-event. */
  dtmfPayloadType: number | null;
  direction: MediaDirection;
}

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

/** 160 samples of 8 kHz, to be copied by who wants to keep them; `heard` is false for silence that we made up. */
export type FrameListener = (frame: Int16Array, heard: boolean) => void;

export interface MediaSession {
  readonly localAddress: string;
  readonly localPort: number;
  /** From the first SDP on, and again with every later one. Sending starts within 20 ms. */
  negotiated(remote: RemoteMedia): void;
  /** Recording starts, and the wait for the peer's first packet. */
  answered(): void;
  /** After what is playing already. */
  play(prompt: Prompt, onEnd: PromptEnd): void;
  stopPlaying(): void;
  pausePlaying(): void;
  resumePlaying(): void;
  sendDtmf(digits: string): void;
  onDtmf(listener: (digit: string) => void): void;
  onFrame(listener: FrameListener): void;
  stats(): MediaStats;
  /** Idempotent. `recorded` is false where the call was not answered, not to be recorded, or the disk failed. */
  close(): Promise<{ recorded: boolean; seconds: number }>;
}

export interface SessionParts {
  logger: Logger;
  clock: Clock;
  nowMs: () => number;
  callId: string;
  localAddress: string;
  recordingFile: string | null;
  rtp: Datagrams;
  rtcp: Datagrams;
  incoming: Incoming;
  outgoing: Outgoing;
  reports: ReportExchange;
  /** Set by the session when a listener wants digits. */
  digits: { listener: (digit: string) => void };
  onClose(): void;
}

export function createMediaSession(parts: SessionParts): MediaSession & Paced {
  const { logger, clock, nowMs, callId, rtp, rtcp, incoming, outgoing, reports } = parts;
  const callerFrame = new Uint8Array(FRAME_SAMPLES);
  const callerSamples = new Int16Array(FRAME_SAMPLES);
  let remote: RemoteMedia | null = null;
  let recorder: Recorder | null = null;
  let frameListener: FrameListener | null = null;
  let answeredAtMs: number | null = null;
  let receivedAtAnswer = 0;
  let holdSinceMs: number | null = null;
  let heldMs = 0;
  let warnedOfOneWay = false;
  let lastFrame: number | null = null;
  let framesToReport = FRAMES_PER_REPORT;
  let aimed: { address: string; port: number } | null = null;
  let closing: Promise<{ recorded: boolean; seconds: number }> | null = null;

  const maySend = () => remote !== null && (remote.direction === "sendrecv" || remote.direction === "recvonly");
  const shouldHear = () => remote !== null && (remote.direction === "sendrecv" || remote.direction === "sendonly");

  function follow(): void {
    const target = incoming.lock.target;
    if (!target || (aimed?.address === target.address && aimed.port === target.port)) return;
    aimed = { address: target.address, port: target.port };
    rtp.aim(target.address, target.port);
  }

  function send(): void {
    if (!maySend()) {
      outgoing.skip(1);
      return;
    }
    const length = outgoing.nextPacket();
    if (rtp.send(length)) outgoing.wasSent(length);
    outgoing.player.tellEnded();
  }

  function hear(agentFrame: Uint8Array | null): void {
    const kind = incoming.pull(callerFrame);
    const law = remote?.codec ?? "PCMU";
    recorder?.write(agentFrame, kind === "silence" ? null : callerFrame, law);
    if (!frameListener) return;
    const table = decodeTable(law);
    for (let i = 0; i < FRAME_SAMPLES; i++) callerSamples[i] = table[callerFrame[i] ?? 0] ?? 0;
    frameListener(callerSamples, kind !== "silence");
  }

  function report(goodbye: boolean): void {
    if (!aimed) return;
    const { packets, octets } = outgoing.sent;
    const sender = packets > 0 ? { nowMs: clock.now(), rtpTimestamp: outgoing.timestamp, packets, octets } : null;
    const state = { sender, reception: incoming.reception, remoteSsrc: incoming.lock.ssrc, nowMs: nowMs() };
    rtcp.sendTo(reports.build(state, goodbye), aimed.address, aimed.port + 1);
  }

  function isOneWay(): boolean {
    if (answeredAtMs === null || incoming.reception.received > receivedAtAnswer) return false;
    const now = nowMs();
    const onHoldMs = heldMs + (holdSinceMs === null ? 0 : now - holdSinceMs);
    return now - answeredAtMs - onHoldMs >= ONE_WAY_AFTER_MS;
  }

  function minuteAffairs(): void {
    if (--framesToReport <= 0) {
      framesToReport = FRAMES_PER_REPORT;
      report(false);
    }
    if (warnedOfOneWay || framesToReport % 50 !== 0 || !isOneWay()) return;
    warnedOfOneWay = true;
    logger.warn("no audio arrives from the peer; check NAT, firewall and the public media address", { callId });
  }

  async function close(): Promise<{ recorded: boolean; seconds: number }> {
    report(true);
    parts.onClose();
    rtp.close();
    rtcp.close();
    outgoing.player.stop();
    return recorder ? recorder.close() : { recorded: false, seconds: 0 };
  }

  return {
    localAddress: parts.localAddress,
    localPort: rtp.port,
    negotiated(newRemote) {
      // An address of zeros is how old peers say hold (RFC 3264, section 8.4): there is nowhere to send.
      const isNowhere = /^[0.:]+$/.test(newRemote.address) || newRemote.port === 0;
      remote = isNowhere ? { ...newRemote, direction: "inactive" } : newRemote;
      outgoing.configure(remote);
      incoming.configure(remote);
      if (!isNowhere) incoming.lock.expect(remote.address, remote.port);
      follow();
      if (!shouldHear()) holdSinceMs ??= nowMs();
      else if (holdSinceMs !== null) {
        if (answeredAtMs !== null) heldMs += nowMs() - Math.max(holdSinceMs, answeredAtMs);
        holdSinceMs = null;
      }
    },
    answered() {
      if (answeredAtMs !== null || closing) return;
      answeredAtMs = nowMs();
      if (holdSinceMs !== null) holdSinceMs = answeredAtMs;
      receivedAtAnswer = incoming.reception.received;
      if (parts.recordingFile !== null) recorder = createRecorder(parts.recordingFile, logger);
    },
    tick(frame) {
      const missed = lastFrame === null ? 0 : Math.min(frame - lastFrame - 1, MOST_FRAMES_FILLED);
      lastFrame = frame;
      if (!remote) return;
      for (let i = 0; i < missed; i++) hear(null);
      outgoing.skip(missed);
      send();
      hear(outgoing.audio);
      minuteAffairs();
    },
    play: (prompt, onEnd) => (closing ? onEnd(false, 0) : outgoing.player.play(prompt, onEnd)),
    stopPlaying: () => outgoing.player.stop(),
    pausePlaying: () => outgoing.player.pause(),
    resumePlaying: () => outgoing.player.resume(),
    sendDtmf: (digits) => outgoing.sendDtmf(digits),
    onDtmf(listener) {
      parts.digits.listener = listener;
    },
    onFrame(listener) {
      frameListener = listener;
    },
    stats() {
      const { reception, buffer } = incoming;
      const unplayable = reception.lost + buffer.late;
      const lossShare = reception.expected > 0 ? Math.min(1, unplayable / reception.expected) : 0;
      const oneWayDelayMs = (reports.remote.roundTripMs ?? 0) / 2 + buffer.delayMs + FRAME_MS;
      return {
        sentPackets: outgoing.sent.packets,
        receivedPackets: reception.received,
        lostPackets: reception.lost,
        latePackets: buffer.late,
        duplicatePackets: buffer.duplicates,
        ignoredPackets: incoming.ignored,
        lossShare,
        jitterMs: reception.jitterMs,
        jitterBufferMs: buffer.delayMs,
        gaps: buffer.gaps,
        roundTripMs: reports.remote.roundTripMs,
        remoteLossShare: reports.remote.lossShare,
        remoteJitterMs: reports.remote.jitterMs,
        mos: reception.received > 0 ? estimateMos({ lossShare, oneWayDelayMs }) : null,
        oneWayAudio: isOneWay(),
      };
    },
    close: () => (closing ??= close()),
  };
}
