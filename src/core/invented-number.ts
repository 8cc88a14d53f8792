// Unassignable telephone numbers for fictitious people. No area code is 555 and no exchange begins with 0 (NANPA), so
// +1 555 0xx xxxx is invalid twice. The last digits are free and select the simulator's behaviour.
const INVENTED = /^\+15550\d{6}$/;

export function isInventedNumber(number: string): boolean {
  return INVENTED.test(number);
}

/** `exchange` 0 to 99. */
export function inventedNumber(exchange: number, lastFourDigits: string): string {
  return `+15550${String(exchange).padStart(2, "0")}${lastFourDigits}`;
}
