// Preview of the exact prompt that a language model gets before its first answer on a call of an agent, with sample
// values.
import { checkedModelSpeech } from "../agents/approved-answers.ts";
import { knownNamesIn } from "../agents/known-values.ts";
import { knownValuesOf } from "../agents/store.ts";
import { assertRenderable, renderTemplate } from "../agents/template.ts";
import { branchNameOf, zoneOf } from "../calendar/directory-store.ts";
import { knownFacts, templateValues } from "../calls/call/template-values.ts";
import type { Clock } from "../core/clock.ts";
import { wallTime } from "../core/zones.ts";
import type { Database } from "../db/database.ts";
import type { ApprovedAnswer } from "../payloads/approved-answer.ts";
import { answersFor } from "../voice/model-led/approved.ts";
import { firstMoment, promptFor } from "../voice/model-led/prompt.ts";
import { toolsFor } from "../voice/model-led/tools.ts";

export interface PreviewedAgent {
  type: string;
  name: string;
  language: string;
  prompt: string;
  greeting: string;
  branch_id: string | null;
  transfer_to: string | null;
  analysis_fields?: readonly { name: string; description: string }[];
  model_speech?: string;
  approved_answers?: readonly ApprovedAnswer[];
}

export interface PromptPreviewed {
  messages: { role: string; content: string }[];
  /** Tools available at this point of the call. */
  tools: { name: string; description: string; parameters: Record<string, unknown> }[];
}

/** Values that come from the call's own fields, not from additional_info. */
const NAMES = new Set(["user_name", "contact_name", "agent_name"]);

export function createPromptPreview({ db, clock }: { db: Database; clock: Clock }) {
  return async (
    organisationId: string,
    agent: PreviewedAgent,
    values: Readonly<Record<string, unknown>>,
  ): Promise<PromptPreviewed> => {
    assertRenderable("prompt", agent.prompt, agent.name);
    const timeZone = await zoneOf(db.reader, organisationId, agent.branch_id ?? "");
    const contactName = text(values["user_name"]) ?? text(values["contact_name"]);
    const additionalInfo = Object.fromEntries(Object.entries(values).filter(([name]) => !NAMES.has(name)));
    const branchName = await branchNameOf(db.reader, organisationId, agent.branch_id ?? "");
    const isNamed = knownNamesIn(agent).length > 0;
    const known = isNamed ? await knownValuesOf(db.reader, organisationId, agent.branch_id) : undefined;
    const filled = templateValues({ additionalInfo, contactName, agentName: agent.name, known });
    const { date, minuteOfDay } = wallTime(clock.now(), timeZone);
    const standing = {
      canBook: agent.branch_id !== null,
      canTransfer: agent.transfer_to !== null,
      isOutbound: agent.type === "outbound",
    };
    const moment = {
      ...firstMoment({ date, time: clockTime(minuteOfDay) }, standing),
      said: [{ speaker: "agent", text: renderTemplate(agent.greeting, filled, "greeting").text }],
    };
    const brief = {
      agentName: agent.name,
      language: agent.language,
      prompt: renderTemplate(agent.prompt, filled, "prompt").text,
      promptTemplate: agent.prompt,
      contactName,
      additionalInfo: { ...additionalInfo, ...knownFacts({ additionalInfo, known }) },
      timeZone,
      branchName,
      details: agent.analysis_fields ?? [],
      modelSpeech: checkedModelSpeech(agent.model_speech ?? "chosen"),
      approvedAnswers: (agent.approved_answers ?? []).map((one) => ({
        ...one,
        language: one.language || agent.language,
      })),
    };
    const standingThen = { ...moment.standing, answers: answersFor(brief), details: brief.details };
    return {
      messages: promptFor(brief, moment).map(({ role, content }) => ({ role, content })),
      tools: toolsFor(standingThen).map(({ name, description, parameters }) => ({ name, description, parameters })),
    };
  };
}

export type PromptPreview = ReturnType<typeof createPromptPreview>;

function text(value: unknown): string | null {
  return typeof value === "string" && value !== "" ? value : null;
}

function clockTime(minuteOfDay: number): string {
  return `${String(Math.floor(minuteOfDay / 60)).padStart(2, "0")}:${String(minuteOfDay % 60).padStart(2, "0")}`;
}
