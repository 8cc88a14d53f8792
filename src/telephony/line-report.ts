// Report on a real line: the signalling as a ladder of messages, and the audio statistics.

export interface LineMessage {
  atMs: number;
  direction: "sent" | "received";
  /** The other side, for example `udp 192.0.2.1:5060`. */
  peer: string;
  firstLine: string;
  /** The whole message as text, without secrets. */
  text: string;
}

export interface MediaStats {
  sentPackets: number;
  receivedPackets: number;
  lostPackets: number;
  /** Arrived too late to be played. */
  latePackets: number;
  duplicatePackets: number;
  /** From other sources, or of a type that was not negotiated. */
  ignoredPackets: number;
  /** Lost or late share of the expected packets, 0 to 1. */
  lossShare: number;
  jitterMs: number;
  jitterBufferMs: number;
  /** Concealed frames that were followed by audio. */
  gaps: number;
  /** Null before the peer's first report on our stream. */
  roundTripMs: number | null;
  remoteLossShare: number | null;
  remoteJitterMs: number | null;
  /** 1 to 4.4, of the received audio; null before any arrived. */
  mos: number | null;
  /** Nothing has arrived since the answer, for five seconds in which audio was expected. */
  oneWayAudio: boolean;
  /**
   * SRTP, and whether the whole call was encrypted. Null for unencrypted audio; missing for calls from before SRTP was
   * supported, all of them unencrypted.
   */
  encryption?: { suite: string; isWhole: boolean } | null;
  /**
   * The codec negotiated last, by its SDP name: PCMA, PCMU or G722. Missing for calls from before it was stored, all in
   * G.711.
   */
  codec?: string | null;
}

export interface LineReport {
  trunkId: string;
  trace: readonly LineMessage[];
  /** Null if no audio was exchanged. */
  media: MediaStats | null;
  /** Whether the requested capture file contains packets. */
  captured: boolean;
}
