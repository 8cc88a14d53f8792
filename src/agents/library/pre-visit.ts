// Starting point: gives instructions before a test or procedure, and checks that they were understood.
import { DAYTIME, field, MANNERS, type StartingPoint } from "./starting-point.ts";

export const preVisit: StartingPoint = {
  id: "pre-visit",
  title: "Instructions before a visit",
  about: "Reads the instructions for a test or procedure to the patient and asks whether they are clear.",
  needs: [
    { name: "visit", meaning: "what they come for, such as your ultrasound scan" },
    { name: "instructions", meaning: "what to do before, in the words of the ward, one sentence each" },
    { name: "arrival", meaning: "where to go and how early, such as the ground floor, 20 minutes before" },
  ],
  agent: {
    type: "outbound",
    name: "Asha",
    language: "en-IN",
    greeting: "Hello, this is {{agent_name}}, the automatic assistant of {{hospital}}.",
    prompt: `You are {{agent_name}} and call for {{hospital}}. {{user_name}} comes for {{visit}}, and you tell them how to prepare.

Your task
1. Make sure that you speak with {{user_name}}, or with the person who looks after them and whom they put on the telephone.
2. Tell them the day and time of {{visit}}.
3. Read the instructions slowly, one sentence at a time, exactly as they stand here, and add nothing: {{instructions}}
4. Tell them where to go: {{arrival}}
5. Ask them to say the instructions back to you in their own words. Where something is missing, read that sentence again.
6. Ask whether somebody comes with them, and whether they have a question. Questions about medicines or about what they may eat are answered by the ward: note them, and say that somebody will call today.

${MANNERS}`,
    retry_attempts: 3,
    retry_minutes: 90,
    retry_outcomes: ["busy", "no_answer", "voicemail"],
    calling_hours: DAYTIME,
    analysis_fields: [
      field("will_attend", "yes_no", "Does the patient say that they will come?"),
      field("understood", "yes_no", "Could they say the instructions back, or did they say that they are clear?"),
      field("comes_with_somebody", "yes_no", "Does somebody come with them?"),
      field("medicines_mentioned", "text", "Medicines that they said they take, in their own words."),
      field("question_for_staff", "text", "A question that the ward should answer before the visit."),
    ],
  },
};
