import { expect, test } from "bun:test";
import fc from "fast-check";
import { framedSyslog, LEAST_MESSAGE_BYTES, syslogMessage, type SyslogMessage } from "../../src/net/syslog-message.ts";
import { unframed } from "../support/syslog-collector.ts";

const ORIGIN = { hostName: "calls.hospital.example", appName: "ringward", procId: "audit" };
const message = (given: Partial<SyslogMessage> = {}): SyslogMessage => ({
  facility: "audit",
  severity: "notice",
  at: Date.parse("2026-11-19T04:05:06.789Z"),
  msgId: "AUDIT",
  data: { "audit@32473": { seq: 7, actor: "per_1" } },
  text: "contact.read",
  ...given,
});
const made = (given: Partial<SyslogMessage> = {}, most = LEAST_MESSAGE_BYTES) =>
  syslogMessage(message(given), ORIGIN, most).toString();

test("a message has the fields of RFC 5424 in their order", () => {
  expect(made()).toBe(
    '<109>1 2026-11-19T04:05:06.789Z calls.hospital.example ringward audit AUDIT [audit@32473 seq="7" actor="per_1"] \uFEFFcontact.read',
  );
});

test("nothing stands as a dash, and parameters without a value are left out", () => {
  const bare = syslogMessage(message({ data: {}, text: "" }), { hostName: "", appName: "", procId: "" }, 100);
  expect(bare.toString()).toBe("<109>1 2026-11-19T04:05:06.789Z - - - AUDIT -");
  expect(made({ data: { a: { b: null, c: undefined } }, text: "" })).toEndWith(" AUDIT [a]");
});

test("quotation marks, backslashes and brackets are escaped, and line breaks become spaces", () => {
  expect(made({ data: { a: { b: String.raw`x"y\z]` } }, text: "one\r\ntwo\u2028three\0" })).toEndWith(
    String.raw`[a b="x\"y\\z\]"]` + " \uFEFFone two three ",
  );
});

test("names in structured data have the characters that RFC 5424 allows", () => {
  expect(made({ data: { 'a=b]"c d': { ["é".repeat(40)]: "1" } }, text: "" })).toEndWith(
    `[a_b__c?d ${"?".repeat(32)}="1"]`,
  );
});

test("a long text is cut between characters, and data that is too long is refused", () => {
  for (const size of [200, 201, 202, 203]) {
    const bytes = syslogMessage(message({ text: "कॉल ".repeat(500) }), ORIGIN, size);
    expect(bytes.length).toBeLessThanOrEqual(size);
    expect(bytes.length).toBeGreaterThan(size - 4);
    expect(new TextDecoder("utf-8", { fatal: true }).decode(bytes)).toContain("कॉल");
  }
  expect(() => made({ data: { a: { b: "x".repeat(LEAST_MESSAGE_BYTES) } } })).toThrow("too long");
});

test("any text survives the framing as one message", () => {
  const strings = fc.string({ unit: "binary", maxLength: 60 });
  fc.assert(
    fc.property(fc.array(fc.tuple(strings, strings), { maxLength: 5 }), (texts) => {
      const all = texts.map(([text, value]) =>
        syslogMessage(message({ text, data: { a: { b: value } } }), ORIGIN, 4_096),
      );
      const { messages, rest } = unframed(Buffer.concat(all.map(framedSyslog)));
      expect(messages).toEqual(all.map(String));
      expect(rest.length).toBe(0);
      for (const each of messages) expect(each).not.toMatch(/[\p{Cc}\u2028]/u);
    }),
  );
});
