// English texts of what a button says before it dials.
import { formatNumber } from "../../format.ts";

export const dialAhead = {
  label: "What this will do",
  laterOne: (time: string, zone: string) => `Goes out on ${time} (${zone}), not now.`,
  laterAll: (count: number, time: string, zone: string) =>
    `All ${formatNumber(count)} calls wait: the first goes out on ${time} (${zone}).`,
  laterSome: (now: number, later: number, time: string, zone: string) =>
    `${formatNumber(now)} go out at once. ${formatNumber(later)} wait: the first of them goes out on ${time} (${zone}).`,
  heldOne: "Does not go out as things are.",
  heldSome: (count: number) =>
    count === 1 ? "1 call does not go out as things are." : `${formatNumber(count)} calls do not go out as things are.`,
  because: (reasons: string) => `Why: ${reasons}.`,
  pending: "There is already a call to this number:",
  pendingMany: "There are already calls to these numbers:",
  pendingAt: (agent: string, time: string) => `${agent}, ${time}`,
  callAt: (time: string) => `Call on ${time}`,
  sample: (count: number) => `For the first ${formatNumber(count)} people:`,
  refusals: {
    insufficient_credits: "There are too few credits",
    do_not_disturb: "The number is on the do-not-disturb list",
    invalid_number: "The number may not be called",
  } as Record<string, string>,
};
