// Removes a national trunk prefix from a number. Apart from phone.ts, so that the telephony thread does not load the
// metadata of all countries for it.

/** Without the zero that is dialled only within India: +91 (0) 98765 43210. One telephone has one number. */
export const withoutTrunkZero = (number: string): string =>
  /^\+910\d{10}$/.test(number) ? `+91${number.slice(4)}` : number;
