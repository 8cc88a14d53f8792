// English texts of reminders.
import { formatNumber } from "../../format.ts";

export const reminders = {
  tab: "Reminders",
  rules: "Rules",
  newRule: "New rule",
  noRules:
    "No rules yet. A rule calls everyone booked at a branch or for a service, the day before or some hours before.",
  changeRule: "Change rule",
  on: "On",
  off: "Off",
  switchOn: "Switch on",
  switchOff: "Switch off",
  switchedOn: "The rule is on.",
  switchedOff: "The rule is off. The calls it had planned are withdrawn.",
  remove: "Remove rule",
  removed: "The rule was removed. The calls it had planned are withdrawn.",
  saved: "The rule was saved.",
  actionFor: (action: string, rule: string) => `${action}: ${rule}`,
  waiting: (people: number, first: string) =>
    people === 1 ? `1 person to call, ${first}` : `${formatNumber(people)} people to call, the first ${first}`,
  nobodyWaits: "Nobody to call",
  planning: "Being applied to the appointments …",

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
  timings: { day_before: "At a set time, days before", hours_before: "Some hours before" },
  daysBefore: "Days before",
  at: "At",
  hours: "Hours before",
  hoursHint: "Reminders that would fall at night go out the evening before.",
  agent: "Who calls",
  agentHint: "First add an agent that makes calls.",
  noNumber: (name: string) => `${name} (has no number yet)`,
  isOn: "On",
  placeholders: "What the agent's text needs",
  placeholdersNote: "Choose what fills each placeholder in the agent's text.",
  sources: {
    "": "Nothing",
    date: "Date of the appointment",
    time: "Time of the appointment",
    date_and_time: "Date and time",
    service: "Service or doctor",
    branch: "Branch",
    name: "Patient's name",
    text: "Fixed text:",
  },
  textFor: (name: string) => `Text for ${name}`,
  more: "Tries, hours and exceptions",
  tries: "Tries",
  retryMinutes: "Minutes between tries",
  callFrom: "Call from",
  callTo: "Call until",
  settleHours: "Skip anyone who booked within (hours)",
  settleHint: "Before the reminder is due, by phone or at the desk.",
  skipConfirmed: "Skip anyone who has already confirmed",

  next: "Called next",
  noNext: "Nobody is due a call.",
  past: "History",
  noPast: "No reminders yet.",
  who: "Patient",
  appointment: "Appointment",
  calledAt: "Called at",
  state: "State",
  outcome: "Outcome",
  how: "Started by",
  byHand: "A person",
  byRule: "A rule",
  triesMade: (count: number) => (count === 1 ? "1 try" : `${formatNumber(count)} tries`),
  toCall: "Open the call",
  when: "When",
  missingNumber: "No phone number",

  remind: "Remind",
  remindDay: "Remind this day",
  remindTitle: "Remind by phone",
  remindNote: "They are called now, as lines and calling hours allow, and can confirm, move or cancel.",
  asRule: "As the rule says",
  choose: "Who is called",
  skipThem: "Skip anyone who has already confirmed",
  will: (people: number) =>
    people === 0
      ? "Nobody will be called."
      : people === 1
        ? "1 person will be called."
        : `${formatNumber(people)} people will be called.`,
  skipped: {
    not_expected: (n: number) => `${formatNumber(n)} cancelled or over.`,
    over: (n: number) => `${formatNumber(n)} already started.`,
    day_closed: (n: number) =>
      n === 1
        ? "1 is moved or called because the day is closed."
        : `${formatNumber(n)} are moved or called because the day is closed.`,
    no_number: (n: number) => (n === 1 ? "1 has no phone number." : `${formatNumber(n)} have no phone number.`),
    do_not_disturb: (n: number) =>
      n === 1 ? "1 does not want to be called." : `${formatNumber(n)} do not want to be called.`,
    under_way: (n: number) => (n === 1 ? "1 is already being called." : `${formatNumber(n)} are already being called.`),
    confirmed: (n: number) => (n === 1 ? "1 has confirmed." : `${formatNumber(n)} have confirmed.`),
  },
  callNow: (people: number) => (people === 1 ? "Call 1 person now" : `Call ${formatNumber(people)} people now`),
  reminded: (people: number) =>
    people === 1 ? "1 person is called now." : `${formatNumber(people)} people are called now.`,

  confirmedAt: "Confirmed by phone",
  movedAt: "Moved by phone",
  cancelledAt: "Cancelled by phone",
  changeRequestedAt: "Wants another time since",

  states: { pending: "Waiting", calling: "Being called", done: "Done", cancelled: "Withdrawn" },
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
    no_credits: "Not enough credits",
    refused: "Could not be called",
    too_late: "Too late",
    already_confirmed: "Had already confirmed",
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
