// English texts of the worklist.

export const today = {
  title: "Today",
  note: "What needs a person. Items disappear once they are settled.",
  nothing: "All clear. Anything that needs a person will appear here.",
  nothingOfKind: "Nothing open of this kind.",
  filter: "Show",
  all: "Everything",
  done: "Done",
  markDone: "Done",
  markDoneOf: (about: string) => `Done: ${about}`,
  doneBy: (name: string, time: string) => `Done by ${name}, ${time}`,
  undo: "Undo",
  undoOf: (about: string) => `Undo: ${about}`,
  callAgain: "Call again",
  callAgainDone: (time: string) => `The call is planned for ${time}.`,
  nextCall: (time: string) => `Next call ${time}`,
  openCall: "Open the call",
  openCalendar: "Open the calendar",
  openTrunk: "Check the trunks",
  openEndpoint: "Check the endpoints",
  openCampaign: "See the results",
  everybodyCalled: (count: string) => `All ${count} people on the list were called.`,
  notReached: (count: string, all: string) => `${count} of ${all} people on the list were not reached.`,
  allAgain: (count: string) => `Call all ${count} again`,
  allAgainDone: (count: string) => `${count} people are called again.`,
  seeThem: "See who",
  by: (agent: string) => `by ${agent}`,
  notices: {
    clock:
      "No calls go out because the machine's clock is not trusted. They continue as soon as the clock is right again, or when an administrator confirms it with “ringward clock confirm”.",
  } as Record<string, string>,
  heldCount: (count: string) => `Calls: ${count}`,
  heldWhy: {
    calls_held:
      "These calls were due before the database was put back to an older state. They may have been made already, so they wait for you. Campaigns are paused until you resume them.",
    calls_overdue: "These calls could not go out in time, so they wait for you.",
  },
  heldSee: "See the calls",
  heldDue: (time: string) => `due ${time}`,
  heldMore: (count: string) => `And ${count} more.`,
  heldRelease: "Release",
  heldCancel: "Cancel",
  heldReleaseAll: "Release all",
  heldCancelAll: "Cancel all",
  heldReleaseAsk: (count: string) =>
    count === "1"
      ? "1 call goes out, at the pace that the appliance's settings allow."
      : `${count} calls go out one after the other, at the pace that the appliance's settings allow.`,
  heldCancelAsk: (count: string) =>
    count === "1"
      ? "1 call is cancelled. It does not come back."
      : `${count} calls are cancelled. They do not come back.`,
  heldReleased: (count: string) =>
    count === "1" ? "Released: 1. It goes out in its turn." : `Released: ${count}. They go out one after the other.`,
  heldCancelled: (count: string) => `Cancelled: ${count}.`,
  kinds: {
    emergency: "May be an emergency",
    not_understood: "Was not understood",
    person_wanted: "Wants to talk to someone",
    another_time: "Wants another time",
    unfulfilled: "Request not met",
    call_failed: "Not reached",
    calls_held: "Calls held",
    calls_overdue: "Calls overdue",
    campaign_failed: "Many not reached",
    trunk_down: "Phone line down",
    endpoint_down: "Webhook off",
    campaign_finished: "Campaign finished",
  } as Record<string, string>,
  /** What happened: a note of the agent, or an error. */
  details: {
    emergency: "Said something that may be an emergency and was told to call the emergency number. Call them at once.",
    emergency_connected: "Said something that may be an emergency and was connected to a person.",
    emergency_handed_over:
      "Said something that may be an emergency and was transferred. It is not known whether anyone answered. Call them at once.",
    emergency_busy: "Said something that may be an emergency, and the desk was busy. Call them at once.",
    emergency_no_answer: "Said something that may be an emergency, and the desk did not answer. Call them at once.",
    emergency_refused: "Said something that may be an emergency, and the desk could not be reached. Call them at once.",
    emergency_gone: "Said something that may be an emergency, and nobody took the call. Call them at once.",
    emergency_no_desk:
      "Said something that may be an emergency, and there is nobody to transfer calls to. Call them at once.",
    emergency_hung_up:
      "Said something that may be an emergency and hung up before a person answered. Call them at once.",
    not_understood: "Spoke and was not understood. Listen to the recording and call them at once: they may need help.",
    person_wanted: "Asked for a person, but there was nobody to transfer the call to.",
    transfer_refused: "Asked for a person, but nobody took the call.",
    handed_over: "Asked for a person and was transferred. It is not known whether anyone answered.",
    change_requested: "Wants another time, but none was agreed.",
    nothing_open: "Wanted an appointment, but none was free.",
    name_missing: "Called us and got a place, but gave no name that was understood. Call them to ask for it.",
    not_saved: "Gave an answer that the calendar could not save.",
    unsettled: "The call ended before they finished answering.",
    wrong_number: "The number is wrong.",
    not_reached: "Somebody else answered.",
    machine_answered: "Went to voicemail. No message was left.",
    message_left: "Went to voicemail. A message was left.",
    busy: "The line was busy.",
    no_answer: "Nobody answered.",
    invalid_number: "The number does not exist.",
    rejected: "The call was declined.",
    interrupted: "The call was cut off.",
    carrier_error: "The line failed.",
    infrastructure_error: "Something failed on our side.",
    insufficient_credits: "There were not enough credits.",
  } as Record<string, string>,
};
