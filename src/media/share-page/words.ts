// English texts of the public page of a call.
import type { SharedAppointment, SharedCall } from "../share-view.ts";
import type { CallAnalytics } from "../../payloads/conversation.ts";

type Status = SharedCall["call"]["status"];

const status: Readonly<Record<Status, string>> = {
  scheduled: "Scheduled",
  queued: "Waiting for a free line",
  initiated: "Being dialled",
  ringing: "Ringing",
  in_progress: "In progress",
  completed: "Completed",
  failed: "Not connected",
  cancelled: "Cancelled",
  disallowed: "Not placed",
};

/** Shown in place of a missing transcript. */
const noTranscript: Readonly<Record<Status, string>> = {
  scheduled: "This call has not started yet. Open this page again after it has ended.",
  queued: "This call has not started yet. Open this page again after it has ended.",
  initiated: "This call is under way. Open this page again after it has ended.",
  ringing: "This call is under way. Open this page again after it has ended.",
  in_progress: "This call is under way. Open this page again after it has ended.",
  completed: "There is no transcript of this call.",
  failed: "This call was not connected, so nothing was said.",
  cancelled: "This call was cancelled before it started.",
  disallowed: "This call was not placed.",
};

const disposition: Readonly<Record<CallAnalytics["disposition"], string>> = {
  appointment_booked: "An appointment was booked",
  transferred: "Passed on to a member of staff",
  not_interested: "Not interested",
  voicemail: "Reached a voicemail",
  callback_scheduled: "A callback was agreed",
  ended_by_customer: "The other side hung up early",
  session_ended: "Talked to the end",
};

const sentiment: Readonly<Record<CallAnalytics["sentiment"], string>> = {
  positive: "Positive",
  neutral: "Neutral",
  negative: "Negative",
};

const appointmentStatus: Readonly<Record<SharedAppointment["status"], string>> = {
  confirmed: "Confirmed",
  completed: "Completed",
  cancelled: "Cancelled",
  no_show: "Not attended",
};

export const ENGLISH = {
  status,
  noTranscript,
  disposition,
  sentiment,
  appointmentStatus,
  /** Without names, because messengers show a link's title to everyone in the conversation. */
  pageTitle: "Shared phone call",
  titleBetween: (agent: string, contact: string) => `Call between ${agent} and ${contact}`,
  titleWith: (name: string) => `Call with ${name}`,
  titleOfNobody: "Phone call",
  inZone: (time: string, zone: string) => `${time}\u00A0${zone}`,
  plannedFor: "Planned for",
  /** Filled in by the reader's browser. */
  localTime: "{time}, your time ({zone})",

  length: "Length",
  outgoing: "Outgoing, to",
  incoming: "Incoming, from",

  summary: "Summary",
  /** The rules write English; other languages translate it. */
  finding: (text: string): string => text,
  detailName: (_key: string, plain: string): string => plain,
  detailValue: (_key: string, value: string): string => value,
  outcome: "Outcome",
  mood: "Mood",
  nextSteps: "Next steps",
  byModel: "language model",

  appointment: "Appointment",
  appointmentHours: (from: string, to: string) => `${from} to ${to}, local time there`,
  batch: "Batch",

  details: "Noted during the call",
  yes: "Yes",
  no: "No",
  unknown: "Not stated",

  recording: "Recording",
  playFrom: "Play from ",
  backToLine: "Go to what is being said",

  transcript: "Transcript",
  seekHint: "Choose a line to hear it.",
  agent: "Agent",
  otherSide: { outbound: "Person called", inbound: "Caller" },
  lengths: { h: "h", min: "min", s: "s" },
  numberedSpeaker: (number: string) => `Speaker ${number}`,

  footer: "Anyone who has this link can open this page. Please pass it on with care.",

  invalidTitle: "This link is not valid any more",
  invalidText: "It may have expired, the call may have been deleted, or sharing may have been turned off.",
  invalidAdvice: "Ask the person who gave you the link for a new one.",
};

export type ShareWords = typeof ENGLISH;
