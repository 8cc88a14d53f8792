// What the call's page says about its recording, in English.
import { expect, test } from "bun:test";
import type { CallView } from "../../src/calls/model.ts";
import { recordingText, whyNotRecorded } from "../../src/web/pages/calls/recording-facts.tsx";

type Recording = NonNullable<CallView["recording"]>;

const report = (change: Partial<Recording> = {}): Recording => ({
  mode: "announce",
  consent: null,
  from: null,
  until: null,
  ...change,
});

test.each([
  [null, null],
  [report({ from: 5.2 }), "Announce, recorded from 0:05"],
  [report({ mode: "ask", consent: "given", from: 65 }), "Ask first, the callee agreed, recorded from 1:05"],
  [
    report({ mode: "ask", consent: "withdrawn", from: 5, until: 20 }),
    "Ask first, the callee withdrew their consent, recorded from 0:05 to 0:20",
  ],
  [report({ mode: "ask" }), "Ask first, the callee gave no answer"],
  [report({ mode: "off" }), "Do not record"],
])("%j reads %s", (recording, text) => {
  expect(recordingText({ recording })).toBe(text);
});

const why = (recording: Recording | null, expiredAt: string | null = null) =>
  whyNotRecorded({ recording, recording_expired_at: expiredAt } as CallView, "Asia/Kolkata");

test("a call without a recording says why, where the reason is known", () => {
  expect(why(report({ mode: "off" }))).toContain("recording is off");
  expect(why(report({ mode: "ask", consent: "refused" }))).toContain("the callee refused");
  expect(why(report({ mode: "ask" }))).toContain("did not answer");
  expect(why(report())).toContain("before the announcement");
  expect(why(null)).toBeNull();
  expect(why(report({ from: 3 }))).toBeNull();
  expect(why(report({ from: 3 }), "2026-12-01T06:30:00.000Z")).toMatch(/removed on .*1 Dec/);
});
