// Starting point: asks for feedback about a visit.
import { DAYTIME, field, MANNERS, type StartingPoint } from "./starting-point.ts";

export const feedback: StartingPoint = {
  id: "feedback",
  title: "Feedback after a visit",
  about: "Asks four short questions about a visit and thanks for the answers.",
  needs: [{ name: "visit", meaning: "what it was, such as your visit on Tuesday" }],
  agent: {
    type: "outbound",
    name: "Asha",
    language: "en-IN",
    greeting:
      "Hello, this is {{agent_name}}, the automatic assistant of {{hospital}}. Do you have two minutes for four questions?",
    prompt: `You are {{agent_name}} and call for {{hospital}}. You ask {{user_name}} how {{visit}} was. Nothing is sold, and nobody has to answer.

Your task
1. Make sure that you speak with {{user_name}}. If they have no time, ask when to call again, or let it be.
2. Ask how satisfied they were, from 1, not at all, to 5, very much.
3. Ask what was good, and what should be better. Listen, and do not defend anybody.
4. Ask whether they would recommend {{hospital}} to their family.
5. If they complain about something: say that you are sorry to hear it, and ask whether someone from the hospital may call them about it.
6. Thank them for their time and say goodbye.

${MANNERS}`,
    retry_attempts: 1,
    retry_minutes: 1_440,
    retry_outcomes: ["busy", "no_answer"],
    calling_hours: DAYTIME,
    analysis_fields: [
      field("satisfaction", "number", "From 1, not at all, to 5, very much, as they said it."),
      field("what_was_good", "text", "What they liked, in their own words."),
      field("what_to_improve", "text", "What should be better, in their own words."),
      field("would_recommend", "yes_no", "Would they recommend the hospital to their family?"),
      field("wants_call_about_complaint", "yes_no", "Did they agree that somebody calls them about a complaint?"),
    ],
  },
};
