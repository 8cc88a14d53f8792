// English texts of recording modes and of what came of a recording.

export const recordingMode = {
  title: "Recording",
  label: "How calls are recorded",
  modes: {
    announce: "Announce",
    ask: "Ask first",
    off: "Do not record",
  } as Record<string, string>,
  hints: {
    announce: "The agent says that the call is recorded, and the recording starts then.",
    ask: "The recording starts after the callee's yes, by word or key. After a no the call continues without it.",
    off: "Nothing is recorded.",
  } as Record<string, string>,
  asAppliance: (mode: string) => `As this appliance: ${mode}`,
  asOrganisation: (mode: string) => `As the organisation: ${mode}`,
  effective: (mode: string) => `In effect: ${mode}. The strictest setting applies.`,
  rules: "Some states and countries demand more: there the agent asks first, whatever is set here.",
  keptDays: (days: number) => `Recordings are removed after ${days === 1 ? "1 day" : `${days} days`}.`,
  fact: "Recording",
  consents: {
    given: "the callee agreed",
    refused: "the callee refused",
    withdrawn: "the callee withdrew their consent",
  } as Record<string, string>,
  noAnswer: "the callee gave no answer",
  from: (clock: string) => `recorded from ${clock}`,
  between: (from: string, until: string) => `recorded from ${from} to ${until}`,
  notRecorded: {
    off: "This call was not recorded: recording is off for it.",
    refused: "This call was not recorded: the callee refused.",
    noAnswer: "This call was not recorded: the callee did not answer whether it may be.",
    notAnnounced: "This call was not recorded: it ended before the announcement did.",
  },
  expired: (day: string) => `The recording was removed on ${day}, when its retention ended.`,
  notices: {
    title: "Notices",
    caller: "Who calls",
    automatic: "Automatic voice",
    recording: "Recording",
    callback: "Number to call back",
    stop: "How to stop these calls",
  } as Record<string, string>,
  heardAt: (clock: string) => `heard at ${clock}`,
  cutOff: "cut off",
};
