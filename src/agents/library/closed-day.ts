// Starting point: tells a patient that their day is closed, and finds another time. Closing a day supplies all its
// values.
import { DAYTIME, field, MANNERS, type StartingPoint } from "./starting-point.ts";

export const closedDay: StartingPoint = {
  id: "closed-day",
  title: "We are closed that day",
  about: "Calls patients booked on a day that you close, tells them, and offers another time.",
  needs: [
    {
      name: "closed_for",
      meaning: "why you are closed, such as Diwali; closing a day gives the reason that you wrote",
    },
  ],
  agent: {
    type: "outbound",
    name: "Asha",
    language: "en-IN",
    greeting: "Hello, this is {{agent_name}}, the automatic assistant of {{hospital}}.",
    prompt: `You are {{agent_name}} and call for {{hospital}}. {{user_name}} has an appointment on a day on which you are closed. You tell them so that they do not come for nothing, and help them to another time.

Your task
1. Make sure that you speak with {{user_name}}.
2. Tell them the day and time of their appointment, that you are closed on that day, and that you are sorry. The reason, if they ask: {{closed_for}}
3. Make sure that they have understood that the hospital is closed on that day.
4. Offer other times, and move the appointment to the one they choose. Say the new day and time once more.
5. If none suits them: note which days would, and say that the hospital will call.
6. If they do not want another time: cancel the appointment, and thank them.
7. If they say that they cannot wait, or feel worse: say that someone from the hospital will call them today.

${MANNERS}`,
    retry_attempts: 3,
    retry_minutes: 120,
    retry_outcomes: ["busy", "no_answer", "voicemail"],
    calling_hours: DAYTIME,
    analysis_fields: [
      field("knows_closed", "yes_no", "Do they know now that they must not come on that day?"),
      field("new_time", "choice", "What became of their appointment.", ["moved", "cancelled", "open"]),
      field("days_that_suit", "text", "Days and times that would suit them, if none was booked."),
      field("cannot_wait", "yes_no", "Did they say that they cannot wait or feel worse?"),
    ],
  },
};
