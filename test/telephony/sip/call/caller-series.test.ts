// Callers of India's 140 and 1600 series: the number arrives in From or P-Asserted-Identity, in any of the usual forms.
import { expect, test } from "bun:test";
import { e164Of } from "../../../../src/core/caller-number.ts";
import { numberOfCaller } from "../../../../src/telephony/sip/call/out-of-dialog.ts";
import { request } from "../message/messages.ts";

const OURS = "+912212345678";

test.each([
  ["+911409876543", "+911409876543"],
  ["911600123456", "+911600123456"],
  ["01600123456", "+911600123456"],
  ["1600123456", "+911600123456"],
  ["1409876543", "+911409876543"],
])("a caller shown as %s is %s", (shown, number) => {
  const invite = request("INVITE", { extra: `P-Asserted-Identity: <sip:${shown}@operator.example>\n` });
  expect(e164Of(numberOfCaller(invite), OURS)).toBe(number);
});
