// Whether two bookings are for the same person: the fields known in both must agree.
import { describe, expect, test } from "bun:test";
import { isSamePerson } from "../../src/calendar/same-person.ts";

const person = (contact_name: string | null, contact_number: string | null) => ({ contact_name, contact_number });

describe("two bookings", () => {
  test.each([
    ["the same name and number", person("Meera Iyer", "+919810012345"), person(" meera  iyer", "+919810012345")],
    ["the same number, one without a name", person(null, "+919810012345"), person("Meera Iyer", "+919810012345")],
    ["the same name, one without a number", person("Meera Iyer", null), person("Meera Iyer", "+919810012345")],
  ])("with %s are for one person", (_what, a, b) => {
    expect([isSamePerson(a, b), isSamePerson(b, a)]).toEqual([true, true]);
  });

  test.each([
    ["a shared telephone and two names", person("Meera Iyer", "+919810012345"), person("Asha Iyer", "+919810012345")],
    ["one name and two telephones", person("Meera Iyer", "+919810012345"), person("Meera Iyer", "+919810012346")],
    ["nothing that both know", person("Meera Iyer", null), person(null, "+919810012345")],
    ["nothing at all", person(null, null), person("", "")],
  ])("with %s are not said to be", (_what, a, b) => {
    expect([isSamePerson(a, b), isSamePerson(b, a)]).toEqual([false, false]);
  });
});
