import { describe, expect, test } from "bun:test";
import { ALIASES, contactOf } from "../../src/calls/contact-fields.ts";
import type { AppError } from "../../src/core/errors.ts";

const WHOLE = {
  number: "+15555550100",
  name: "Meera",
  email: "meera@example.org",
  preferredLanguage: "hi",
  timeZone: null,
  region: null,
  identifiers: [],
};

describe("a contact is read", () => {
  test("under its own names", () => {
    const input = {
      user_number: "+15555550100",
      user_name: "Meera",
      user_email: "meera@example.org",
      user_preferred_language: "hi",
    };
    expect(contactOf(input, "user")).toEqual({ ...WHOLE, numberField: "user_number" });
  });

  test("under its legacy names", () => {
    const input = {
      contact_number: "+15555550100",
      contact_name: "Meera",
      contact_email: "meera@example.org",
      contact_preferred_language: "hi",
    };
    expect(contactOf(input, "user")).toEqual({ ...WHOLE, numberField: "contact_number" });
  });

  test("under mixed names, if each field has one", () => {
    const contact = contactOf({ user_number: "+15555550100", contact_name: "Meera" }, "user");
    expect(contact).toMatchObject({ number: "+15555550100", name: "Meera", email: null, preferredLanguage: null });
  });

  test("with null treated as absent", () => {
    expect(contactOf({ user_number: null, user_name: null }, "user")).toMatchObject({ number: undefined, name: null });
  });
});

describe("both names of one field", () => {
  test.each(Object.entries(ALIASES))("%s and %s are refused, even when equal", (field, alias) => {
    for (const [one, other] of [
      ["same", "same"],
      ["a", "b"],
      ["a", null],
      [null, null],
    ]) {
      let refusal: AppError | undefined;
      try {
        contactOf({ [field]: one, [alias]: other }, "user");
      } catch (error) {
        refusal = error as AppError;
      }
      expect(refusal?.code).toBe("VALIDATION_ERROR");
      expect(refusal?.message).toContain(field);
      expect(refusal?.message).toContain(alias);
    }
  });

  test("are all listed if several are doubled", () => {
    expect(() =>
      contactOf({ user_name: "a", contact_name: "b", user_email: "a", contact_email: "b" }, "user"),
    ).toThrow();
    try {
      contactOf({ user_name: "a", contact_name: "b", user_email: "a", contact_email: "b" }, "user");
    } catch (error) {
      expect((error as AppError).details.map(({ field }) => field)).toEqual(["user_name", "user_email"]);
    }
  });
});

describe("an invalid number is reported under the name that was sent", () => {
  test("or under the preferred name of the route if neither was sent", () => {
    expect(contactOf({ contact_number: "x" }, "user").numberField).toBe("contact_number");
    expect(contactOf({ user_number: "x" }, "contact").numberField).toBe("user_number");
    expect(contactOf({}, "user").numberField).toBe("user_number");
    expect(contactOf({}, "contact").numberField).toBe("contact_number");
  });
});
