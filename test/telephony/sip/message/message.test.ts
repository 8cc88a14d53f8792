import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { parseNameAddress, parseVia } from "../../../../src/telephony/sip/message/header-fields.ts";
import { parseMessage, serialise } from "../../../../src/telephony/sip/message/message.ts";
import { SipParseError } from "../../../../src/telephony/sip/message/parse-error.ts";
import { formatUri, parseUri } from "../../../../src/telephony/sip/message/uri.ts";
import { parseText, request } from "./messages.ts";
import { cpuMsOf } from "../../../support/cpu-time.ts";

const FOLDED = `INVITE sip:+919800000001@[2001:db8::1]:5070;transport=tcp SIP/2.0
v: SIP/2.0/TCP [2001:db8::9]:5060;branch=z9hG4bKx;rport
Via: SIP/2.0/UDP proxy.example.com;branch=z9hG4bKy, SIP/2.0/UDP 192.0.2.9:5080;branch=z9hG4bKz
f: "Clinic, \\"East\\"" <sip:clinic@example.org;user=phone>;tag=abc
t: sip:+919800000001@example.com
i: call-1@example.org
CSeq:   7
  INVITE
m: <sip:a@192.0.2.1>, "b, c" <sip:b@192.0.2.2;lr>;q=0.5
Subject:
k: timer, 100rel
l: 4

body and what follows`;

test("compact names, folded lines, lists, quotes and IPv6 are understood", () => {
  const message = parseText(FOLDED);
  expect(message).toMatchObject({ kind: "request", method: "INVITE", callId: "call-1@example.org" });
  expect(message.cseq).toEqual({ number: 7, method: "INVITE" });
  expect(message.via).toMatchObject({ protocol: "TCP", host: "2001:db8::9", port: 5060 });
  expect(message.headers.all("via")).toHaveLength(3);
  expect(message.from).toMatchObject({ displayName: `Clinic, "East"`, uri: "sip:clinic@example.org;user=phone" });
  expect({ ...message.from.parameters }).toEqual({ tag: "abc" });
  expect(message.to).toMatchObject({ displayName: null, uri: "sip:+919800000001@example.com" });
  expect(message.headers.all("Contact")).toEqual(["<sip:a@192.0.2.1>", `"b, c" <sip:b@192.0.2.2;lr>;q=0.5`]);
  expect(message.headers.all("supported")).toEqual(["timer", "100rel"]);
  expect(message.body.toString()).toBe("body");
});

test("what is written can be read again and says the same", () => {
  const first = parseText(FOLDED);
  const second = parseMessage(serialise(first));
  expect(second.headers.lines()).toEqual(first.headers.lines());
  expect(second.body.equals(first.body)).toBeTrue();
  expect(serialise(second).equals(serialise(first))).toBeTrue();
});

test("without Content-Length a datagram's body reaches to its end", () => {
  expect(request("INVITE", { body: "v=0\r\n" }).body.toString()).toBe("v=0\r\n");
});

const VALID = serialise(request("INVITE", { extra: "Content-Length: 0\n" })).toString();
const withLine = (line: string) => VALID.replace("Call-ID", `${line}\r\nCall-ID`);

test.each([
  ["nothing", ""],
  ["no empty line", VALID.trimEnd()],
  ["no first line", VALID.slice(VALID.indexOf("\n") + 1)],
  ["another version", VALID.replace("SIP/2.0", "SIP/3.0")],
  ["a status of 700", VALID.replace("INVITE sip:them@example.com SIP/2.0", "SIP/2.0 700 Odd")],
  ["no Via", VALID.replace(/Via:.*\r\n/, "")],
  ["no From", VALID.replace(/From:.*\r\n/, "")],
  ["no Call-ID", VALID.replace(/Call-ID:.*\r\n/, "")],
  ["two Call-IDs", withLine("Call-ID: two")],
  ["two Froms", withLine("From: <sip:evil@example.net>;tag=x")],
  ["a CSeq of another method", VALID.replace("1 INVITE", "1 BYE")],
  ["a CSeq past 2^31", VALID.replace("1 INVITE", "2147483648 INVITE")],
  ["a negative Content-Length", VALID.replace("Content-Length: 0", "Content-Length: -1")],
  ["a body shorter than said", VALID.replace("Content-Length: 0", "Content-Length: 9")],
  ["a header without a name", withLine(": x")],
  ["a header without a colon", withLine("nonsense here")],
  ["a zero byte", withLine("Subject: a\0b")],
  ["151 headers", withLine(Array.from({ length: 151 }, () => "X: y").join("\r\n"))],
  ["an endless line", withLine(`Subject: ${"x".repeat(9_000)}`)],
  ["70,000 bytes", `${VALID}${"x".repeat(70_000)}`],
])("a message with %s is refused", (_, text) => {
  expect(text).not.toBe(VALID);
  expect(() => parseMessage(Buffer.from(text))).toThrow(SipParseError);
});

describe("URIs:", () => {
  test.each([
    ["sip:host", { user: null, host: "host", port: null }],
    ["SIPS:a%20b:secret@Example.COM:5061", { scheme: "sips", user: "a b", host: "example.com", port: 5061 }],
    ["sip:+91;ext=5@[::1];lr", { user: "+91;ext=5", host: "::1", port: null }],
  ])("%s is read", (text, expected) => {
    expect(parseUri(text)).toMatchObject(expected);
  });

  test.each(["", "tel:+1", "http://x", "sip:", "sip:a@", "sip:a@b:0", "sip:a@b:70000", "sip:a@[::zz]", "sip:a b@c"])(
    "%p is refused",
    (text) => {
      expect(() => parseUri(text)).toThrow(SipParseError);
    },
  );

  test("a user that would break out of its URI is escaped", () => {
    const uri = formatUri({ scheme: "sip", user: `a@b>\r\nX: y#`, host: "::1", port: 5060, parameters: {} });
    expect(uri).toBe("sip:a%40b%3E%0D%0AX%3A%20y%23@[::1]:5060");
  });
});

describe("never anything but SipParseError, and never slow:", () => {
  const survives = (parse: () => unknown) => {
    try {
      parse();
    } catch (error) {
      expect(error).toBeInstanceOf(SipParseError);
    }
  };

  test("random bytes", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 2_000 }), (bytes) => survives(() => parseMessage(Buffer.from(bytes)))),
      { numRuns: 2_000 },
    );
  });

  test("a valid message with pieces cut out, doubled and replaced", () => {
    const edit = fc.record({
      at: fc.nat(VALID.length),
      length: fc.nat(20),
      text: fc.oneof(
        fc.string({ maxLength: 30 }),
        fc.constantFrom("\r\n", "\0", ";", ",", "<", '"', ":", "\r\n ", "%"),
      ),
    });
    fc.assert(
      fc.property(fc.array(edit, { minLength: 1, maxLength: 6 }), (edits) => {
        let text = VALID;
        for (const { at, length, text: piece } of edits) text = text.slice(0, at) + piece + text.slice(at + length);
        survives(() => {
          const message = parseMessage(Buffer.from(text));
          // Whatever was let in can be written and is let in again.
          parseMessage(serialise(message));
        });
      }),
      { numRuns: 3_000 },
    );
  });

  test.each([
    ["spaces", " ".repeat(8_000)],
    ["quotes", '"'.repeat(8_000)],
    ["backslashes", `"${"\\".repeat(8_000)}`],
    ["semicolons", ";".repeat(8_000)],
    ["angle brackets", "<".repeat(8_000)],
    ["commas", ",".repeat(8_000)],
  ])("a header of nothing but %s", async (_, value) => {
    const costMs = await cpuMsOf(() => {
      survives(() => parseNameAddress(value));
      survives(() => parseVia(`SIP/2.0/UDP a${value}`));
      survives(() => parseMessage(Buffer.from(withLine(`Contact: ${value}`))).headers.all("contact"));
    });
    // A backtracking expression would take minutes.
    expect(costMs).toBeLessThan(2_000);
  });
});
