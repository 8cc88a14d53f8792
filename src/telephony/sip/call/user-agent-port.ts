// What the user agent is given, what it can do and what it reports. No sockets and no SIP messages here.
import type { CertificatePair } from "../../../core/certificate.ts";
import type { Codec } from "../../../audio/codec.ts";
import type { LineMessage } from "../../line-report.ts";
import type { FailureCode } from "../../port.ts";
import type { KeptDialog } from "./dialog.ts";
import type { SrtpSuite } from "../../rtp/srtp-keys.ts";
import type { RemoteAudio } from "../message/sdp.ts";
import type { TrunkSettings, TrunkState } from "../../../trunks/trunk-settings.ts";

/** The keys of an encrypted call: base64 of 16 bytes of key and 14 of salt for each direction. */
export interface MediaKeys {
  suite: SrtpSuite;
  ours: string;
  theirs: string;
}

/** Where a call's audio may come from beside the address that its SDP names. */
export interface AudioTrust {
  trunkAddresses: readonly string[];
  symmetricRtp: boolean;
}

/** One call's side of the media, given by whoever makes the sound. */
export interface MediaPort {
  readonly localAddress: string;
  readonly localPort: number;
  /**
   * Early media, the answer, and each change by the peer. `direction` is the peer's own: we send unless it is
   * `sendonly` or `inactive`.
   */
  negotiated(remote: RemoteAudio & AudioTrust & { keys: MediaKeys | null }): void;
}

export interface InviteOrder {
  callId: string;
  trunkId: string;
  /** E.164. */
  from: string;
  to: string;
  /** From the INVITE on the wire until we give up. */
  ringTimeoutMs: number;
  /** The first one is preferred. */
  codecOrder: readonly Codec[];
  /** The target of a transfer: an extension of the exchange begins with none of the allowed prefixes. */
  isTransfer?: boolean;
}

export interface CallEnding {
  /** `timeout`: it rang too long. `network`: nobody answers our messages any more. */
  by: "peer" | "us" | "timeout" | "network";
  /** Null where the call was answered and one side hung up. */
  outcome: FailureCode | null;
  /** The status that ended it, where there was one. */
  sipCode: number | null;
  /** One sentence for a person; no personal data. */
  message: string;
  /** No phone rang, and nothing was learnt about the callee. */
  putBack?: true;
  /** When it was over. The report comes up to two seconds later, after the peer confirmed it. */
  atMs: number;
}

export interface TransferProgress {
  /**
   * `left`: the peer hung up before the transfer was decided; `ended` follows within two seconds, with what it told
   * until then: `answered`, `refused`, or `taken` where it told nothing.
   */
  state: "accepted" | "trying" | "ringing" | "left" | "answered" | "refused" | "taken";
  sipCode: number | null;
}

export interface InboundNews {
  trunkId: string;
  from: string;
  /** As it was dialled: a number, an extension or a name. */
  to: string;
  /** The trunk called the very Contact that we gave it, by our account's name. */
  isToAccount: boolean;
}

/** Per call: `trying`, `ringing`, `answered`, `ended`, in this order and at most once, except as said. */
export interface UserAgentListener {
  /** The trunk took the call. */
  trying?(callId: string): void;
  /** A second time, with `earlyMedia: true`, where sound begins after the first ring. */
  ringing(callId: string, ring: { earlyMedia: boolean }): void;
  answered(callId: string): void;
  /** Just before `answered`, and whenever it changes: with it a later user agent can end the call at its trunk. */
  dialogKept?(callId: string, kept: KeptDialog): void;
  /** Always comes, and comes last. */
  ended(callId: string, ending: CallEnding): void;
  /** A key pressed, sent by SIP INFO instead of RTP. */
  keyPressed?(callId: string, key: string): void;
  transferProgress(callId: string, progress: TransferProgress): void;
  /** A trunk calls us. It rings until answerInbound or rejectInbound. */
  inbound(callId: string, call: InboundNews): void;
  trunkState(state: TrunkState): void;
  trace(callId: string, entry: LineMessage): void;
}

export interface UserAgentCounters {
  /** Packets and connections from addresses of no trunk. */
  droppedStrangers: number;
  /** Messages of trunks that were no SIP. */
  droppedMalformed: number;
  /** Calls of trunks that were told 486, since every line was in use. */
  refusedBusy: number;
  openCalls: number;
  openTransactions: number;
}

export interface UserAgent {
  /** Where it listens; useful where port 0 was asked for. */
  readonly port: number;
  /** Returns at once. Everything is reported to the listener, refusals of our own included. */
  invite(order: InviteOrder): void;
  /** CANCEL before the answer, BYE after it. Unknown ids are ignored. */
  hangUp(callId: string, reason?: string): void;
  /** Ends calls that an earlier user agent left standing, as soon as their trunks can be spoken to. */
  endLeft(dialogs: readonly KeptDialog[]): void;
  /** Sends the callee on to a number or a SIP URI (REFER, RFC 3515). The call goes on until somebody hangs up. */
  refer(callId: string, target: string): void;
  answerInbound(callId: string, codecOrder: readonly Codec[]): void;
  /** With 404, 480, 486 or 603. */
  rejectInbound(callId: string, sipCode: number): void;
  /** Trunks that changed or went away finish their calls first. */
  setTrunks(trunks: readonly TrunkSettings[]): void;
  trunkStates(): TrunkState[];
  /** For the TLS connections that trunks open to us from now on. */
  renewCertificate(certificate: CertificatePair): void;
  /** Our own address as this trunk is told it; null where it is not known yet. */
  addressTowards(trunkId: string): string | null;
  counters(): UserAgentCounters;
  /** Hangs up every call as `interrupted`, takes back registrations, waits at most `drainMs`, closes every socket. */
  stop(drainMs: number): Promise<void>;
}
