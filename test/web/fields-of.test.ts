// What binds fields to values, and queries without what is empty.
import { expect, test } from "bun:test";
import { given } from "../../src/web/given.ts";
import { fieldsOf } from "../../src/web/kit/fields-of.ts";

interface Values {
  daysBefore: string;
  name: string;
  enabled: boolean;
}

const VALUES: Values = { daysBefore: "2", name: "Asha", enabled: true };

function bound(errors: Record<string, string> = {}) {
  const changes: Partial<Values>[] = [];
  return { ...fieldsOf<Values>(VALUES, (change) => changes.push(change), errors), changes };
}

test("a field shows its value and changes that one alone", () => {
  const { at, changes } = bound();
  expect(at("name")).toMatchObject({ value: "Asha", error: undefined });
  at("name").onValue("Meera");
  expect(changes).toEqual([{ name: "Meera" }]);
});

test("a field shows the error of its name in the API: in snake case, or as it is named", () => {
  const { at } = bound({ days_before: "must be a number", user_name: "is too long" });
  expect(at("daysBefore").error).toBe("must be a number");
  expect(at("name").error).toBeUndefined();
  expect(at("name", "user_name").error).toBe("is too long");
});

test("a checkbox shows its value and changes that one alone", () => {
  const { box, changes } = bound();
  expect(box("enabled").checked).toBeTrue();
  box("enabled").onChecked(false);
  expect(changes).toEqual([{ enabled: false }]);
});

test("a query leaves out what is empty", () => {
  expect(given({ search: "", state: "done", cursor: undefined, outcome: null })).toEqual({ state: "done" });
});
