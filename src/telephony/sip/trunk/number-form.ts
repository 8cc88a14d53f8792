// Format of numbers sent to a trunk: each exchange has its own dialling rules.
import type { TrunkSettings } from "../../../trunks/trunk-settings.ts";

type Form = Pick<TrunkSettings, "numberFormat" | "dialPrefix" | "callerId" | "numbers">;

/** National and international prefixes. North America's national form has ten digits, India's starts with 0. */
const COUNTRIES = [
  { code: "91", trunkPrefix: "0", outward: "00" },
  { code: "1", trunkPrefix: "", outward: "011" },
] as const;
/** ITU-T E.164, appendix: the international prefix of most countries. */
const COMMON_OUTWARD = "00";

/** For the Request-URI and Refer-To. An extension or a name is dialled unchanged. */
export function numberToDial(number: string, form: Form): string {
  if (!number.startsWith("+")) return number;
  return `${form.dialPrefix}${numberToShow(number, form)}`;
}

/** The same without the dial prefix: for From and the identity headers. */
export function numberToShow(number: string, { numberFormat, callerId, numbers }: Form): string {
  if (!number.startsWith("+") || numberFormat === "e164") return number;
  const digits = number.slice(1);
  if (numberFormat === "digits") return digits;
  const there = countryOf(number);
  // The exchange's country, from its own numbers. Without any, the number counts as domestic.
  const ours = [callerId ?? "", ...numbers].find((one) => one.startsWith("+")) ?? number;
  const here = countryOf(ours);
  if (there && there === here) return `${there.trunkPrefix}${digits.slice(there.code.length)}`;
  return `${here?.outward ?? COMMON_OUTWARD}${digits}`;
}

function countryOf(number: string) {
  return COUNTRIES.find(({ code }) => number.startsWith(`+${code}`));
}
