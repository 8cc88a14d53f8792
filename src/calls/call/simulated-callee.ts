// Replies of a simulated callee, sent with a call as additional_info.simulated_callee_says. Simulator only: on a real
// carrier the key is an ordinary value.
import type { Config } from "../../config/schema.ts";
import { invalidField } from "../../core/errors.ts";
import { SPEAKS_GIVEN_LINES } from "../../telephony/simulator/test-numbers.ts";

const KEY = "simulated_callee_says";
const MOST_LINES = 20;
const LONGEST_LINE = 500;

type Info = Readonly<Record<string, unknown>> | null;

const isSimulated = ({ telephony }: Config): boolean => telephony.carrier === "simulator";

export function assertCalleeLines(info: Info, number: string, config: Config): void {
  if (info === null || !Object.hasOwn(info, KEY) || !isSimulated(config)) return;
  if (!number.endsWith(SPEAKS_GIVEN_LINES))
    throw invalidField(
      "additional_info",
      `${KEY} works only with a number that ends in ${SPEAKS_GIVEN_LINES}. Use such a number, or remove the key.`,
    );
  const lines = info[KEY];
  const isFit = (line: unknown) => typeof line === "string" && line.trim() !== "" && line.length <= LONGEST_LINE;
  if (!Array.isArray(lines) || lines.length === 0 || lines.length > MOST_LINES || !lines.every(isFit))
    throw invalidField(
      "additional_info",
      `${KEY} must be a list of 1 to ${MOST_LINES} texts of 1 to ${LONGEST_LINE} characters each.`,
    );
}

/** The callee's replies, and the remaining values for the agent, which must not see the replies. */
export function calleeLinesOf(info: Info, config: Config): { lines: readonly string[] | null; known: Info } {
  if (info === null || !Object.hasOwn(info, KEY) || !isSimulated(config)) return { lines: null, known: info };
  const { [KEY]: given, ...known } = info;
  return { lines: Array.isArray(given) ? given.map(String).slice(0, MOST_LINES) : null, known };
}
