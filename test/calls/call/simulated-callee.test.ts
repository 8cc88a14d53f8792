// The texts of a simulated callee: limited in size, hidden from the agent, and an ordinary value on a real carrier.
import { describe, expect, test } from "bun:test";
import { assertCalleeLines, calleeLinesOf } from "../../../src/calls/call/simulated-callee.ts";
import type { Config } from "../../../src/config/schema.ts";
import { courseFor } from "../../../src/telephony/simulator/test-numbers.ts";

const NUMBER = "+15552000012";
const SAYS = ["Yes, speaking.", "Where do I park?"];
const on = (carrier: "simulator" | "sip") => ({ telephony: { carrier } }) as Config;
const info = (simulated_callee_says: unknown) => ({ doctor: "Dr. Rao", simulated_callee_says });

describe("with the simulator", () => {
  const check = (lines: unknown, number = NUMBER) => assertCalleeLines(info(lines), number, on("simulator"));

  test("1 to 20 texts of 1 to 500 characters are accepted", () => {
    for (const lines of [["Yes."], SAYS, Array.from({ length: 20 }, () => "x".repeat(500))])
      expect(() => check(lines)).not.toThrow();
    expect(() => assertCalleeLines({ doctor: "Dr. Rao" }, "+15552000100", on("simulator"))).not.toThrow();
    expect(() => assertCalleeLines(null, NUMBER, on("simulator"))).not.toThrow();
  });

  test.each([["Yes."], [null], [[]], [[1]], [[" "]], [["x".repeat(501)]], [Array.from({ length: 21 }, () => "Yes.")]])(
    "anything else is refused: %p",
    (lines) =>
      expect(() => check(lines)).toThrow(
        "simulated_callee_says must be a list of 1 to 20 texts of 1 to 500 characters each.",
      ),
  );

  test("they are rejected for a number that would not say them", () => {
    expect(() => check(SAYS, "+15552000100")).toThrow(
      "simulated_callee_says works only with a number that ends in 0012. Use such a number, or remove the key.",
    );
  });

  test("the callee gets them, and the agent only the other values", () => {
    expect(calleeLinesOf(info(SAYS), on("simulator"))).toEqual({ lines: SAYS, known: { doctor: "Dr. Rao" } });
    expect(calleeLinesOf({ doctor: "Dr. Rao" }, on("simulator"))).toEqual({
      lines: null,
      known: { doctor: "Dr. Rao" },
    });
    expect(calleeLinesOf(null, on("simulator"))).toEqual({ lines: null, known: null });
  });

  test("they are spoken in order, once, whatever the agent says; another call starts again", () => {
    for (let calls = 0; calls < 2; calls++) {
      const course = courseFor(NUMBER, SAYS);
      if (course.kind !== "talks") throw new Error("Nobody answered.");
      expect(["Hello?", "Will you come?", "Goodbye."].map((heard) => course.callee.reactTo(heard))).toEqual([
        { do: "say", words: "Yes, speaking." },
        { do: "say", words: "Where do I park?" },
        null,
      ]);
    }
  });

  test("another number never says them", () => {
    expect(courseFor("+15552000100", SAYS)).toEqual(courseFor("+15552000100"));
  });
});

describe("on a real carrier", () => {
  test.each([[SAYS], ["Yes."], [[1]], [null]])("the key is an ordinary value: %p", (lines) => {
    for (const number of [NUMBER, "+919876543210"])
      expect(() => assertCalleeLines(info(lines), number, on("sip"))).not.toThrow();
    expect(calleeLinesOf(info(lines), on("sip"))).toEqual({ lines: null, known: info(lines) });
  });
});
