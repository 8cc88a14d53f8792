// Interface of the user agent: options, commands and events. Contains no sockets and no SIP messages.
import type { CertificatePair } from "../../../core/certificate.ts";
import type { Codec } from "../../../audio/codec.ts";
import type { LineMessage } from "../../line-report.ts";
import type { FailureCode } from "../../port.ts";
import type { KeptDialog } from "./dialog.ts";
import type { SrtpSuite } from "../../rtp/srtp-keys.ts";
import type { RemoteAudio } from "../message/sdp.ts";
import type { TrunkSettings, TrunkState } from "../../../trunks/trunk-settings.ts";

/** SRTP keys: base64 of 16 bytes of key and 14 of salt for each direction. */
export interface MediaKeys {
  suite: SrtpSuite;
  ours: string;
  theirs: string;
}

/** Accepted sources of a call's audio besides the address in its SDP. */
export interface AudioTrust {
  trunkAddresses: readonly string[];
  symmetricRtp: boolean;
}

/** The media side of one call, provided by the media engine. */
export interface MediaPort {
  readonly localAddress: string;
  readonly localPort: number;
  /**
   * Called for early media, the answer, and each change by the peer. `direction` is the peer's own: we send unless it
   * is `sendonly` or `inactive`.
   */
  negotiated(remote: RemoteAudio & AudioTrust & { keys: MediaKeys | null }): void;
}

export interface InviteOrder {
  callId: string;
  trunkId: string;
  /** E.164. */
  from: string;
  to: string;
  /** Counted from the first INVITE sent. */
  ringTimeoutMs: number;
  /** In order of preference. */
  codecOrder: readonly Codec[];
  /** The target of a transfer: an extension of the exchange matches none of the allowed prefixes. */
  isTransfer?: boolean;
}

export interface CallEnding {
  /** `timeout`: it rang too long. `network`: our messages are no longer answered. */
  by: "peer" | "us" | "timeout" | "network";
  /** Null if the call was answered and one side hung up. */
  outcome: FailureCode | null;
  /** The final SIP status, if any. */
  sipCode: number | null;
  /** One sentence for a person; no personal data. */
  message: string;
  /** No phone rang, and nothing was learnt about the callee. */
  putBack?: true;
  /** Time of the end. The report follows up to two seconds later, after the peer confirmed it. */
  atMs: number;
}

export interface TransferProgress {
  /**
   * `left`: the peer hung up before the transfer was decided. `ended` follows within two seconds, after the result
   * reported so far: `answered`, `refused`, or `taken` if there was none.
   */
  state: "accepted" | "trying" | "ringing" | "left" | "answered" | "refused" | "taken";
  sipCode: number | null;
}

export interface InboundNews {
  trunkId: string;
  from: string;
  /** As dialled: a number, an extension or a name. */
  to: string;
  /** The trunk called our registered Contact, by the account name. */
  isToAccount: boolean;
}

/** Events per call: `trying`, `ringing`, `answered`, `ended`, in this order and at most once, except as noted. */
export interface UserAgentListener {
  /** The trunk accepted the INVITE. */
  trying?(callId: string): void;
  /** Called again with `earlyMedia: true` if early media starts after the first ring. */
  ringing(callId: string, ring: { earlyMedia: boolean }): void;
  answered(callId: string): void;
  /** Just before `answered`, and on every change: lets a later user agent end the call at its trunk. */
  dialogKept?(callId: string, kept: KeptDialog): void;
  /** Always comes, and comes last. */
  ended(callId: string, ending: CallEnding): void;
  /** A key sent by SIP INFO instead of RTP. */
  keyPressed?(callId: string, key: string): void;
  transferProgress(callId: string, progress: TransferProgress): void;
  /** An inbound call. It rings until answerInbound or rejectInbound. */
  inbound(callId: string, call: InboundNews): void;
  trunkState(state: TrunkState): void;
  trace(callId: string, entry: LineMessage): void;
}

export interface UserAgentCounters {
  /** Packets and connections from addresses that belong to no trunk. */
  droppedStrangers: number;
  /** Messages of trunks that could not be parsed as SIP. */
  droppedMalformed: number;
  /** Inbound calls rejected with 486 because every line was in use. */
  refusedBusy: number;
  openCalls: number;
  openTransactions: number;
}

export interface UserAgent {
  /** Listening port; useful if port 0 was requested. */
  readonly port: number;
  /** Returns at once. Everything is reported to the listener, including local rejections. */
  invite(order: InviteOrder): void;
  /** CANCEL before the answer, BYE after it. Unknown ids are ignored. */
  hangUp(callId: string, reason?: string): void;
  /** Ends calls that an earlier user agent left open, as soon as their trunks are reachable. */
  endLeft(dialogs: readonly KeptDialog[]): void;
  /** Transfers the callee to a number or a SIP URI (REFER, RFC 3515). The call lasts until one side hangs up. */
  refer(callId: string, target: string): void;
  answerInbound(callId: string, codecOrder: readonly Codec[]): void;
  /** With 404, 480, 486 or 603. */
  rejectInbound(callId: string, sipCode: number): void;
  /** Changed and removed trunks finish their calls first. */
  setTrunks(trunks: readonly TrunkSettings[]): void;
  trunkStates(): TrunkState[];
  /** For TLS connections that trunks open from now on. */
  renewCertificate(certificate: CertificatePair): void;
  /** Our address as announced to this trunk; null if it is not known yet. */
  addressTowards(trunkId: string): string | null;
  counters(): UserAgentCounters;
  /** Hangs up every call as `interrupted`, unregisters, waits at most `drainMs`, and closes every socket. */
  stop(drainMs: number): Promise<void>;
}
