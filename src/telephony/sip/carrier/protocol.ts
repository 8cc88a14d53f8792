// Messages between the main thread and the SIP worker. All of them survive structuredClone.
import type { CertificatePair } from "../../../core/certificate.ts";
import type { LogFields, LogLevel } from "../../../core/logger.ts";
import type { LineMessage } from "../../line-report.ts";
import type { CallOrder, LineEnd } from "../../port.ts";
import type { KeptDialog } from "../call/dialog.ts";
import type { InboundNews, UserAgentCounters } from "../call/user-agent-port.ts";
import type { TlsListening } from "../transport/stream-listener.ts";
import type { TrunkSettings, TrunkState } from "../../../trunks/trunk-settings.ts";

export interface WorkerSettings {
  logLevel: LogLevel;
  address: string;
  /** 0 selects a free one. */
  port: number;
  /** Listener for TLS connections opened by trunks; null if off. */
  tls: TlsListening | null;
  /** Null to detect it. */
  externalAddress: string | null;
  /** Hosts, addresses and ranges on this machine or its link that trunks may use; see trunk-addresses.ts. */
  allowLocal: readonly string[];
  rtpPorts: { from: number; to: number };
  ringTimeoutMs: number;
  longestCallMs: number;
  lostAudioMs: number;
}

/** One call to dial or to accept. Its clips were sent before. */
export interface WorkerOrder extends CallOrder {
  trunkId: string;
  direction: "outbound" | "inbound";
}

export type ToWorker =
  | { type: "start"; settings: WorkerSettings; trunks: readonly TrunkSettings[] }
  | { type: "trunks"; trunks: readonly TrunkSettings[] }
  /** New certificate of the TLS listener. */
  | { type: "certificate"; certificate: CertificatePair }
  /** Kept under its key until the worker ends. */
  | { type: "clip"; key: string; samples: Int16Array }
  | { type: "forgetClips" }
  /** Requests open audio ports for this many calls that may be dialled next; answered by `held`. */
  | { type: "hold"; askId: number; calls: number }
  | { type: "dial"; order: WorkerOrder }
  /** Answers an inbound call under its own id. */
  | { type: "accept"; order: WorkerOrder }
  | { type: "reject"; callId: string; sipCode: number }
  | { type: "hangUp"; callId: string }
  /** Calls that an earlier process left open at their trunks. */
  | { type: "endLeft"; dialogs: readonly KeptDialog[] }
  | { type: "answer"; askId: number; answer: Answer }
  /** No new calls; active ones may finish within this time, then they are hung up. `stopped` comes last. */
  | { type: "stop"; drainMs: number };

export type FromWorker =
  | { type: "ready"; port: number }
  /** It failed to start, and cannot start with these settings. */
  | { type: "cannotStart"; message: string }
  | { type: "log"; level: LogLevel; message: string; fields: LogFields | undefined }
  | { type: "trunkState"; state: TrunkState }
  /** Heartbeat, once a second: a worker without one for too long is considered dead. */
  | { type: "beat"; lagP99Ms: number; calls: number; counters: UserAgentCounters; trunkStates: readonly TrunkState[] }
  /** Audio ports are open for this many calls. */
  | { type: "held"; askId: number; calls: number }
  | { type: "trace"; callId: string; message: LineMessage }
  | ({ type: "arrived"; callId: string } & InboundNews)
  | { type: "ringing"; callId: string }
  | { type: "answered"; callId: string }
  | { type: "dialogKept"; callId: string; kept: KeptDialog }
  /** `line` has no trace: the main thread already has it. */
  | { type: "ended"; callId: string; end: LineEnd }
  | { type: "ask"; askId: number; callId: string; question: unknown }
  | { type: "stopped" };

/** `failed`: the main thread could not answer; it has logged the reason. */
export type Answer = { value: unknown } | { failed: true };
