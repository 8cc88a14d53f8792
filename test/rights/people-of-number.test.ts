// The people behind one number, told apart by identifiers, then by names.
import { expect, test } from "bun:test";
import fc from "fast-check";
import { peopleIn, type Mention } from "../../src/rights/people-of-number.ts";

const mention = (name: string, ...values: string[]): Mention => ({
  name,
  identifiers: values.map((text) => {
    const [system = "", value = ""] = text.split("|");
    return { system, value };
  }),
});
const shown = (mentions: Mention[]) =>
  peopleIn(mentions).map(({ names, identifiers }) => [
    names,
    identifiers.map(({ system, value }) => `${system}|${value}`),
  ]);

test("a family that shares a telephone is several people", () => {
  expect(shown([mention("Meera", "mrn|1"), mention("Asha", "mrn|2"), mention("Ravi")])).toEqual([
    [["Meera"], ["mrn|1"]],
    [["Asha"], ["mrn|2"]],
    [["Ravi"], []],
  ]);
});

test("one identifier under several names is one person", () => {
  expect(shown([mention("Meera Iyer", "mrn|1"), mention("M. Iyer", "mrn|1"), mention("meera  iyer")])).toEqual([
    [["Meera Iyer", "M. Iyer"], ["mrn|1"]],
  ]);
});

test("two children of one name are two people", () => {
  expect(shown([mention("Baby Iyer", "mrn|1"), mention("Baby Iyer", "mrn|2")])).toHaveLength(2);
});

test("systems are joined by the name, and by a mention that has both", () => {
  expect(shown([mention("Meera", "mrn|1"), mention("Meera", "abha|9")])).toEqual([[["Meera"], ["mrn|1", "abha|9"]]]);
  expect(shown([mention("", "mrn|1"), mention("", "abha|9"), mention("", "mrn|1", "abha|9")])).toEqual([
    [[], ["mrn|1", "abha|9"]],
  ]);
});

test("a mention without a name and identifiers is nobody", () => {
  expect(shown([mention(""), mention("Meera")])).toEqual([[["Meera"], []]]);
  expect(shown([mention("")])).toEqual([]);
});

test("nothing is lost or invented, and at most fifty people are told apart", () => {
  const one = fc.record({
    name: fc.constantFrom("", "Meera", "Asha", "Ravi"),
    identifiers: fc.array(
      fc.record({ system: fc.constantFrom("mrn", "abha"), value: fc.constantFrom("1", "2", "3") }),
      { maxLength: 3 },
    ),
  });
  fc.assert(
    fc.property(fc.array(one, { maxLength: 12 }), (mentions) => {
      const people = peopleIn(mentions);
      const [given, told] = [mentions, people].map((list) => [
        ...new Set(list.flatMap(({ identifiers }) => identifiers.map((each) => JSON.stringify(each)))),
      ]);
      expect(told!.toSorted()).toEqual(given!.toSorted());
      const names = new Set(mentions.flatMap(({ name }) => (name === "" ? [] : [name])));
      expect(new Set(people.flatMap((person) => person.names))).toEqual(names);
    }),
  );
  const crowd = Array.from({ length: 80 }, (_, i) => mention("", `mrn|${i}`));
  expect(peopleIn(crowd)).toHaveLength(50);
});
