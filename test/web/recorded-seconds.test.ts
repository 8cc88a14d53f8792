// Length of a recording that has not loaded yet, from the facts of its call.
import { expect, test } from "bun:test";
import { recordedSeconds } from "../../src/web/pages/calls/recorded-seconds.ts";

const recording = { mode: "ask", consent: "given", from: null, until: null } as const;

test.each([
  ["without facts, the call's length", 60, null, 60],
  ["begun with the call", 60, { ...recording, from: 0 }, 60],
  ["begun later", 60, { ...recording, from: 6.5 }, 53.5],
  ["ended before the call", 60, { ...recording, from: 6.5, until: 20 }, 13.5],
  ["nothing recorded", 60, recording, 0],
  ["begun in the second in which the call ended", 6, { ...recording, from: 6.4 }, 0],
  ["a call that has not ended", null, { ...recording, from: 6.5 }, 0],
])("%s", (_, callSeconds, facts, expected) => {
  expect(recordedSeconds({ call_duration_seconds: callSeconds, recording: facts })).toBe(expected);
});
