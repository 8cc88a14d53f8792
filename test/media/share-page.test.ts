// The public page as text: it contains only escaped words, whatever was said in the call.
import { describe, expect, test } from "bun:test";
import type { SharedCall } from "../../src/media/share-view.ts";
import { CALL_STATES } from "../../src/payloads/call-state.ts";
import {
  dateInWords,
  label,
  languageTag,
  lengthInWords,
  position,
  speakerName,
  value,
} from "../../src/media/share-page/format.ts";
import { html } from "../../src/core/html.ts";
import { callPage, invalidLinkPage } from "../../src/media/share-page/page.ts";
import { browserScript } from "../../src/media/share-page/script.ts";
import { ENGLISH } from "../../src/media/share-page/words.ts";

const HOSTILE = `</p><script>alert(1)</script><img src=x onerror='alert("2")'>&amp;`;
const ESCAPED =
  "&lt;/p&gt;&lt;script&gt;alert(1)&lt;/script&gt;&lt;img src=x onerror=&#39;alert(&quot;2&quot;)&#39;&gt;&amp;amp;";

function call(changes: Partial<SharedCall["call"]> = {}, text = "Good morning."): SharedCall {
  return {
    call: {
      call_id: "call_1",
      status: "completed",
      call_direction: "outbound",
      call_to: "+15555550123",
      call_from: null,
      call_duration_seconds: 65,
      agent_name: "Asha",
      contact_name: "Priya Raman",
      contact_preferred_language: "hi-IN",
      scheduled_at: "2026-11-15T20:00:00.000Z",
      call_triggered_at: "2026-11-15T20:00:00.000Z",
      completed_at: "2026-11-15T20:01:05.000Z",
      ...changes,
    },
    insights: {
      analytics: { summary: text, sentiment: "positive", next_steps: text, disposition: "callback_scheduled" },
      extracted_details: { [text]: text, wheelchair: true },
      analysis_source: {
        summary: "rules",
        sentiment: "rules",
        next_steps: "rules",
        disposition: "rules",
        details: { wheelchair: { source: "model", utterance: 1 } },
      },
    },
    transcript: [
      { speaker: "agent", text, timestamp: 0 },
      { speaker: text, text, timestamp: 62.5 },
    ],
    appointments: [
      {
        appointment_id: "apt_1",
        status: "confirmed",
        date: "2026-11-20",
        start_time: "09:00",
        end_time: "12:00",
        batch: text,
        appointment_type_name: text,
      },
    ],
  };
}

const RECORDING = "recording.wav?token=t";

describe("escaping", () => {
  test("turns every value of a template into text, in lists too, and leaves templates within as they are", () => {
    expect(html`<p title="${HOSTILE}">${[html`<b>${"<"}</b>`, "&", 1, null]}</p>`.text).toBe(
      `<p title="${ESCAPED}"><b>&lt;</b>&amp;1</p>`,
    );
  });

  test("reaches every field of a call", () => {
    const hostile = {
      agent_name: HOSTILE,
      contact_name: HOSTILE,
      contact_preferred_language: HOSTILE,
      call_to: HOSTILE,
    };
    const page = callPage(call(hostile, HOSTILE), RECORDING);
    expect(page).not.toContain("alert(1)</script>");
    expect(page).not.toContain("<img");
    // Two names and a number above, summary and next steps, a fact's name and value, two lines, and so on.
    expect(page.split(ESCAPED).length - 1).toBeGreaterThanOrEqual(12);
  });
});

describe("the page", () => {
  test("asks for nothing but its own stylesheet, script and recording, by relative address", () => {
    const page = callPage(call(), RECORDING);
    const addresses = [...page.matchAll(/(?:src|href)="([^"]*)"/g)].map(([, address]) => address);
    expect([...new Set(addresses)]).toEqual([
      "../../../favicon.svg",
      "../../assets/share.css",
      "recording.wav?token=t",
      "recording.wav?token=t#t=0",
      "recording.wav?token=t#t=62.5",
      "../../assets/share.js",
    ]);
    expect(page).not.toMatch(/<style|style="|<script>|\son\w+=/);
  });

  test("seeks in a recording that began after the answer to where each line is heard", () => {
    const page = callPage(call(), RECORDING, 12.5);
    expect([...page.matchAll(/#t=([0-9.]+)"/g)].map(([, at]) => at)).toEqual(["0", "50"]);
    expect([...page.matchAll(/data-at="([0-9.]+)"/g)].map(([, at]) => at)).toEqual(["0", "50"]);
  });

  test("is complete without script: times in UTC, outcome in words, every line", () => {
    const page = callPage(call(), RECORDING);
    const expected = [
      "Call between Asha and Priya Raman",
      "Sunday, 15 November 2026 at 20:00\u00A0UTC",
      "1 min 5 s",
      "A callback was agreed",
      "Positive",
      "Friday, 20 November 2026",
      "09:00 to 12:00",
      "Wheelchair (language model)",
      "<audio controls",
      `lang="hi-IN">Good morning.`,
    ];
    for (const text of expected) expect(page).toContain(text);
  });

  test("tells no name in its title, which messengers show to everybody", () => {
    expect(callPage(call(), RECORDING)).toContain("<title>Shared phone call</title>");
  });

  test.each([...CALL_STATES])("says in words how a call stands that is %s", (status) => {
    const bare: SharedCall = {
      ...call({ status, call_triggered_at: null, call_duration_seconds: null }),
      insights: { analytics: null, extracted_details: null, analysis_source: null },
      transcript: null,
      appointments: [],
    };
    const page = callPage(bare, null);
    expect(page).toContain(`>${ENGLISH.status[status]}</p>`);
    expect(page).toContain("Planned for");
    expect(page).not.toContain("<audio");
    expect(page).not.toContain("<ol");
    expect(page).not.toMatch(/undefined|null|NaN/);
  });

  test("without a recording shows the lines, and offers none to play", () => {
    const page = callPage(call(), null);
    expect(page).toContain("Good morning.");
    expect(page).not.toContain("recording.wav");
    expect(page).not.toContain("Choose a line");
  });

  test("of a link that is not valid holds no script and no trace of a call", () => {
    expect(invalidLinkPage()).not.toMatch(/<script|call_|token/);
  });
});

test("the script that is embedded is player.ts without its types", () => {
  const script = browserScript();
  expect(script).toContain("function followTranscript(audio)");
  expect(script).not.toMatch(/: HTMLAudioElement|interface /);
});

describe("words for", () => {
  test("lengths", () => {
    expect([0, 42, 60, 65.4, 3_725].map((seconds) => lengthInWords(seconds))).toEqual([
      "0 s",
      "42 s",
      "1 min 0 s",
      "1 min 5 s",
      "1 h 2 min",
    ]);
  });

  test("places in the recording", () => {
    expect([0, 5.9, 65, 3_723, -1].map(position)).toEqual(["0:00", "0:05", "1:05", "1:02:03", "0:00"]);
  });

  test("dates, and what is no date stays as it is", () => {
    expect([dateInWords("2026-01-05"), dateInWords("soon")]).toEqual(["Monday, 5 January 2026", "soon"]);
  });

  test("speakers", () => {
    const { call: outbound } = call();
    const names = ["agent", "user", "speaker_2", "Dr. Example"].map((name) => speakerName(name, outbound));
    expect(names).toEqual(["Asha", "Priya Raman", "Speaker 2", "Dr. Example"]);
    const nobody = call({ agent_name: null, contact_name: null, call_direction: "inbound" }).call;
    expect([speakerName("agent", nobody), speakerName("user", nobody)]).toEqual(["Agent", "Caller"]);
  });

  test("noted facts, whatever their type", () => {
    expect(label("preferred_time")).toBe("Preferred time");
    const noted = [true, false, null, "", 3, [], ["a", "b"], { first_name: "A", tall: true }, "as it is"];
    expect(noted.map((each) => value(each))).toEqual([
      "Yes",
      "No",
      "Not stated",
      "Not stated",
      "3",
      "Not stated",
      "a, b",
      "First name: A; Tall: Yes",
      "as it is",
    ]);
  });

  test("languages: a tag, or none", () => {
    expect(["en", "hi-IN", "Hindi", "", `en" onclick="x`, null].map(languageTag)).toEqual([
      "en",
      "hi-IN",
      null,
      null,
      null,
      null,
    ]);
  });
});
