// What one call needs, whoever made it: its line, the agent's words filled in, its recorded words, the desk and the
// files.
import type { KnownAgent } from "../../agents/store.ts";
import { costlyTarget } from "../../agents/transfer-target.ts";
import type { Config } from "../../config/schema.ts";
import type { Agent, PhoneNumber } from "../../agents/records.ts";
import type { Call } from "../call/records.ts";
import type { Executor } from "../../db/tables.ts";
import type { ServerChoices } from "../../speech/servers/choices.ts";
import type { Pronunciation } from "../../speech/tts/pronunciation.ts";
import type { CallOrder } from "../../telephony/port.ts";
import type { BookingDesk } from "../../calendar/desk-port.ts";
import type { RecordedWords } from "../../payloads/recorded-words.ts";
import type { AgentBrief } from "../../voice/port.ts";
import { isRetriedAfter } from "../call/retry.ts";
import { agentWords } from "../call/agent-words.ts";
import { knownFacts } from "../call/template-values.ts";
import { additionalInfoOf } from "../call/new-call.ts";
import { calleeLinesOf } from "../call/simulated-callee.ts";

/** The line and the agent of one call, before the two are brought together. */
export interface CallRequest {
  line: Omit<CallOrder, "clips" | "brief">;
  brief: Omit<AgentBrief, "language" | "direction" | "desk" | "models">;
  /** BCP 47, the best first: what was asked for with the call, then what the agent is written in. */
  languages: readonly string[];
  /** The organisation's own model servers that its agent may use. */
  servers?: ServerChoices;
  /** What was recorded for the agent; what is missing is spoken by the built-in voice, where it has the language. */
  recorded: readonly RecordedWords[];
  /** Null where there is no calendar at all. */
  desk: BookingDesk | null;
}

export interface CallFiles {
  /** A name, not a path. The name of the capture follows from it. */
  recording: string;
  isCaptured: boolean;
}

export interface PlannedCall {
  call: Call;
  agent: KnownAgent;
  number: PhoneNumber;
  recorded: readonly RecordedWords[];
  pronunciations: readonly Pronunciation[];
  servers: ServerChoices;
  files: CallFiles;
  /** IANA, of the branch that the call is for. */
  timeZone: string;
  branchName: string | null;
}

/** What becomes of such a call. */
export const WORDS_TOO_LONG =
  "The agent's greeting or prompt became too long for this call's values. Shorten the agent's texts, then call again.";

export interface DialPlanDeps {
  config: Config;
  recordings: { newName(): string; pathOf(name: string): string };
  captures: { pathOf(name: string): string };
  /** The agent's place at the calendar. */
  deskFor: (call: Call, agent: Agent) => BookingDesk | null;
  recordedWordsOf: (executor: Executor, agentId: string) => Promise<RecordedWords[]>;
  /** Words that the organisation says in its own way. */
  pronunciationsOf: (executor: Executor, organisationId: string) => Promise<Pronunciation[]>;
  /** The model servers that the agent may use on this call. */
  serversOf: (executor: Executor, organisationId: string, agentId: string) => Promise<ServerChoices>;
  timeZoneOf: (executor: Executor, call: Call, agent: Agent) => Promise<string>;
  /** As people call the branch that the call is for. */
  branchNameOf: (executor: Executor, call: Call, agent: Agent) => Promise<string | null>;
  /** Whether somebody wants the packets of calls over this trunk now. */
  isCaptured: (executor: Executor, trunkId: string) => Promise<boolean>;
}

/** Found again by a recovery, which knows the recording alone. */
export function captureNameOf(recording: string): string {
  return recording.replace(/\.wav$/, ".pcap");
}

export function createDialPlan(deps: DialPlanDeps) {
  const {
    config,
    recordings,
    captures,
    deskFor,
    recordedWordsOf,
    pronunciationsOf,
    serversOf,
    timeZoneOf,
    branchNameOf,
    isCaptured,
  } = deps;

  /** It may have been set before such targets were refused. */
  const allowedTarget = (target: string | null) =>
    target !== null && costlyTarget(target, config.calls.allowed_ranges) === null ? target : null;

  return {
    recordedWordsOf,
    pronunciationsOf,
    serversOf,
    timeZoneOf,
    branchNameOf,

    async files(executor: Executor, { trunk_id }: PhoneNumber): Promise<CallFiles> {
      return {
        recording: recordings.newName(),
        isCaptured: trunk_id !== null && (await isCaptured(executor, trunk_id)),
      };
    },

    /** Null where the agent's words would be too long: it was changed after the call was asked for. */
    request({
      call,
      agent,
      number,
      recorded,
      pronunciations,
      servers,
      files,
      timeZone,
      branchName,
    }: PlannedCall): CallRequest | null {
      const { lines: calleeLines, known: additionalInfo } = calleeLinesOf(additionalInfoOf(call), config);
      const words = agentWords(agent, { additionalInfo, contactName: call.contact_name, branchName });
      if (!words) return null;
      return {
        line: {
          callId: call.id,
          trunkId: number.trunk_id,
          from: number.number,
          to: call.contact_number,
          recordingFile: recordings.pathOf(files.recording),
          ...(calleeLines && { calleeLines }),
          captureFile: files.isCaptured ? captures.pathOf(captureNameOf(files.recording)) : null,
        },
        brief: {
          agentName: agent.name,
          voice: agent.voice,
          pronunciations,
          ...words,
          contactName: call.contact_name,
          additionalInfo: { ...additionalInfo, ...knownFacts({ additionalInfo, known: agent.known, branchName }) },
          timeZone,
          branchName,
          details: detailsOf(agent),
          modelSpeech: agent.model_speech,
          approvedAnswers: spokenAnswersOf(agent),
          transferTo: allowedTarget(agent.transfer_to),
          ...(agent.open_announcements && { announcesOpenly: true }),
          ...(isRetriedAfter(call, agent, "voicemail") && { isTriedAgain: true }),
        },
        languages: [call.preferred_language ?? agent.language, agent.language],
        servers,
        recorded,
        desk: deskFor(call, agent),
      };
    },
  };
}

/** For whoever talks: names and what is asked, without the types that only the analysis needs. */
function detailsOf({ analysis_fields }: Agent): NonNullable<AgentBrief["details"]> {
  return analysis_fields.map(({ name, description }) => ({ name, description }));
}

/** Each with its language, which is the agent's where the owner named none. */
function spokenAnswersOf(agent: Agent): NonNullable<AgentBrief["approvedAnswers"]> {
  return agent.approved_answers.map((one) => ({ ...one, language: one.language || agent.language }));
}

export type DialPlan = ReturnType<typeof createDialPlan>;
