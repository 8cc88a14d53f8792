// Number formats of outbound calls.
import { describe, expect, test } from "bun:test";
import { numberToDial, numberToShow } from "../../../../src/telephony/sip/trunk/number-form.ts";

const INDIA = "+912212345678";
const AMERICA = "+12125550100";

function form(
  numberFormat: "e164" | "digits" | "national",
  given: { dialPrefix?: string; callerId?: string | null; numbers?: string[] } = {},
) {
  return { numberFormat, dialPrefix: "", callerId: null, numbers: [INDIA], ...given };
}

describe("a number is dialled", () => {
  test.each([
    ["with its plus", "+919812345678", form("e164"), "+919812345678"],
    ["as digits alone", "+919812345678", form("digits"), "919812345678"],
    ["as within India", "+919812345678", form("national"), "09812345678"],
    ["in the 1600 series, as within India", "+911600123456", form("national"), "01600123456"],
    ["as within North America", "+12125550199", form("national", { numbers: [AMERICA] }), "2125550199"],
    ["from India to America", "+12125550199", form("national"), "0012125550199"],
    ["from America to India", "+919812345678", form("national", { numbers: [AMERICA] }), "011919812345678"],
    ["from India to elsewhere", "+442079460000", form("national"), "00442079460000"],
    ["by the caller id's country", "+12125550199", form("national", { callerId: AMERICA }), "2125550199"],
    ["by its own country where nothing else tells", "+12125550199", form("national", { numbers: [] }), "2125550199"],
    ["for an outside line", "+919812345678", form("national", { dialPrefix: "9" }), "909812345678"],
    ["for an outside line, as digits", "+919812345678", form("digits", { dialPrefix: "9" }), "9919812345678"],
    ["as it is, where it is an extension", "2001", form("national", { dialPrefix: "9" }), "2001"],
  ])("%s", (_, number, settings, dialled) => {
    expect(numberToDial(number, settings)).toBe(dialled);
  });

  test("with a prefix that is never displayed", () => {
    expect(numberToShow(INDIA, form("national", { dialPrefix: "9" }))).toBe("02212345678");
    expect(numberToShow("2001", form("digits"))).toBe("2001");
  });
});
