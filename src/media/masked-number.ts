// Phone numbers for readers of a shared call: enough to recognise the person, too little to call them.
import type { SharedCall } from "./share-view.ts";

const SHOWN_AT_THE_END = 3;
/** The country code and the first digit after it. */
const SHOWN_AT_THE_START = 4;

/** +919810012345 becomes +919••••••345. Anything but a number with a country code is hidden whole. */
export function maskedNumber(number: string | null): string | null {
  if (number === null) return null;
  if (!/^\+\d{8,15}$/.test(number)) return "•".repeat(SHOWN_AT_THE_START);
  const hidden = number.length - SHOWN_AT_THE_START - SHOWN_AT_THE_END;
  return number.slice(0, SHOWN_AT_THE_START) + "•".repeat(hidden) + number.slice(-SHOWN_AT_THE_END);
}

export const withMaskedNumbers = ({ call, ...shared }: SharedCall): SharedCall => ({
  ...shared,
  call: { ...call, call_to: maskedNumber(call.call_to), call_from: maskedNumber(call.call_from) },
});
