// Words that several pages share. Each page keeps its own beside it, as `words` in one object, so that all English can be
// found and translated.

export const common = {
  appName: "Ringward",
  save: "Save",
  cancel: "Cancel",
  close: "Close",
  delete: "Delete",
  edit: "Edit",
  add: "Add",
  search: "Search",
  loading: "Loading …",
  tryAgain: "Try again",
  more: "Show more",
  copy: "Copy",
  copied: "Copied",
  selected: "Selected: press Ctrl+C",
  none: "None",
  yes: "Yes",
  no: "No",
  shownOnce: "Keep this now: it cannot be shown again.",
  zoneNote: (zone: string) => `Times are shown in ${zone}.`,
} as const;

export const navigation = {
  overview: "Overview",
  calls: "Calls",
  calendar: "Calendar",
  agents: "Agents",
  developers: "Developers",
  settings: "Settings",
  signOut: "Sign out",
  skip: "Skip to content",
  menu: "Menu",
} as const;

export const callStates: Record<string, string> = {
  created: "Created",
  scheduled: "Scheduled",
  queued: "Waiting",
  initiated: "Dialling",
  ringing: "Ringing",
  in_progress: "Talking",
  completed: "Completed",
  failed: "Failed",
  cancelled: "Cancelled",
  disallowed: "Not allowed",
};

export const holdReasons: Record<string, string> = {
  waiting_for_line: "Waits for a free line",
  number_in_call: "This number is in another call",
  number_lines_busy: "All lines of the agent's numbers are busy",
  outside_calling_hours: "Outside the agent's calling hours",
  agent_has_no_number: "The agent has no phone number",
  number_has_no_trunk: "The agent's phone number is on no trunk",
  trunk_unavailable: "The trunk cannot take calls now",
  trunk_lines_busy: "All lines of the trunk are busy",
  overloaded: "This machine has as many calls as it can carry, or is still loading its voice",
  restored_from_backup:
    "Was due before a backup was restored. Cancel it here, or release it with “ringward calls release”",
};

/** A webhook delivery's. */
export const deliveryStates: Record<string, string> = {
  pending: "Waiting",
  delivered: "Delivered",
  exhausted: "Given up",
  held: "Held",
};

export const appointmentStates: Record<string, string> = {
  confirmed: "Confirmed",
  completed: "Completed",
  cancelled: "Cancelled",
  no_show: "Did not come",
};

export const dispositions: Record<string, string> = {
  appointment_booked: "Appointment booked",
  transferred: "Transferred",
  not_interested: "Not interested",
  voicemail: "Voicemail",
  callback_scheduled: "Callback agreed",
  ended_by_customer: "Hung up by the contact",
  session_ended: "Talked to the end",
};
