// A starting point of the library: an agent to be adapted by a hospital.
import type { AnalysisField, FieldType } from "../../payloads/analysis-field.ts";
import type { AgentInput } from "../checked-agent.ts";

export type StartingPointId = "reminder" | "pre-visit" | "after-discharge" | "feedback" | "no-show" | "closed-day";

export interface StartingPoint {
  /** As in `agents create --from ID`. */
  id: StartingPointId;
  title: string;
  /** Its purpose, in one sentence. */
  about: string;
  /**
   * Values that each call must supply in additional_info, with their meaning. {{hospital}} is known; see
   * known-values.ts.
   */
  needs: readonly { name: string; meaning: string }[];
  agent: Partial<AgentInput>;
}

/** The words of a starting point in another language. Rules, values and fields are those of the English one. */
export interface StartingPointWords {
  title: string;
  about: string;
  /** Meaning of each needed value, in the same order. */
  meanings: readonly string[];
  name: string;
  language: string;
  greeting: string;
  prompt: string;
  /** Description of each analysis field, in the same order. */
  descriptions: readonly string[];
}

export function inWords(point: StartingPoint, words: StartingPointWords): StartingPoint {
  const { title, about, meanings, descriptions, ...texts } = words;
  return {
    ...point,
    title,
    about,
    needs: point.needs.map((need, index) => ({ ...need, meaning: meanings[index] ?? need.meaning })),
    agent: {
      ...point.agent,
      ...texts,
      analysis_fields: (point.agent.analysis_fields ?? []).map((one, index) => ({
        ...one,
        description: descriptions[index] ?? one.description,
      })),
    },
  };
}

/** Shorthand for an analysis field. */
export function field(
  name: string,
  type: FieldType,
  description: string,
  choices: readonly string[] = [],
): AnalysisField {
  return { name, type, description, choices: [...choices] };
}

/** No calls early, late or on Sundays. */
export const DAYTIME = { start: "09:30", end: "18:30", days: [1, 2, 3, 4, 5, 6] };

/** Style rules shared by all starting points; the task of each precedes them. */
export const MANNERS = `How you speak
- Short sentences, one question at a time, plain words. Many of the people you call are old, unwell or in a hurry.
- Let people finish. If you did not understand, say so and ask again once. If it still does not work, offer that a person calls back.
- Speak the language in which you are answered, if you can.
- Nobody but {{user_name}} hears what the call is about. If somebody else answers, ask when {{user_name}} can be reached, and say no more.

What you do not do
- You give no medical advice, no diagnosis, no dose and no price. Note the question and say that the hospital will call back.
- You do not argue or persuade. A no is a no.
- If anybody is in danger, tell them to call the emergency number at once, and pass the call on to a person.`;
