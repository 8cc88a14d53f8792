// Test numbers: the last four digits of the number decide the course of a simulated call, like test card numbers.
import type { FailureCode } from "../port.ts";
import { CALLEES, sayingLines, type Callee } from "./callee.ts";

export type Course =
  | {
      kind: "fails";
      /** Null: the call fails before it rings. */
      ringSeconds: number | null;
      code: FailureCode;
      message: string;
      /** The failure says nothing about the callee. */
      putBack?: true;
    }
  | { kind: "talks"; ringSeconds: number; callee: Callee };

export interface SimulatedOutcome {
  lastFourDigits: string;
  description: string;
  course: Course;
}

const USUAL_RING_SECONDS = 4;
const NO_ANSWER_RING_SECONDS = 30;
const VOICEMAIL_RING_SECONDS = 12;
const LONG_RING_SECONDS = 25;

const fails = (code: FailureCode, message: string, ringSeconds: number | null = null): Course => ({
  kind: "fails",
  ringSeconds,
  code,
  message,
});

const talks = (callee: Callee, ringSeconds: number = USUAL_RING_SECONDS): Course => ({
  kind: "talks",
  ringSeconds,
  callee,
});

export const SIMULATED_OUTCOMES: readonly SimulatedOutcome[] = [
  { lastFourDigits: "0001", description: "The line is busy.", course: fails("busy", "The line is busy.") },
  {
    lastFourDigits: "0002",
    description: `Rings for ${NO_ANSWER_RING_SECONDS} seconds without an answer.`,
    course: fails("no_answer", "Nobody answered.", NO_ANSWER_RING_SECONDS),
  },
  {
    lastFourDigits: "0003",
    description: "The number does not exist.",
    course: fails("invalid_number", "The number does not exist. Check it with the contact."),
  },
  {
    lastFourDigits: "0004",
    description: "The carrier fails to place the call.",
    course: fails("carrier_error", "The carrier could not place the call. Try again later."),
  },
  {
    lastFourDigits: "0005",
    description: "A voicemail answers.",
    course: talks(CALLEES.voicemail, VOICEMAIL_RING_SECONDS),
  },
  { lastFourDigits: "0006", description: "Answers, and is not interested.", course: talks(CALLEES.notInterested) },
  { lastFourDigits: "0007", description: "Answers, and agrees on a callback.", course: talks(CALLEES.busyNow) },
  {
    lastFourDigits: "0008",
    description: "Answers, and is transferred to a person.",
    course: talks(CALLEES.wantsPerson),
  },
  { lastFourDigits: "0009", description: "Answers, and soon hangs up.", course: talks(CALLEES.inHurry) },
  {
    lastFourDigits: "0010",
    description: `Rings for ${LONG_RING_SECONDS} seconds, then talks to the end.`,
    course: talks(CALLEES.agreeable, LONG_RING_SECONDS),
  },
  {
    lastFourDigits: "0011",
    description: "Answers, and does not want to be called any more.",
    course: talks(CALLEES.wantsPeace),
  },
];

/** Last four digits of the callee who speaks the lines given with the call. */
export const SPEAKS_GIVEN_LINES = "0012";

const SCRIPTED = {
  lastFourDigits: SPEAKS_GIVEN_LINES,
  description:
    "Answers, and says the texts of `additional_info.simulated_callee_says`, one after each turn of the agent, then stays silent. It is a list of 1 to 20 texts of at most 500 characters.",
};

const ANY_OTHER_NUMBER = {
  description: "Answers, and talks to the end.",
  course: talks(CALLEES.agreeable),
} as const;

const courses = new Map(SIMULATED_OUTCOMES.map(({ lastFourDigits, course }) => [lastFourDigits, course]));

export function courseFor(number: string, calleeLines: readonly string[] = []): Course {
  if (number.endsWith(SPEAKS_GIVEN_LINES)) return talks(sayingLines(calleeLines));
  return courses.get(number.slice(-4)) ?? ANY_OTHER_NUMBER.course;
}

/** For the API documentation, like a payment provider's test card numbers. */
export function testNumberTable(): string {
  const rows = [...SIMULATED_OUTCOMES, SCRIPTED].map(
    ({ lastFourDigits, description }) => `| …${lastFourDigits} | ${description} |`,
  );
  return [
    "| number ends in | what happens |",
    "|---|---|",
    ...rows,
    `| anything else | ${ANY_OTHER_NUMBER.description} |`,
  ].join("\n");
}
