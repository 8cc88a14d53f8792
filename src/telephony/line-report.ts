// What a real line was like: the signalling as a ladder of messages, and the audio in numbers.

export interface LineMessage {
  atMs: number;
  direction: "sent" | "received";
  /** `udp 192.0.2.1:5060`: the other side. */
  peer: string;
  firstLine: string;
  /** The whole message as text, without secrets. */
  text: string;
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
  /**
   * SRTP, and whether the whole call was encrypted. Null in clear; missing for calls before there was SRTP, all in
   * clear.
   */
  encryption?: { suite: string; isWhole: boolean } | null;
  /**
   * What was agreed on last, as SDP names it: PCMA, PCMU or G722. Missing for calls before it was kept, all in G.711.
   */
  codec?: string | null;
}

export interface LineReport {
  trunkId: string;
  trace: readonly LineMessage[];
  /** Null where no audio was exchanged. */
  media: MediaStats | null;
  /** Whether the capture file that was asked for holds packets. */
  captured: boolean;
}
