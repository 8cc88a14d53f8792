// Assembles the data of one call, inbound or outbound: line, rendered texts, recorded phrases, booking desk and files.
import type { Organisation } from "../../accounts/records.ts";
import type { KnownAgent } from "../../agents/store.ts";
import { costlyTarget } from "../../agents/transfer-target.ts";
import type { Config } from "../../config/schema.ts";
import { isE164 } from "../../core/phone.ts";
import type { Agent, PhoneNumber } from "../../agents/records.ts";
import type { Call } from "../call/records.ts";
import type { Executor } from "../../db/tables.ts";
import type { ServerChoices } from "../../speech/servers/choices.ts";
import type { Pronunciation } from "../../speech/tts/pronunciation.ts";
import type { CallOrder } from "../../telephony/port.ts";
import type { BookingDesk } from "../../calendar/desk-port.ts";
import type { RecordedWords } from "../../payloads/recorded-words.ts";
import type { Purpose, RecordingMode } from "../../payloads/lawful.ts";
import type { Recordings } from "../../media/recordings.ts";
import { ruleChangesOf } from "../../rules/book/change-store.ts";
import type { OrganisationChanges } from "../../rules/book/rule-book.ts";
import { recordingModeFor, recordingRule } from "../../rules/recording-mode.ts";
import type { AgentBrief } from "../../voice/port.ts";
import { isRetriedAfter } from "../call/retry.ts";
import { agentWords } from "../call/agent-words.ts";
import { knownFacts } from "../call/template-values.ts";
import { additionalInfoOf } from "../call/new-call.ts";
import { calleeLinesOf } from "../call/simulated-callee.ts";

/** Line and agent of one call, before the two are joined. */
export interface CallRequest {
  line: Omit<CallOrder, "clips" | "brief">;
  brief: Omit<AgentBrief, "language" | "direction" | "desk" | "models">;
  /** BCP 47, best first: the requested language, then the agent's. */
  languages: readonly string[];
  /** The organisation's model servers that the agent may use. */
  servers?: ServerChoices;
  /** Recorded phrases of the agent; the built-in voice speaks missing ones if it supports the language. */
  recorded: readonly RecordedWords[];
  /** Null without a calendar. */
  desk: BookingDesk | null;
}

export interface CallFiles {
  /** A name, not a path. The name of the capture is derived from it. */
  recording: string;
  isCaptured: boolean;
}

export interface PlannedCall {
  organisation: Pick<Organisation, "name" | "callback_number" | "recording_mode">;
  call: Call;
  agent: KnownAgent;
  number: PhoneNumber;
  recorded: readonly RecordedWords[];
  pronunciations: readonly Pronunciation[];
  servers: ServerChoices;
  /** The organisation's changes to the rules. */
  changes: OrganisationChanges;
  /** What the callee has agreed to or refused. Absent on inbound calls. */
  consents?: ReadonlyMap<Purpose, unknown> | undefined;
  files: CallFiles;
  /** IANA time zone of the call's branch. */
  timeZone: string;
  branchName: string | null;
}

/** Error of a call with too long texts. */
export const WORDS_TOO_LONG =
  "The agent's greeting or prompt became too long for this call's values. Shorten the agent's texts, then call again.";

export interface DialPlanDeps {
  config: Config;
  recordings: Pick<Recordings, "newName" | "pathOf"> & Partial<Pick<Recordings, "newKey">>;
  captures: { pathOf(name: string): string };
  /** The agent's access to the calendar. */
  deskFor: (call: Call, agent: Agent) => BookingDesk | null;
  recordedWordsOf: (executor: Executor, agentId: string) => Promise<RecordedWords[]>;
  /** The organisation's pronunciation list. */
  pronunciationsOf: (executor: Executor, organisationId: string) => Promise<Pronunciation[]>;
  /** Model servers that the agent may use on this call. */
  serversOf: (executor: Executor, organisationId: string, agentId: string) => Promise<ServerChoices>;
  timeZoneOf: (executor: Executor, call: Call, agent: Agent) => Promise<string>;
  /** Name of the call's branch. */
  branchNameOf: (executor: Executor, call: Call, agent: Agent) => Promise<string | null>;
  /** Whether packets of calls over this trunk are captured now. */
  isCaptured: (executor: Executor, trunkId: string) => Promise<boolean>;
}

/** Derived, because recovery knows only the recording. */
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

  /** The target may be older than the rule against costly targets. */
  const allowedTarget = (target: string | null) =>
    target !== null && costlyTarget(target, config.calls.allowed_ranges) === null ? target : null;

  return {
    recordedWordsOf,
    pronunciationsOf,
    serversOf,
    ruleChangesOf,
    timeZoneOf,
    branchNameOf,
    recordingMode: (planned: ModeQuestion) => modeOf(config, planned),

    async files(executor: Executor, { trunk_id }: PhoneNumber): Promise<CallFiles> {
      return {
        recording: recordings.newName(),
        isCaptured: trunk_id !== null && (await isCaptured(executor, trunk_id)),
      };
    },

    /** Null if the agent's texts became too long: the agent was changed after the call was created. */
    request(planned: PlannedCall): CallRequest | null {
      const { organisation, call, agent, number, recorded, pronunciations, servers, files } = planned;
      const { timeZone, branchName } = planned;
      const { lines: calleeLines, known: additionalInfo } = calleeLinesOf(additionalInfoOf(call), config);
      const words = agentWords(agent, { additionalInfo, contactName: call.contact_name, branchName });
      if (!words) return null;
      const mode = modeOf(config, planned);
      return {
        line: {
          callId: call.id,
          trunkId: number.trunk_id,
          from: number.number,
          to: call.contact_number,
          recordingFile: mode === "off" ? null : recordings.pathOf(files.recording),
          ...(calleeLines && { calleeLines }),
          ...(recordings.newKey && { fileKey: recordings.newKey }),
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
          notices: { hospital: organisation.name, callbackNumber: organisation.callback_number ?? number.number },
          recording: mode,
          ...(call.direction === "inbound" && isE164(call.contact_number) && { isCallerKnown: true }),
          ...consentQuestion(planned),
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

/** A callee who has agreed or refused is not asked again. The number of an inbound caller may be forged. */
function consentQuestion({ call, agent, consents }: PlannedCall): Pick<AgentBrief, "asksConsentFor"> {
  const { asks_consent_for: purpose } = agent;
  const isAsked = purpose !== null && call.direction === "outbound" && consents?.has(purpose) !== true;
  return isAsked ? { asksConsentFor: purpose } : {};
}

/** A refused call may have no number. */
export interface ModeQuestion extends Pick<PlannedCall, "organisation" | "call" | "agent" | "changes"> {
  number: PhoneNumber | null;
}

function modeOf(config: Config, { organisation, call, agent, number, changes }: ModeQuestion): RecordingMode {
  const { contact_number, contact_region: region } = call;
  // Consent to calls is none to a recording.
  const question = { number: contact_number, region, purpose: agent.purpose, hasConsent: false };
  return recordingModeFor({
    rules: recordingRule(question, number?.number ?? "", changes),
    appliance: config.recordings.mode,
    organisation: organisation.recording_mode,
    agent: agent.recording_mode,
  });
}

/** For the conversation: names and descriptions without types, which only the analysis needs. */
function detailsOf({ analysis_fields }: Agent): NonNullable<AgentBrief["details"]> {
  return analysis_fields.map(({ name, description }) => ({ name, description }));
}

/** Answers with their language; the agent's if none is set. */
function spokenAnswersOf(agent: Agent): NonNullable<AgentBrief["approvedAnswers"]> {
  return agent.approved_answers.map((one) => ({ ...one, language: one.language || agent.language }));
}

export type DialPlan = ReturnType<typeof createDialPlan>;
