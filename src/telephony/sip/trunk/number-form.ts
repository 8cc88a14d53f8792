// How a number leaves over a trunk: each exchange has its own idea of what may be dialled.
import type { TrunkSettings } from "../../../trunks/trunk-settings.ts";

type Form = Pick<TrunkSettings, "numberFormat" | "dialPrefix" | "callerId" | "numbers">;

/**
 * What one dials within a country and out of it. North America's national form is ten digits, India's begins with 0.
 */
const COUNTRIES = [
  { code: "91", trunkPrefix: "0", outward: "00" },
  { code: "1", trunkPrefix: "", outward: "011" },
] as const;
/** ITU-T E.164, appendix: what most of the world dials for another country. */
const COMMON_OUTWARD = "00";

/** For the Request-URI and Refer-To. An extension or a name is dialled as it is. */
export function numberToDial(number: string, form: Form): string {
  if (!number.startsWith("+")) return number;
  return `${form.dialPrefix}${numberToShow(number, form)}`;
}

/** The same without what is only dialled: for From and its companions. */
export function numberToShow(number: string, { numberFormat, callerId, numbers }: Form): string {
  if (!number.startsWith("+") || numberFormat === "e164") return number;
  const digits = number.slice(1);
  if (numberFormat === "digits") return digits;
  const there = countryOf(number);
  // Where the exchange stands: its own numbers tell. Without any, the number is taken for one of the same country.
  const ours = [callerId ?? "", ...numbers].find((one) => one.startsWith("+")) ?? number;
  const here = countryOf(ours);
  if (there && there === here) return `${there.trunkPrefix}${digits.slice(there.code.length)}`;
  return `${here?.outward ?? COMMON_OUTWARD}${digits}`;
}

function countryOf(number: string) {
  return COUNTRIES.find(({ code }) => number.startsWith(`+${code}`));
}
