// A starting point of the library: an agent that a hospital takes and changes.
import type { AnalysisField, FieldType } from "../../payloads/analysis-field.ts";
import type { AgentInput } from "../checked-agent.ts";

export interface StartingPoint {
  /** `agents create --from ID`. */
  id: string;
  title: string;
  /** What it is for, in a sentence. */
  about: string;
  /**
   * What has to come with each call in additional_info, and what it means. {{hospital}} is known; see known-values.ts.
   */
  needs: readonly { name: string; meaning: string }[];
  agent: Partial<AgentInput>;
}

/** A field to find out, in a line. */
export function field(
  name: string,
  type: FieldType,
  description: string,
  choices: readonly string[] = [],
): AnalysisField {
  return { name, type, description, choices: [...choices] };
}

/** Nobody is called early, late or on a Sunday. */
export const DAYTIME = { start: "09:30", end: "18:30", days: [1, 2, 3, 4, 5, 6] };

/** How every agent of the library behaves on the telephone; its own task stands before it. */
export const MANNERS = `How you speak
- Short sentences, one question at a time, plain words. Many of the people you call are old, unwell or in a hurry.
- Let people finish. If you did not understand, say so and ask again once. If it still does not work, offer that a person calls back.
- Speak the language in which you are answered, if you can.
- Nobody but {{user_name}} hears what the call is about. If somebody else answers, ask when {{user_name}} can be reached, and say no more.

What you do not do
- You give no medical advice, no diagnosis, no dose and no price. Note the question and say that the hospital will call back.
- You do not argue or persuade. A no is a no.
- If anybody is in danger, tell them to call the emergency number at once, and pass the call on to a person.`;
