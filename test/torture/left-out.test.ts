// A torture run that left out a kind of fault fails, and names the fault and the reason.
import { expect, test } from "bun:test";
import { FAULTS, leftOut, possibleFaults, type FaultWorld } from "./faults.ts";
import { isGreen } from "./report.ts";

const whyNot = () => "no C compiler (cc)";

test("kinds of fault that never happened are named with the reason", () => {
  const happened = new Map(FAULTS.slice(1).map(({ name }) => [name, 1]));
  expect(leftOut(FAULTS, happened, whyNot)).toEqual([{ name: FAULTS[0]!.name, why: "no C compiler (cc)" }]);
  expect(leftOut(FAULTS.slice(1), happened, whyNot)).toEqual([]);
});

test("without root and a compiler, faults of disk and clock are left out, and the run is red", () => {
  const disk = { isSmall: false } as FaultWorld["disk"];
  const { possible, left } = possibleFaults({ disk, outside: null, postgres: null });
  expect(left.map(({ name }) => name)).toContain("clock back");
  expect(left.map(({ name }) => name)).toContain("full disk");
  const happened = new Map(possible.map(({ name }) => [name, 1]));
  expect(isGreen({ findings: [], left: leftOut([...possible, ...left], happened, whyNot) })).toBeFalse();
  expect(isGreen({ findings: [], left: leftOut(possible, happened, whyNot) })).toBeTrue();
});

test("a broken check is red as well", () => {
  const findings = [{ check: "events kept" as const, of: 9, what: "calls", broken: ["call-1"] }];
  expect(isGreen({ findings, left: [] })).toBeFalse();
});
