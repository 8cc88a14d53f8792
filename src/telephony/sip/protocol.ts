// What the main thread and the SIP worker say to each other. Everything here survives structuredClone.
import type { PromptKind } from "../../db/tables.ts";
import type { LogFields, LogLevel } from "../../core/logger.ts";
import type { AgentBrief } from "../../voice/port.ts";
import type { LineMessage } from "../line-report.ts";
import type { CallEnd, KnownAppointment, SlotOffer } from "../port.ts";
import type { KeptDialog } from "./call/dialog.ts";
import type {
  InboundNews,
  TlsListening,
  TrunkSettings,
  TrunkState,
  UserAgentCounters,
} from "./call/user-agent-port.ts";

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

/** One call to make, or to take. */
export interface CallOrder {
  callId: string;
  trunkId: string;
  from: string;
  to: string;
  recordingFile: string;
  /** Null where nobody asked for packets. */
  captureFile: string | null;
  brief: AgentBrief;
  /** Keys of prompts that were sent before. */
  prompts: Partial<Record<PromptKind, string>>;
  hasDesk: boolean;
  canBook: boolean;
}

export type ToWorker =
  | { type: "start"; settings: WorkerSettings; trunks: readonly TrunkSettings[] }
  | { type: "trunks"; trunks: readonly TrunkSettings[] }
  /** Kept by its key until the worker ends. */
  | { type: "prompt"; key: string; samples: Int16Array }
  | { type: "forgetPrompts" }
  | { type: "dial"; order: CallOrder }
  /** Answers a call that arrived, under its own id. */
  | { type: "accept"; order: CallOrder }
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
  | { type: "trace"; callId: string; message: LineMessage }
  | ({ type: "arrived"; callId: string } & InboundNews)
  | { type: "ringing"; callId: string }
  | { type: "answered"; callId: string }
  | { type: "dialogKept"; callId: string; kept: KeptDialog }
  /** Its `line` holds no trace: the main thread has it already. */
  | { type: "ended"; callId: string; end: CallEnd }
  | { type: "ask"; askId: number; callId: string; question: Question }
  | { type: "stopped" };

/** What an agent needs from the main thread: the calendar, and the voice. */
export type Question =
  | { kind: "appointment" }
  | { kind: "confirm" }
  | { kind: "requestChange" }
  | { kind: "offer"; most: number }
  | { kind: "book"; label: string }
  | { kind: "speak"; text: string };

export interface Answers {
  appointment: KnownAppointment | null;
  confirm: boolean;
  requestChange: boolean;
  offer: SlotOffer[];
  book: SlotOffer | null;
  /** Null where the voice does not have the agent's language, or failed. */
  speak: Int16Array | null;
}

/** `failed`: the main thread could not; it has logged why. */
export type Answer = { value: Answers[keyof Answers] } | { failed: true };
