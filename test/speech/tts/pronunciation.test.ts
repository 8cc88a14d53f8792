import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { createMark, unmarked } from "../../../src/speech/tts/pronunciation.ts";
import { sentencesOf } from "../../../src/speech/tts/reading.ts";
import { voiceNamed } from "../../../src/speech/tts/voices.ts";

describe("an organisation's pronunciations", () => {
  const mark = createMark([
    { word: "Sharma", said: "SHAR-ma" },
    { word: "OPD", said: "OH pee DEE" },
    { word: "d'Souza", said: "dih-SOO-za" },
  ]);

  test("are put beside their words, whatever their capitals", () => {
    expect(mark("Dr. SHARMA's OPD, Ms. Sharma-Iyer.")).toBe(
      "Dr. {SHARMA|SHAR-ma}'s {OPD|OH_pee_DEE}, Ms. {Sharma|SHAR-ma}-Iyer.",
    );
    expect(mark("Mr. D’Souza")).toBe("Mr. {D’Souza|dih-SOO-za}");
    expect(mark("Sharmaji")).toBe("Sharmaji");
  });

  test("are read as they are, between words that are read as ever", () => {
    expect(sentencesOf(mark("Dr. Sharma at 10:30 in the OPD."))).toEqual([
      "Doctor {Sharma|SHAR-ma} at ten thirty in the {OPD|OH_pee_DEE}.",
    ]);
  });

  test("cannot come from the text itself", () => {
    expect(mark("{Rao|SHAR-ma} and {x|y}")).not.toContain("|");
  });

  test("go again without a trace", () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 100 }), (text) => {
        expect(unmarked(mark(text))).toBe(text.replaceAll(/[{}|]/g, " "));
      }),
    );
  });
});

test("a voice is known by its name and by Kokoro's; everything else is the default", () => {
  expect(["emma", "Michael ", "bf_emma", "default", "", "Polly", "constructor"].map(voiceNamed)).toEqual([
    "emma",
    "michael",
    "emma",
    "heart",
    "heart",
    "heart",
    "heart",
  ]);
});
