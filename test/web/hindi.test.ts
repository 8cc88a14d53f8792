// Hindi without English: words in Latin letters are technical terms, names and code; what the appliance stores or
// answers in English is translated.
import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { HINDI as SHARED } from "../../src/media/share-page/hindi.ts";
import { detailNameInHindi, detailValueInHindi, findingInHindi } from "../../src/payloads/hindi-findings.ts";
import { ERROR_CODES } from "../../src/core/errors.ts";
import { fieldFaults } from "../../src/core/schema-words.ts";
import { hi } from "../../src/web/words/hi.ts";
import { CODES, faultInHindi, MESSAGES } from "../../src/web/words/hi/faults.ts";
import { textsOf } from "../support/web-words.ts";
import { LATIN_IN_HINDI } from "../support/latin-in-hindi.ts";

const SRC = join(import.meta.dir, "../../src");
const read = (file: string) => readFileSync(join(SRC, file), "utf8");
const LATIN = /[A-Za-z]{2,}/;

/** Placeholders such as {{hospital}} and {who} are filled in, and names of settings and headers are code. */
const CODE = /\{\{?\w+\}?\}|ringward [a-z -]+|\b[\w-]+(?:[._][\w-]+)+\b|x-[a-z-]+|https?:\/\/\S+|--[a-z-]+/gi;

function latinIn(text: string): string[] {
  return text.replaceAll(CODE, " ").match(/[A-Za-z][A-Za-z0-9-]+/g) ?? [];
}

describe("Latin letters", () => {
  test("are in Hindi texts for terms, names and code alone", () => {
    const texts = [...textsOf(hi), ...textsOf(SHARED)];
    expect(texts.length).toBeGreaterThan(1_500);
    const found = texts.flatMap(({ path, text }) =>
      latinIn(text).flatMap((word) => (LATIN_IN_HINDI.has(word) ? [] : [`${path}: ${word}`])),
    );
    expect(found).toEqual([]);
  });

  test("are found in a sentence", () => {
    expect(latinIn("यह नहीं हो पाया: The line is busy.")).toEqual(["The", "line", "is", "busy"]);
    expect(latinIn("{{hospital}} की सेटिंग rules.enforce")).toEqual([]);
  });

  test("are allowed only where a text has them", () => {
    const used = new Set([...textsOf(hi), ...textsOf(SHARED)].flatMap(({ text }) => latinIn(text)));
    expect([...LATIN_IN_HINDI].filter((word) => !used.has(word))).toEqual([]);
  });
});

describe("what the rules write about a call", () => {
  const source = read("voice/conversation/result.ts");
  const [, handedOver = ""] = /HANDED_OVER[^{]*\{([^}]+)\}/.exec(source) ?? [];
  const sentences = [
    ...[...source.matchAll(/(?:summary|next_steps):\s*"([^"]+)"/g)].map(([, text]) => text ?? ""),
    ...[...handedOver.matchAll(/"([^"]+)"/g)].map(([, text]) => text ?? ""),
  ];

  test("has Hindi for every sentence", () => {
    expect(sentences.length).toBeGreaterThan(60);
    expect(sentences.filter((text) => findingInHindi(text) === null)).toEqual([]);
  });

  test.each([
    [
      "Asha called the contact. The contact confirmed the appointment. The contact hung up.",
      "Asha की ओर से मरीज़ को कॉल गई। मरीज़ ने अपॉइंटमेंट पक्का किया। मरीज़ ने फ़ोन रख दिया।",
    ],
    ["The contact called Reception. The contact gave no answer.", "मरीज़ ने Reception को कॉल की। मरीज़ ने जवाब नहीं दिया।"],
    ["She asked about parking.", null],
    ["The contact gave no answer. She asked about parking.", null],
  ])("%s", (english, hindi) => {
    expect(findingInHindi(english)).toBe(hindi);
  });

  test("names its details and their values, and leaves an agent's own fields", () => {
    expect([detailNameInHindi("answer"), detailValueInHindi("answer", "booked")]).toEqual(["जवाब", "बुक हुआ"]);
    expect(detailValueInHindi("speech", "was not recognised in 2 turns")).toBe("2 बार बात पहचानी नहीं गई");
    expect([detailNameInHindi("pain_score"), detailValueInHindi("keys", "19")]).toEqual([null, null]);
  });
});

describe("a refusal", () => {
  test.each([...ERROR_CODES])("%s is explained in Hindi", (code) => {
    expect(hi.shared.errors.of(code, "A message without Hindi.")).toBe(CODES[code] ?? "");
    expect(CODES[code]).toMatch(/\p{sc=Deva}/u);
  });

  test("has Hindi only for messages that the appliance has", () => {
    const sources = [...new Bun.Glob("**/*.ts").scanSync(SRC)].filter((file) => !file.includes("words")).map(read);
    const all = sources.join("\n");
    expect(Object.keys(MESSAGES).filter((message) => !all.includes(message))).toEqual([]);
  });

  test("of an unknown code or field shows no English", () => {
    const { of, ofField, ofCall } = hi.shared.errors;
    for (const text of [of("NEW_CODE", "Something new."), ofField("Something new."), ofCall("new", "Something new.")])
      expect(text).not.toMatch(LATIN);
  });

  test.each([
    ["user_name is required.", "इसे भरना ज़रूरी है।"],
    ["max_slots must be from 1 to 500.", "1 से 500 तक की संख्या लिखें।"],
    ["days must be a whole number from 1 to 30.", "1 से 30 तक की संख्या लिखें।"],
    ["password must have 10 to 200 characters.", "10 से 200 अक्षर लिखें।"],
    ["This is not your current password.", "यह आपका पासवर्ड नहीं है।"],
    ["This campaign is finished and can no longer be paused.", "इस अभियान में अब यह नहीं हो सकता।"],
    ["Something new.", null],
  ])("%s", (english, hindi) => {
    expect(faultInHindi(english)).toBe(hindi);
  });

  test.each([
    [{ type: "integer", minimum: 1, maximum: 9 }, "1 से 9 तक की संख्या लिखें।"],
    [{ type: "integer", minimum: 1 }, "कम से कम 1 की संख्या लिखें।"],
    [{ type: "string", minLength: 1, maxLength: 50 }, "1 से 50 अक्षर लिखें।"],
    [{ type: "string", maxLength: 50 }, "ज़्यादा से ज़्यादा 50 अक्षर लिखें।"],
    [{ type: "string", minLength: 1 }, "यहाँ कुछ लिखें।"],
  ])("of the schema %j takes its limits", (schema, hindi) => {
    const [fault] = fieldFaults([{ path: "/name", value: 0, schema: schema as never }]);
    expect(faultInHindi(fault?.message ?? "")).toBe(hindi);
  });
});
