// What a carrier is told of one call, whoever made it: the agent's words filled in, its prompts, the desk and the files.
import { renderTemplate } from "../agents/template.ts";
import type { AgentRow, CallRow, Executor, PhoneNumberRow } from "../db/tables.ts";
import type { BookingDesk, DialRequest, PromptRef } from "../telephony/port.ts";
import { additionalInfoOf } from "./new-call.ts";
import { templateValues } from "./template-values.ts";

export interface CallFiles {
  /** A name, not a path. The name of the capture follows from it. */
  recording: string;
  isCaptured: boolean;
}

export interface PlannedCall {
  call: CallRow;
  agent: AgentRow;
  number: PhoneNumberRow;
  prompts: readonly PromptRef[];
  files: CallFiles;
}

export interface DialPlanDeps {
  recordings: { newName(): string; pathOf(name: string): string };
  captures: { pathOf(name: string): string };
  /** The agent's place at the calendar. */
  deskFor: (call: CallRow, agent: AgentRow) => BookingDesk | null;
  promptsOf: (executor: Executor, agentId: string) => Promise<PromptRef[]>;
  /** Whether somebody wants the packets of calls over this trunk now. */
  isCaptured: (executor: Executor, trunkId: string) => Promise<boolean>;
}

/** Found again by a recovery, which knows the recording alone. */
export function captureNameOf(recording: string): string {
  return recording.replace(/\.wav$/, ".pcap");
}

export function createDialPlan(deps: DialPlanDeps) {
  const { recordings, captures, deskFor, promptsOf, isCaptured } = deps;
  return {
    promptsOf,

    async files(executor: Executor, { trunk_id }: PhoneNumberRow): Promise<CallFiles> {
      return {
        recording: recordings.newName(),
        isCaptured: trunk_id !== null && (await isCaptured(executor, trunk_id)),
      };
    },

    request({ call, agent, number, prompts, files }: PlannedCall): DialRequest {
      const additionalInfo = additionalInfoOf(call);
      const values = templateValues({ additionalInfo, contactName: call.contact_name, agentName: agent.name });
      return {
        callId: call.id,
        trunkId: number.trunk_id,
        from: number.number,
        to: call.contact_number,
        agent: {
          name: agent.name,
          language: call.preferred_language ?? agent.language,
          ownLanguage: agent.language,
          voice: agent.voice,
          prompt: renderTemplate(agent.prompt, values).text,
          greeting: renderTemplate(agent.greeting, values).text,
          prompts,
          transferTo: agent.transfer_to,
        },
        contactName: call.contact_name,
        additionalInfo: additionalInfo ?? {},
        desk: deskFor(call, agent),
        recordingFile: recordings.pathOf(files.recording),
        captureFile: files.isCaptured ? captures.pathOf(captureNameOf(files.recording)) : null,
      };
    },
  };
}

export type DialPlan = ReturnType<typeof createDialPlan>;
