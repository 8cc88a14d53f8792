// Summary of a call that went to a person: whether the contact asked for it, or the agent gave up.
import { expect, test } from "bun:test";
import { analyseTalk } from "../../../src/voice/conversation/result.ts";
import type { AgentBrief } from "../../../src/voice/port.ts";
import { Talk } from "./talk.ts";

const BRIEF: AgentBrief = {
  agentName: "City Clinic",
  contactName: "Asha",
  direction: "outbound",
  language: "en",
  voice: "emma",
  prompt: "",
  greeting: "",
  additionalInfo: {},
  timeZone: "Asia/Kolkata",
  transferTo: "+919800000000",
  desk: null,
};

const summaryOf = ({ state }: Talk) =>
  analyseTalk(BRIEF, {
    state,
    by: "us",
    keys: "",
    wordsHeard: 3,
    unrecognised: 0,
    isLost: false,
    hasSpoken: true,
    canTransfer: true,
    isByKeys: false,
  }).summary;

const mumbles = () => new Talk().identified().means({}).hears().means({}).hears().means({}).hears();
const asks = () => new Talk().identified().says("person").hears();

test.each([
  ["answered", "The call was transferred."],
  ["handed_over", "The exchange took over the call and did not report whether it was answered."],
] as const)("a transfer that was %s is told with its reason", (outcome, end) => {
  expect(summaryOf(asks().event({ type: "transferred", outcome }))).toBe(
    `City Clinic called the contact. The contact asked for a person. ${end}`,
  );
  expect(summaryOf(mumbles().event({ type: "transferred", outcome }))).toBe(
    `City Clinic called the contact. The agent did not understand the contact. ${end}`,
  );
});
