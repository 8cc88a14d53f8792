// Field for a phone number as people write it. The complete number is shown before it is used.
import type { ComponentProps } from "preact";
import { completed, spaced } from "../phone-number.ts";
import { common } from "../words.ts";
import { TextField } from "./field.tsx";

export function PhoneField({ value, hint = common.numberHint, ...rest }: ComponentProps<typeof TextField>) {
  const number = completed(value);
  const shown = number === null ? hint : common.completeNumber(spaced(number));
  return <TextField type="tel" maxLength={40} autoComplete="off" {...rest} value={value} hint={shown} />;
}
