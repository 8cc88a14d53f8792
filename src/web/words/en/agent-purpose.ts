// English texts of an agent's purpose.

export const agentPurpose = {
  title: "Purpose",
  purpose: "Why it calls",
  purposes: {
    transactional: "Transactional",
    service: "Service",
    promotional: "Promotional",
  } as Record<string, string>,
  hints: {
    transactional: "About something the patient just did or asked for, such as a booking or a call back.",
    service: "About the patient's own care: reminders, preparation, follow-up, feedback on a visit.",
    promotional:
      "Camps, packages and offers. Each number needs consent, and in India a caller ID of the 140 series. A registry's refusal stops the call.",
  } as Record<string, string>,
  reason: "Reason why it is not promotional any more",
  reasonHint: "10 to 500 characters, recorded. Only an owner may make this change.",
  noSeries:
    "None of this agent's calls shows a number of the 140 series (+91140…). Its calls to India wait until one does: assign such a number, and set no other caller ID on its trunk.",
  asksConsent: "Ask for consent to further calls",
  asksNothing: "Do not ask",
  asksHint: (question: string) =>
    `Before the goodbye of an outbound call: “${question}” Asked only if nothing is recorded for the number.`,
  asksNothingHint: "Before the goodbye, it can ask whether further calls are welcome.",
  questions: {
    transactional: "May our automatic assistant call you about your bookings and requests?",
    service: "May our automatic assistant call you about your care, such as reminders and check-ups?",
    promotional: "May our automatic assistant call you about health camps, packages and offers?",
  } as Record<string, string>,
  entity: "DLT entity ID",
  entityHint: "India only: digits from your operator's DLT platform. Leave empty if you have none.",
  template: "DLT template ID",
  templateHint: "India only: the registered template of what it says.",
};
