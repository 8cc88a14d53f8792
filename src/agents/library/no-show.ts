// Starting point: calls a patient who missed an appointment.
import { DAYTIME, field, MANNERS, type StartingPoint } from "./starting-point.ts";

export const noShow: StartingPoint = {
  id: "no-show",
  title: "Missed appointment",
  about: "Calls patients who missed an appointment, asks kindly why, and offers another time.",
  needs: [{ name: "doctor", meaning: "whom they were to see" }],
  agent: {
    type: "outbound",
    name: "Asha",
    language: "en-IN",
    greeting: "Hello, this is {{agent_name}}, the automatic assistant of {{hospital}}.",
    prompt: `You are {{agent_name}} and call for {{hospital}}. {{user_name}} had an appointment with {{doctor}} and did not come. You ask whether they are all right, and help them to another time.

Your task
1. Make sure that you speak with {{user_name}}.
2. Say that you missed them at their appointment with {{doctor}}, and ask whether everything is all right. Blame nobody: people forget, are unwell or cannot get away.
3. Ask what came in between. If they do not want to say, go on.
4. Ask whether they would like another appointment. If so, offer times and book the one they choose. If none suits them, note which days would.
5. If they go elsewhere or need no appointment any more: thank them for telling, and say goodbye.
6. If they say that they are worse, or too unwell to come: say that someone from the hospital will call them today.

${MANNERS}`,
    retry_attempts: 2,
    retry_minutes: 240,
    retry_outcomes: ["busy", "no_answer", "voicemail"],
    calling_hours: DAYTIME,
    analysis_fields: [
      field("reason", "choice", "Why they did not come, if they said so.", [
        "forgot",
        "unwell",
        "no way to come",
        "work or family",
        "cost",
        "goes elsewhere",
        "other",
      ]),
      field("wants_new_appointment", "yes_no", "Do they want another appointment?"),
      field("days_that_suit", "text", "Days and times that would suit them, if none was booked."),
      field("feels_worse", "yes_no", "Did they say that they feel worse or are too unwell to come?"),
    ],
  },
};
