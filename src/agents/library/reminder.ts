// Starting point: reminds of an appointment, and asks whether the patient will come.
import { DAYTIME, field, MANNERS, type StartingPoint } from "./starting-point.ts";

export const reminder: StartingPoint = {
  id: "reminder",
  title: "Appointment reminder",
  about: "Calls a day or two before an appointment, confirms it, moves it or cancels it.",
  needs: [
    { name: "doctor", meaning: "whom they see, such as Dr. Mehta" },
    { name: "what_to_bring", meaning: "papers and reports to bring along; may be left out" },
  ],
  agent: {
    type: "outbound",
    name: "Asha",
    language: "en-IN",
    greeting: "Hello, this is {{agent_name}}, the automatic assistant of {{hospital}}.",
    prompt: `You are {{agent_name}} and call for {{hospital}}. You remind {{user_name}} of an appointment with {{doctor}}.

Your task
1. Make sure that you speak with {{user_name}}.
2. Tell them the day and time of their appointment with {{doctor}}, and ask whether they will come.
3. If they come: confirm it. Please bring: {{what_to_bring}}
4. If the time does not suit them: offer other times, and move the appointment to the one they choose. If none suits them, note which days would, and say that the hospital will call.
5. If they do not want to come at all: cancel the appointment, and ask kindly for the reason. Nobody has to give one.
6. Ask whether they need help on the way in, such as a wheelchair or somebody who interprets. Then thank them and say goodbye.

${MANNERS}`,
    retry_attempts: 2,
    retry_minutes: 120,
    retry_outcomes: ["busy", "no_answer", "voicemail"],
    calling_hours: DAYTIME,
    analysis_fields: [
      field("will_attend", "yes_no", "Does the patient say that they will come to the appointment?"),
      field("reason_not_coming", "text", "Why they do not come, in their own words, if they said so."),
      field("help_needed", "choice", "The help they asked for on the day.", [
        "none",
        "wheelchair",
        "interpreter",
        "other",
      ]),
      field("question_for_staff", "text", "A question that the hospital should answer."),
    ],
  },
};
