// Failed calls are explained in the reader's language, by their code.
import { expect, test } from "bun:test";
import { en } from "../../src/web/words/en.ts";
import { hi } from "../../src/web/words/hi.ts";

const CODES = [
  "busy",
  "no_answer",
  "invalid_number",
  "rejected",
  "interrupted",
  "carrier_error",
  "infrastructure_error",
  "insufficient_credits",
  "no_consent",
  "do_not_disturb",
  "registry_refused",
  "dropped_by_hospital",
];

test.each(CODES)("%s has Hindi words and keeps the appliance's English ones", (code) => {
  expect(hi.shared.errors.ofCall(code, "The line said no.")).not.toMatch(/[A-Za-z]/);
  expect(en.shared.errors.ofCall(code, "The line said no.")).toBe("The line said no.");
});

test("a code without words is still shown as a failed call", () => {
  expect(hi.shared.errors.ofCall("new_code", "Something new.")).toBe("कॉल नहीं हो पाई।");
});
