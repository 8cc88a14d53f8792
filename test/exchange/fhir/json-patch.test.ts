// The examples of RFC 6902, appendix A, the pointers of RFC 6901, section 5, and what a hostile patch might try.
import { describe, expect, test } from "bun:test";
import type { Json } from "../../../src/exchange/fhir/json.ts";
import { isEqual, patched } from "../../../src/exchange/fhir/write/json-patch.ts";

const after = (document: Json, ...operations: object[]) => patched(document, operations);

describe("RFC 6902, appendix A", () => {
  test.each<[string, Json, object[], Json]>([
    ["A.1 add a member", { foo: "bar" }, [{ op: "add", path: "/baz", value: "qux" }], { baz: "qux", foo: "bar" }],
    [
      "A.2 add an element",
      { foo: ["bar", "baz"] },
      [{ op: "add", path: "/foo/1", value: "qux" }],
      { foo: ["bar", "qux", "baz"] },
    ],
    ["A.3 remove a member", { baz: "qux", foo: "bar" }, [{ op: "remove", path: "/baz" }], { foo: "bar" }],
    [
      "A.4 remove an element",
      { foo: ["bar", "qux", "baz"] },
      [{ op: "remove", path: "/foo/1" }],
      { foo: ["bar", "baz"] },
    ],
    [
      "A.5 replace",
      { baz: "qux", foo: "bar" },
      [{ op: "replace", path: "/baz", value: "boo" }],
      { baz: "boo", foo: "bar" },
    ],
    [
      "A.6 move a value",
      { foo: { bar: "baz", waldo: "fred" }, qux: { corge: "grault" } },
      [{ op: "move", from: "/foo/waldo", path: "/qux/thud" }],
      { foo: { bar: "baz" }, qux: { corge: "grault", thud: "fred" } },
    ],
    [
      "A.7 move an element",
      { foo: ["all", "grass", "cows", "eat"] },
      [{ op: "move", from: "/foo/1", path: "/foo/3" }],
      { foo: ["all", "cows", "eat", "grass"] },
    ],
    [
      "A.8 test",
      { baz: "qux", foo: ["a", 2, "c"] },
      [
        { op: "test", path: "/baz", value: "qux" },
        { op: "test", path: "/foo/1", value: 2 },
      ],
      { baz: "qux", foo: ["a", 2, "c"] },
    ],
    [
      "A.10 add a nested member",
      { foo: "bar" },
      [{ op: "add", path: "/child", value: { grandchild: {} } }],
      { foo: "bar", child: { grandchild: {} } },
    ],
    [
      "A.11 ignore unknown members",
      { foo: "bar" },
      [{ op: "add", path: "/baz", value: "qux", xyz: 123 }],
      { foo: "bar", baz: "qux" },
    ],
    ["A.14 escape", { "/": 9, "~1": 10 }, [{ op: "test", path: "/~01", value: 10 }], { "/": 9, "~1": 10 }],
    ["A.16 append", { foo: ["bar"] }, [{ op: "add", path: "/foo/-", value: ["abc"] }], { foo: ["bar", ["abc"]] }],
    ["the whole document", { foo: 1 }, [{ op: "replace", path: "", value: { bar: 2 } }], { bar: 2 }],
    ["copy", { a: [1], b: [] }, [{ op: "copy", from: "/a/0", path: "/b/-" }], { a: [1], b: [1] }],
    ["null is a value", { a: null }, [{ op: "test", path: "/a", value: null }], { a: null }],
  ])("%s", (_name, document, operations, result) => {
    expect(patched(document, operations)).toEqual(result);
  });

  test.each<[string, Json, object[]]>([
    ["A.9 a test that fails", { baz: "qux" }, [{ op: "test", path: "/baz", value: "bar" }]],
    ["A.12 add below nothing", { foo: "bar" }, [{ op: "add", path: "/baz/bat", value: "qux" }]],
    ["A.15 text is no number", { "/": 9, "~1": 10 }, [{ op: "test", path: "/~01", value: "10" }]],
    ["remove what is not there", {}, [{ op: "remove", path: "/status" }]],
    ["replace what is not there", {}, [{ op: "replace", path: "/status", value: "booked" }]],
    ["an index beyond the end", { a: [1] }, [{ op: "add", path: "/a/2", value: 1 }]],
    ["an index with a leading zero", { a: [1, 2] }, [{ op: "remove", path: "/a/01" }]],
    ["remove after the end", { a: [1] }, [{ op: "remove", path: "/a/-" }]],
    ["into itself", { a: { b: 1 } }, [{ op: "move", from: "/a", path: "/a/b" }]],
    ["no pointer", { a: 1 }, [{ op: "remove", path: "a" }]],
    ["a bad escape", { a: 1 }, [{ op: "remove", path: "/~2" }]],
    ["no op", { a: 1 }, [{ path: "/a" }]],
    ["an unknown op", { a: 1 }, [{ op: "merge", path: "/a", value: 1 }]],
    ["no value", { a: 1 }, [{ op: "add", path: "/b" }]],
    ["no from", { a: 1 }, [{ op: "copy", path: "/b" }]],
    ["the resource itself", { a: 1 }, [{ op: "remove", path: "" }]],
    ["what every object has", { a: 1 }, [{ op: "test", path: "/toString", value: null }]],
  ])("%s is refused", (_name, document, operations) => {
    expect(() => patched(document, operations)).toThrow(/Operation 1 of the JSON Patch/);
  });
});

test("a fault in the last operation leaves the document as it was, and is counted from one", () => {
  const document = { a: { b: 1 } };
  const operations = [
    { op: "replace", path: "/a/b", value: 2 },
    { op: "remove", path: "/c" },
  ];
  expect(() => patched(document, operations)).toThrow("Operation 2");
  expect(document).toEqual({ a: { b: 1 } });
});

test("a value that is added twice is not shared", () => {
  const value = { deep: [1] };
  const result = after(
    { a: value },
    { op: "copy", from: "/a", path: "/b" },
    { op: "add", path: "/b/deep/-", value: 2 },
  );
  expect(result).toEqual({ a: { deep: [1] }, b: { deep: [1, 2] } });
});

test("a member named __proto__ is a member, and changes no prototype", () => {
  const result = after({}, { op: "add", path: "/__proto__", value: { polluted: true } }) as object;
  expect(Object.keys(result)).toEqual(["__proto__"]);
  expect("polluted" in {}).toBe(false);
  expect(Object.getPrototypeOf(result)).toBe(Object.prototype);
  expect(() => after({}, { op: "add", path: "/__proto__/polluted", value: true })).toThrow("does not exist");
});

test("copies that double the document are stopped", () => {
  const doubling = Array.from({ length: 99 }, () => ({ op: "copy", from: "", path: "/a/-" }));
  expect(() => patched({ a: ["x".repeat(1_000)] }, doubling)).toThrow("too large");
});

test("what is no list of operations is refused", () => {
  const tooMany = Array.from({ length: 101 }, () => ({ op: "test", path: "", value: 1 }));
  for (const patch of [null, {}, [], "text", tooMany]) expect(() => patched({}, patch)).toThrow("1 to 100 operations");
});

test("members are equal in any order, elements are not", () => {
  expect(isEqual({ a: 1, b: [1, 2] }, { b: [1, 2], a: 1 })).toBe(true);
  expect(isEqual([1, 2], [2, 1])).toBe(false);
  expect(isEqual({ a: 1 }, { a: 1, b: 2 })).toBe(false);
  expect(isEqual([], {})).toBe(false);
});
