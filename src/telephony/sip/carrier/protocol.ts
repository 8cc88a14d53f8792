// What the main thread and the SIP worker say to each other. Everything here survives structuredClone.
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
  /** 0 takes a free one. */
  port: number;
  /** Where trunks may open TLS connections of their own; null where nowhere. */
  tls: TlsListening | null;
  /** Null to find out. */
  externalAddress: string | null;
  /** Hosts, addresses and ranges on this machine or its wire at which trunks may be; see trunk-addresses.ts. */
  allowLocal: readonly string[];
  rtpPorts: { from: number; to: number };
  ringTimeoutMs: number;
  longestCallMs: number;
  lostAudioMs: number;
}

/** One call to make, or to take. Its clips were sent before. */
export interface WorkerOrder extends CallOrder {
  trunkId: string;
  direction: "outbound" | "inbound";
}

export type ToWorker =
  | { type: "start"; settings: WorkerSettings; trunks: readonly TrunkSettings[] }
  | { type: "trunks"; trunks: readonly TrunkSettings[] }
  /** The TLS listener's new one. */
  | { type: "certificate"; certificate: CertificatePair }
  /** Kept by its key until the worker ends. */
  | { type: "clip"; key: string; samples: Int16Array }
  | { type: "forgetClips" }
  /** Audio ports are to be open for so many calls that may be dialled next; `held` answers. */
  | { type: "hold"; askId: number; calls: number }
  | { type: "dial"; order: WorkerOrder }
  /** Answers a call that arrived, under its own id. */
  | { type: "accept"; order: WorkerOrder }
  | { type: "reject"; callId: string; sipCode: number }
  | { type: "hangUp"; callId: string }
  /** Calls that an earlier run left standing at their trunks. */
  | { type: "endLeft"; dialogs: readonly KeptDialog[] }
  | { type: "answer"; askId: number; answer: Answer }
  /** No new calls; live ones may end by themselves for so long, then they are hung up. `stopped` comes last. */
  | { type: "stop"; drainMs: number };

export type FromWorker =
  | { type: "ready"; port: number }
  /** It could not begin, and never will with these settings. */
  | { type: "cannotStart"; message: string }
  | { type: "log"; level: LogLevel; message: string; fields: LogFields | undefined }
  | { type: "trunkState"; state: TrunkState }
  /** Once a second: a worker that is silent for long is dead. */
  | { type: "beat"; lagP99Ms: number; calls: number; counters: UserAgentCounters; trunkStates: readonly TrunkState[] }
  /** For so many calls there are audio ports. */
  | { type: "held"; askId: number; calls: number }
  | { type: "trace"; callId: string; message: LineMessage }
  | ({ type: "arrived"; callId: string } & InboundNews)
  | { type: "ringing"; callId: string }
  | { type: "answered"; callId: string }
  | { type: "dialogKept"; callId: string; kept: KeptDialog }
  /** Its `line` holds no trace: the main thread has it already. */
  | { type: "ended"; callId: string; end: LineEnd }
  | { type: "ask"; askId: number; callId: string; question: unknown }
  | { type: "stopped" };

/** `failed`: the main thread could not; it has logged why. */
export type Answer = { value: unknown } | { failed: true };
