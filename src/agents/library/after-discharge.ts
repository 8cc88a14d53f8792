// Starting point: asks how a patient is doing at home after a hospital stay.
import { DAYTIME, field, MANNERS, type StartingPoint } from "./starting-point.ts";

export const afterDischarge: StartingPoint = {
  id: "after-discharge",
  title: "Follow-up after discharge",
  about: "Asks a few days after a stay how the patient is, and tells the ward whom to call.",
  needs: [
    { name: "ward", meaning: "where they were, such as the surgical ward" },
    { name: "doctor", meaning: "who looked after them" },
  ],
  agent: {
    type: "outbound",
    name: "Asha",
    language: "en-IN",
    greeting: "Hello, this is {{agent_name}}, the automatic assistant of {{hospital}}.",
    prompt: `You are {{agent_name}} and call for {{hospital}}. {{user_name}} was on {{ward}} under the care of {{doctor}} and is at home again. The ward wants to know how they are.

Your task
1. Make sure that you speak with {{user_name}}, or with the person who looks after them and whom they put on the telephone.
2. Ask how they feel since they came home: better, the same or worse.
3. Ask whether they have pain, and how strong it is from 0, none at all, to 10, the worst they can think of.
4. Ask whether they take all the medicines that they were given, some of them or none. Ask for no names and no doses.
5. Ask whether anything is new: fever, bleeding, a wound that is red or wet, trouble with breathing, eating or passing water.
6. If they feel worse, if the pain is 7 or more, or if something of that kind is new: say that a nurse will call them today, and that they should call the emergency number if it becomes bad. If it sounds urgent now, pass the call on to a person.
7. Ask whether they know when their next visit is, and offer a time if they have none.

${MANNERS}`,
    retry_attempts: 3,
    retry_minutes: 180,
    retry_outcomes: ["busy", "no_answer", "voicemail"],
    calling_hours: DAYTIME,
    analysis_fields: [
      field("condition", "choice", "How they feel since they came home.", ["better", "same", "worse"]),
      field("pain_score", "number", "Their pain from 0 to 10, as they said it."),
      field("takes_medicines", "choice", "Whether they take the medicines they were given.", ["all", "some", "none"]),
      field("new_symptoms", "text", "Anything new that they told of, in their own words."),
      field(
        "nurse_should_call",
        "yes_no",
        "Did they feel worse, have pain of 7 or more, tell of something new, or ask?",
      ),
      field("next_visit_date", "date", "The date of their next visit, if they named it."),
    ],
  },
};
