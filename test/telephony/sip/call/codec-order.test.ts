import { expect, test } from "bun:test";
import { codecOrderFor } from "../../../../src/telephony/sip/call/codec-order.ts";

test("wideband first, then the far side's own law; a trunk's own list is taken as it stands", () => {
  expect(codecOrderFor([], "+919800000001")).toEqual(["G722", "PCMA", "PCMU"]);
  expect(codecOrderFor([], "+12125550100")).toEqual(["G722", "PCMU", "PCMA"]);
  expect(codecOrderFor([], "2001")).toEqual(["G722", "PCMA", "PCMU"]);
  expect(codecOrderFor(["PCMU", "G722"], "+919800000001")).toEqual(["PCMU", "G722"]);
});
