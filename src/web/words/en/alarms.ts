// English texts of alarms.
export const alarms = {
  title: "Alarms",
  none: "No alarm is open.",
  past: "Past alarms",
  nonePast: "None in the last 90 days.",
  severity: "Severity",
  severities: { warning: "Warning", critical: "Alarm" },
  what: "What is wrong",
  since: "Since",
  from: "From",
  until: "Until",
  test: "Send test message",
  noMail: "Alarms are not sent by e-mail. The administrator of the appliance sets up mail.host and mail.alarms_to.",
  mailTo: (count: number) =>
    count === 1 ? "Alarms go to one e-mail address." : `Alarms go to ${count} e-mail addresses.`,
  tested: "The test message is on its way.",
};
