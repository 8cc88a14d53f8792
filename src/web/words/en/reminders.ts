// English words of reminders.
import { formatNumber } from "../../format.ts";

export const reminders = {
  tab: "Reminders",
  rules: "Rules",
  newRule: "New rule",
  noRules:
    "No rule yet. A rule calls everybody booked at a branch or for a service, the day before or some hours before.",
  changeRule: "Change rule",
  on: "On",
  off: "Off",
  switchOn: "Switch on",
  switchOff: "Switch off",
  switchedOn: "The rule is on.",
  switchedOff: "The rule is off. Calls that were planned by it are taken back.",
  remove: "Remove rule",
  removed: "The rule is gone. Calls that were planned by it are taken back.",
  saved: "The rule is saved.",
  actionFor: (action: string, rule: string) => `${action}: ${rule}`,
  waiting: (people: number, first: string) =>
    people === 1
      ? `1 person waits, called ${first}`
      : `${formatNumber(people)} people wait, the first is called ${first}`,
  nobodyWaits: "Nobody waits to be called",
  planning: "Is being applied to the appointments …",

  everybody: "Every patient",
  ofService: (service: string) => `Every patient of ${service}`,
  atBranch: (branch: string) => ` at ${branch}`,
  isCalled: (who: string, when: string, agent: string, tries: number) =>
    `${who} is called ${when} by ${agent}${tries === 1 ? ", once" : `, up to ${tries} times`}.`,
  dayBefore: (at: string, days: number) => (days === 1 ? `at ${at} the day before` : `at ${at}, ${days} days before`),
  hoursBefore: (hours: number) => (hours === 1 ? "an hour before" : `${hours} hours before`),
  noAgent: "an agent",
  tomorrow: (people: number) =>
    people === 0
      ? "Tomorrow: nobody."
      : people === 1
        ? "Tomorrow: 1 person."
        : `Tomorrow: ${formatNumber(people)} people.`,
  tomorrowWithout: (count: number) =>
    count === 1 ? "1 more has no phone number." : `${formatNumber(count)} more have no phone number.`,

  branch: "Branch",
  allBranches: "All branches",
  service: "Service",
  allServices: "All services",
  timing: "When",
  timings: { day_before: "At an hour of a day before", hours_before: "Some hours before" },
  daysBefore: "Days before",
  at: "At",
  hours: "Hours before",
  hoursHint: "What falls into the night is called the evening before.",
  agent: "Who calls",
  agentHint: "Add an agent that calls people first.",
  noNumber: (name: string) => `${name} (has no number yet)`,
  isOn: "On",
  placeholders: "Words that the agent needs",
  placeholdersNote: "What stands for each of them in the agent's text.",
  sources: {
    "": "Nothing",
    date: "Date of the appointment",
    time: "Time of the appointment",
    date_and_time: "Date and time",
    service: "Service or doctor",
    branch: "Branch",
    name: "Patient's name",
    text: "These words:",
  },
  textFor: (name: string) => `Words for ${name}`,
  more: "Tries, hours and who is left out",
  tries: "Tries",
  retryMinutes: "Minutes between tries",
  callFrom: "Call from",
  callTo: "Call until",
  settleHours: "Leave out who booked within (hours)",
  settleHint: "Before the reminder's time, on the telephone or at the desk.",
  skipConfirmed: "Leave out who has confirmed already",

  next: "Called next",
  noNext: "Nobody is to be called.",
  past: "What happened",
  noPast: "No reminder has been made yet.",
  who: "Patient",
  appointment: "Appointment",
  calledAt: "Called at",
  state: "State",
  outcome: "Outcome",
  how: "Why",
  byHand: "By hand",
  byRule: "By rule",
  triesMade: (count: number) => (count === 1 ? "1 try" : `${formatNumber(count)} tries`),
  toCall: "Open the call",
  when: "When",
  missingNumber: "No phone number",

  remind: "Remind",
  remindDay: "Remind this day",
  remindTitle: "Remind by telephone",
  remindNote: "They are called now, as lines and calling hours allow, and can confirm, move or cancel.",
  asRule: "As the rule says",
  choose: "Who is called",
  skipThem: "Leave out who has confirmed already",
  will: (people: number) =>
    people === 0
      ? "Nobody will be called."
      : people === 1
        ? "1 person will be called."
        : `${formatNumber(people)} people will be called.`,
  skipped: {
    not_expected: (n: number) => `${formatNumber(n)} cancelled or over.`,
    over: (n: number) => `${formatNumber(n)} began already.`,
    no_number: (n: number) => (n === 1 ? "1 has no phone number." : `${formatNumber(n)} have no phone number.`),
    do_not_disturb: (n: number) =>
      n === 1 ? "1 does not want to be called." : `${formatNumber(n)} do not want to be called.`,
    under_way: (n: number) => (n === 1 ? "1 is being called already." : `${formatNumber(n)} are being called already.`),
    confirmed: (n: number) => (n === 1 ? "1 has confirmed." : `${formatNumber(n)} have confirmed.`),
  },
  callNow: (people: number) => (people === 1 ? "Call 1 person now" : `Call ${formatNumber(people)} people now`),
  reminded: (people: number) =>
    people === 1 ? "1 person is called now." : `${formatNumber(people)} people are called now.`,

  confirmedAt: "Confirmed by phone",
  movedAt: "Moved by phone",
  cancelledAt: "Cancelled by phone",
  changeRequestedAt: "Wants another time since",

  states: { pending: "Waits", calling: "Being called", done: "Done", cancelled: "Taken back" },
  outcomes: {
    confirmed: "Will come",
    moved: "Moved it",
    cancelled: "Cancelled it",
    change_requested: "Wants another time",
    reached: "Reached, no answer given",
    not_reached: "Not reached",
    no_number: "No phone number",
    do_not_disturb: "Does not want to be called",
    invalid_number: "Number cannot be called",
    no_credits: "Too few credits",
    refused: "Could not be called",
    too_late: "Too late",
    already_confirmed: "Had confirmed already",
    just_booked: "Had just booked",
    appointment_cancelled: "Appointment was cancelled",
    appointment_over: "Appointment was over",
    appointment_moved: "Appointment was moved",
    rule_changed: "Rule was changed",
    rule_off: "Rule was switched off",
    call_cancelled: "Call was cancelled",
    taken_back: "Reminded by hand instead",
    restored: "May have been called before a backup was restored",
  },
};
