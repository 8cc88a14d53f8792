import { expect, test } from "bun:test";
import fc from "fast-check";
import { serialise } from "../../../../src/telephony/sip/message/message.ts";
import { SipParseError } from "../../../../src/telephony/sip/message/parse-error.ts";
import { createStreamFraming } from "../../../../src/telephony/sip/transport/stream-framing.ts";
import { request } from "../message/messages.ts";

const messages = ["", "v=0\r\n\r\nm=audio", "x".repeat(20_000)].map((body) => serialise(request("INFO", { body })));

test("messages come out whole however the stream is cut, with keep-alives between them", () => {
  const stream = Buffer.concat(messages.flatMap((message) => [Buffer.from("\r\n\r\n"), message, Buffer.from("\r\n")]));
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 1, max: 5_000 }), { minLength: 1, maxLength: 40 }), (sizes) => {
      const framing = createStreamFraming();
      const found: Buffer[] = [];
      let at = 0;
      for (const size of [...sizes, stream.length]) {
        found.push(...framing.push(stream.subarray(at, at + size)).messages);
        at += size;
      }
      expect(found.map(String)).toEqual(messages.map(String));
    }),
    { numRuns: 50 },
  );
});

test("a ping of two CRLFs is counted, so that it can be answered", () => {
  expect(createStreamFraming().push(Buffer.from("\r\n\r\n")).pings).toBe(1);
  expect(createStreamFraming().push(Buffer.from("\r\n")).pings).toBe(0);
});

test.each([
  ["no Content-Length", "OPTIONS sip:a SIP/2.0\r\nVia: x\r\n\r\n"],
  ["a Content-Length that is no number", "OPTIONS sip:a SIP/2.0\r\nContent-Length: many\r\n\r\n"],
  ["a Content-Length past every message", "OPTIONS sip:a SIP/2.0\r\nl: 900000\r\n\r\n"],
  ["headers without end", "x".repeat(70_000)],
])("a stream with %s cannot go on", (_, text) => {
  expect(() => createStreamFraming().push(Buffer.from(text))).toThrow(SipParseError);
});
