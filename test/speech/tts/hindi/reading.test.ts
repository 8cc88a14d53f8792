// Text normalisation and clauses for Hindi.
import { expect, test } from "bun:test";
import fc from "fast-check";
import { hindiClauses } from "../../../../src/speech/tts/hindi/clauses.ts";
import { readHindi } from "../../../../src/speech/tts/hindi/reading.ts";

test.each([
  ["20/11/2026 को", "बीस नवंबर दो हज़ार छब्बीस को"],
  ["2026-05-05 को", "पाँच मई दो हज़ार छब्बीस को"],
  ["99/99/2026", "निन्यानवे निन्यानवे दो हज़ार छब्बीस"],
  ["10:30 बजे", "साढ़े दस बजे"],
  ["सुबह 10:15 बजे", "सुबह सवा दस बजे"],
  ["16:45", "शाम पौने पाँच बजे"],
  ["4 PM", "शाम चार बजे"],
  ["11.30 a.m. तक", "सुबह साढ़े ग्यारह बजे तक"],
  ["₹1,500", "एक हज़ार पाँच सौ रुपये"],
  ["Rs. 250.00", "दो सौ पचास रुपये"],
  ["500 mg", "पाँच सौ मिलीग्राम"],
  ["2.5 ml", "दो दशमलव पाँच मिलीलीटर"],
  ["98.6°F", "अट्ठानवे दशमलव छह डिग्री फ़ारेनहाइट"],
  ["५०%", "पचास प्रतिशत"],
  ["1,50,000", "एक लाख पचास हज़ार"],
  ["सन् 1947", "सन् उन्नीस सौ सैंतालीस"],
  ["कमरा नं. 007", "कमरा नंबर शून्य शून्य सात"],
  ["+91 98765 43210", "नौ एक, नौ आठ सात छह पाँच, चार तीन दो एक शून्य"],
  ["डॉ. मेहता", "डॉक्टर मेहता"],
  ["Dr. Mehta", "डॉक्टर Mehta"],
  ["माँ & बच्चा", "माँ और बच्चा"],
  ["नमस्ते।", "नमस्ते."],
  ["{OPD|oh-pee-dee} 2", "{OPD|oh-pee-dee} दो"],
])("%s is read %s", (written, said) => {
  expect(readHindi(written)).toBe(said.normalize("NFC"));
});

test("no figure is left that would be read in another language, whatever is written", () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom(..."0123456789,.:/-+₹% क".split("")), maxLength: 20 }), (text) => {
      expect(readHindi(text)).not.toMatch(/\d/);
    }),
  );
});

test("pieces end at commas and stops, and not after a short form", () => {
  expect(hindiClauses("नमस्ते, रमेश जी। मैं डॉ. मेहता के यहाँ से बोल रही हूँ। ठीक है?")).toEqual([
    "नमस्ते,",
    "रमेश जी।",
    "मैं डॉ. मेहता के यहाँ से बोल रही हूँ।",
    "ठीक है?",
  ]);
  expect(hindiClauses("₹1,500 दीजिए")).toEqual(["₹1,500 दीजिए"]);
  expect(hindiClauses("  । , ")).toEqual([]);
});

test("a long piece is cut between words, and nothing of the text is lost", () => {
  fc.assert(
    fc.property(
      fc.array(fc.constantFrom("आज", "अपॉइंटमेंट", "है,", "कल।", "x".repeat(200)), { maxLength: 60 }),
      (words) => {
        const pieces = hindiClauses(words.join(" "));
        expect(pieces.every((piece) => piece.length <= 90)).toBeTrue();
        expect(pieces.join("").replaceAll(" ", "")).toBe(words.join(""));
      },
    ),
  );
});
