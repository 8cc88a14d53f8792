import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { workwatch } from "../../../src/core/clock.ts";
import { acknowledgement, readAcknowledgement } from "../../../src/exchange/hl7/message/acknowledgement.ts";
import { headerOf, messageOf, segmentOf } from "../../../src/exchange/hl7/message/build.ts";
import { encodeText } from "../../../src/exchange/hl7/message/charset.ts";
import { USUAL_DELIMITERS } from "../../../src/exchange/hl7/message/delimiters.ts";
import { escaped, unescaped } from "../../../src/exchange/hl7/message/escapes.ts";
import { Hl7Fault } from "../../../src/exchange/hl7/message/fault.ts";
import { messagesIn, parseMessage, parseText, partOf } from "../../../src/exchange/hl7/message/message.ts";
import { readTime, writeTime } from "../../../src/exchange/hl7/message/time.ts";

const utf8 = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
const HEAD = "MSH|^~\\&|HIS|MAIN|RW|MAIN|20261118120000||SIU^S12|C1|P|2.5.1";
const read = (...lines: string[]) => parseMessage(Buffer.from([HEAD, ...lines, ""].join("\r"), "utf8"));
const faultOf = (run: () => unknown): Hl7Fault => {
  try {
    run();
  } catch (error) {
    if (error instanceof Hl7Fault) return error;
    throw error;
  }
  throw new Error("No fault.");
};

describe("parts of a message", () => {
  test("fields, repetitions, components and subcomponents are found by HL7's numbers", () => {
    const message = read("PID|1||A^^^H&1.2.3&ISO^MR~B^^^X||DOE&VAN^Jane");
    const pid = message.first("PID");
    expect(message.value(message.first("MSH"), 1)).toBe("|");
    expect(message.value(message.first("MSH"), 9, 2)).toBe("S12");
    expect(message.repetitions(pid, 3).map((cx) => [partOf(cx, 1), partOf(cx, 4), partOf(cx, 4, 2)])).toEqual([
      ["A", "H", "1.2.3"],
      ["B", "X", ""],
    ]);
    expect(partOf(message.repetitions(pid, 5)[0], 1, 2)).toBe("VAN");
    expect(message.value(pid, 99)).toBe("");
    expect(message.at("PID-3.5")).toBe("MR");
  });

  test("other delimiters, two of them alone, and a fifth are read", () => {
    expect(
      parseText("MSH#:*/%#HIS\rPID###A:B*C##X/F/Y").value(parseText("MSH#:*/%#HIS\rPID###A").first("PID"), 3),
    ).toBe("A");
    const short = parseText("MSH|^~|HIS\rPID|||A\\B&C");
    expect(short.value(short.first("PID"), 3)).toBe("A\\B&C");
    expect(parseText("MSH|^~\\&#|HIS").encode()).toBe("MSH|^~\\&#|HIS\r");
  });

  test("delimiters that repeat, or that are letters, are refused", () => {
    for (const header of ["MSH|^^\\&|", "MSH|^|A", "MSHAB~\\&|", "MSH|abcd|", "MSH", "MSH|^~\\&#!|"])
      expect(faultOf(() => parseText(header)).code).toBe("AR");
  });

  test("CR, LF and CRLF end a segment, and a bare line break inside a note is text", () => {
    for (const end of ["\r", "\n", "\r\n"]) {
      const message = parseText([HEAD, "NTE|1||one", "two | three", "PV1|1|O"].join(end));
      expect(message.segments.map(({ name }) => name)).toEqual(["MSH", "NTE", "PV1"]);
      expect(message.value(message.first("NTE"), 3)).toBe("one\ntwo");
    }
  });

  test("several messages in one frame, with or without a batch envelope, are separated", () => {
    const frame = `\uFEFFFHS|^~\\&|X\rBHS|^~\\&|X\r${HEAD}\rPID|1\r${HEAD}\rPID|2|MSH|x\rBTS|2\rFTS|1\r`;
    const found = messagesIn(Buffer.from(frame)).map(parseMessage);
    expect(found.map((each) => each.value(each.first("PID"), 1))).toEqual(["1", "2"]);
    expect(found.every((each) => each.segments.length === 2)).toBe(true);
    expect(faultOf(() => messagesIn(Buffer.from("PID|1\r"))).condition).toBe(100);
  });

  test("too many segments or fields are refused", () => {
    expect(faultOf(() => read(...Array.from({ length: 1_001 }, () => "ZZZ|"))).code).toBe("AE");
    expect(faultOf(() => read(`ZZZ${"|".repeat(600)}`)).code).toBe("AE");
  });
});

describe("escapes", () => {
  const said = (raw: string) => unescaped(raw, USUAL_DELIMITERS, utf8);

  test("every sequence has its meaning", () => {
    expect(said("a\\F\\b\\S\\c\\T\\d\\R\\e\\E\\f")).toBe("a|b^c&d~e\\f");
    expect(said("\\X4A\\\\XC3A9\\ \\H\\bold\\N\\\\.br\\next\\.sp+2\\x\\.in4\\")).toBe("Jé bold\nnext\nx");
    expect(said("\\C2842\\\\M2442\\\\Zlocal\\a")).toBe("a");
  });

  test("a stray escape character is text", () => {
    expect(said("C:\\Temp\\F\\x")).toBe("C:\\Temp|x");
    expect(said("end\\")).toBe("end\\");
    expect(said("\\Xzz\\")).toBe("\\Xzz\\");
  });

  test("unescaping what was escaped gives the text again", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme", maxLength: 80 }), (text) => {
        const lines = text.replaceAll(/\r\n?/g, "\n");
        expect(said(escaped(text, USUAL_DELIMITERS))).toBe(lines);
      }),
    );
  });
});

describe("character sets", () => {
  const inSet = (charset: string, name: Uint8Array) => {
    const head = Buffer.from(`${HEAD}||||||${charset}\rPID|||||`, "latin1");
    return parseMessage(Buffer.concat([head, name]));
  };
  const nameIn = (charset: string, name: Uint8Array) => {
    const message = inSet(charset, name);
    return message.value(message.first("PID"), 5);
  };

  test("MSH-18 decides, and undeclared bytes are UTF-8 where that is valid", () => {
    expect(nameIn("8859/1", Buffer.from([0x53, 0xe9]))).toBe("Sé");
    expect(nameIn("WINDOWS-1252", Buffer.from([0x80, 0x92]))).toBe("€’");
    expect(nameIn("8859/15", Buffer.from([0xa4]))).toBe("€");
    expect(nameIn("UNICODE UTF-8", Buffer.from("रवि"))).toBe("रवि");
    expect(nameIn("", Buffer.from("रवि"))).toBe("रवि");
    expect(nameIn("ASCII", Buffer.from([0x53, 0xe9]))).toBe("Sé");
    expect(inSet("UNICODE UTF-8", Buffer.from([0x53, 0xe9])).notes).toHaveLength(1);
    expect(faultOf(() => inSet("ISO IR87", Buffer.from("x"))).condition).toBe(103);
  });

  test("what we send is encoded in the set of the receiver", () => {
    expect(encodeText("Sé€", "8859/1")).toEqual(Buffer.from([0x53, 0xe9, 0x3f]));
    expect(encodeText("Sé€", "WINDOWS-1252")).toEqual(Buffer.from([0x53, 0xe9, 0x80]));
    expect(encodeText("Sé", "ASCII")).toEqual(Buffer.from("S?"));
    expect(encodeText("रवि", "UNICODE UTF-8").toString()).toBe("रवि");
  });
});

describe("times", () => {
  const ZONE = "Asia/Kolkata";
  test("with an offset, without, to the minute, second or fraction", () => {
    const noon = Date.parse("2026-12-01T06:30:00Z");
    for (const text of [
      "202612011200",
      "20261201120000",
      "20261201120000.0000",
      "202612010630+0000",
      "2026-12-01T12:00:00",
    ])
      expect(readTime(text, ZONE)).toBe(noon);
    expect(readTime("20261201120000.25", ZONE)).toBe(noon + 250);
    expect(readTime("202612010130-0500", ZONE)).toBe(noon);
    expect(readTime(writeTime(noon), "America/New_York")).toBe(noon);
  });

  test("what is no time is null", () => {
    for (const text of [
      "",
      "2026",
      "20261201",
      "20261301",
      "202612012460",
      "202612012500",
      "tomorrow",
      "20260230T1000",
      "1e9",
    ])
      expect(readTime(text, ZONE)).toBeNull();
    expect(readTime("20261201", ZONE, "day")).toBe(Date.parse("2026-11-30T18:30:00Z"));
  });
});

describe("encode and parse", () => {
  const value = fc.string({ unit: fc.constantFrom(...Array.from("aZ9|^~\\&#.é\n रX")), maxLength: 12 });

  test("what was built is read again, whatever it contains", () => {
    fc.assert(
      fc.property(
        fc.array(fc.array(value, { minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 8 }),
        (fields) => {
          const text = messageOf([headerOf(["A", "B"]), segmentOf("ZAB", fields)]);
          const message = parseMessage(Buffer.from(text, "utf8"));
          const segment = message.first("ZAB");
          for (const [i, parts] of fields.entries())
            for (const [j, part] of parts.entries())
              expect(message.repetitions(segment, i + 1)[0]?.[j]?.[0] ?? "").toBe(part);
          expect(message.encode()).toBe(text);
        },
      ),
    );
  });

  test("parsing what was encoded is the same message", () => {
    fc.assert(
      fc.property(
        fc.array(fc.string({ unit: fc.constantFrom(...Array.from("PIDZ12|^~\\&ab \n\r")), maxLength: 30 }), {
          maxLength: 6,
        }),
        (lines) => {
          const first = read(...lines).encode();
          expect(parseMessage(Buffer.from(first, "utf8")).encode()).toBe(first);
        },
      ),
    );
  });

  test("random bytes never throw anything but a fault", () => {
    const bytes = fc.oneof(
      fc.uint8Array({ maxLength: 400 }),
      fc.uint8Array({ maxLength: 400 }).map((rest) => Buffer.concat([Buffer.from("MSH|^~\\&|"), rest])),
    );
    fc.assert(
      fc.property(bytes, (random) => {
        try {
          for (const each of messagesIn(random)) {
            const message = parseMessage(each);
            for (const segment of message.segments)
              for (const [i] of segment.fields.entries()) message.repetitions(segment, i);
            acknowledgement(message, null, { time: "1", controlId: "2" });
          }
        } catch (error) {
          expect(error).toBeInstanceOf(Hl7Fault);
        }
      }),
      { numRuns: 2_000 },
    );
  });

  test("the worst messages of the longest size are parsed within 20 ms", () => {
    const size = 64 * 1024;
    const worst = ["MSH|", "\\", "|", "^", "~", "&", "\r", "\n|", "A\\X", "ZZZ|\r", "\\.br\\"].map((part) =>
      Buffer.from(`${HEAD}\rPID|1||`.padEnd(60) + part.repeat(size / part.length)).subarray(0, size),
    );
    for (const bytes of worst) {
      const times = Array.from({ length: 5 }, () => {
        const spentMs = workwatch();
        try {
          for (const each of messagesIn(bytes)) {
            const message = parseMessage(each);
            for (const segment of message.segments) message.repetitions(segment, 3);
          }
        } catch (error) {
          expect(error).toBeInstanceOf(Hl7Fault);
        }
        return spentMs();
      });
      expect(Math.min(...times)).toBeLessThan(20);
    }
  });
});

describe("acknowledgements", () => {
  const about = (version: string, fault: Hl7Fault | null) => {
    const message = parseText(`MSH|^~\\&|HIS|MAIN|RW|EAST|20261118||SIU^S12|C|1|P|${version}`.replace("C|1", "C1"));
    return acknowledgement(message, fault, { time: "20261118120000+0000", controlId: "R1" }).split("\r");
  };
  const fault = new Hl7Fault("AE", 101, { segment: "PID", sequence: 1, field: 3 }, "No id | here.");

  test("sender and receiver are exchanged, and the version stays", () => {
    expect(about("2.3", null)).toEqual([
      "MSH|^~\\&|RW|EAST|HIS|MAIN|20261118120000+0000||ACK|R1|P|2.3",
      "MSA|AA|C1",
      "",
    ]);
    expect(about("2.4", null)[0]).toContain("|ACK^S12^ACK|");
  });

  test("a refusal has its reason in the form of the version", () => {
    expect(about("2.3.1", fault).slice(1)).toEqual([
      "MSA|AE|C1|No id \\F\\ here.",
      "ERR|PID^1^3^101&Required field missing&HL70357",
      "",
    ]);
    expect(about("2.5", fault).slice(1)).toEqual([
      "MSA|AE|C1|No id \\F\\ here.",
      "ERR||PID^1^3|101^Required field missing^HL70357|E||||PID-3: No id \\F\\ here.",
      "",
    ]);
  });

  test("a message without a header is answered too", () => {
    const answer = acknowledgement(null, fault, { time: "1", controlId: "2" });
    expect(answer).toStartWith("MSH|^~\\&|RINGWARD||||1||ACK|2|P|2.5.1\rMSA|AE||No id");
    expect(readAcknowledgement(parseText(answer))).toEqual({ code: "AE", controlId: "", text: "No id | here." });
  });
});
