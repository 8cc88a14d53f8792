import { expect, test } from "bun:test";
import { spokenDate, spokenMoment, spokenTime } from "../../../../src/speech/tts/hindi/spoken-time.ts";

test.each([
  ["10:00", "सुबह दस बजे"],
  ["10:15", "सुबह सवा दस बजे"],
  ["10:30", "सुबह साढ़े दस बजे"],
  ["10:45", "सुबह पौने ग्यारह बजे"],
  ["10:20", "सुबह दस बजकर बीस मिनट"],
  ["12:00", "दोपहर बारह बजे"],
  ["12:45", "दोपहर पौने एक बजे"],
  ["13:15", "दोपहर सवा एक बजे"],
  ["13:30", "दोपहर डेढ़ बजे"],
  ["14:30", "दोपहर ढाई बजे"],
  ["15:30", "दोपहर साढ़े तीन बजे"],
  ["17:05", "शाम पाँच बजकर पाँच मिनट"],
  ["20:00", "रात आठ बजे"],
  ["00:30", "रात साढ़े बारह बजे"],
  ["25:00", "25:00"],
])("%s is %s", (time, said) => {
  expect(spokenTime(time)).toBe(said);
});

test("a day has its weekday, its number and its month", () => {
  expect(spokenDate("2026-05-05")).toBe("मंगलवार पाँच मई");
  expect(spokenDate("2026-02-28")).toBe("शनिवार अट्ठाईस फ़रवरी");
  expect(spokenDate("someday")).toBe("someday");
});

test("day and time are two pieces", () => {
  expect(spokenMoment({ date: "2026-11-20", startTime: "09:30" })).toBe("शुक्रवार बीस नवंबर, सुबह साढ़े नौ बजे");
});
