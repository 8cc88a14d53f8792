// Bodies with one long list: parsed like JSON.parse at any chunk boundary, and rejected when a limit is exceeded.
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { AppError } from "../../src/core/errors.ts";
import { readListBody } from "../../src/http/list-body.ts";
import type { ListShape } from "../../src/http/list-scan.ts";
import { rememberRequest, type RequestInfo } from "../../src/http/request-info.ts";
import { createManualClock } from "../support/manual-clock.ts";

const SHAPE: ListShape = { field: "rows", mostItems: 10_000 };
const MEBIBYTE = 1024 * 1024;

interface Sent {
  shape?: ListShape;
  mostBytes?: number;
  /** Sends chunks of these sizes without a length, or one piece with its length if no sizes are given. */
  sizes?: readonly number[];
  admit?: (bytes: number) => void;
  look?: (part: Uint8Array) => void;
}

function requestOf(bytes: Uint8Array, sizes: readonly number[] | undefined, pulled: { bytes: number }): Request {
  const address = "http://localhost/v1/campaigns";
  if (!sizes) {
    const headers = { "content-length": String(bytes.length) };
    return new Request(address, { method: "POST", body: bytes as BodyInit, headers });
  }
  let at = 0;
  const left = [...sizes];
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      const size = left.shift() ?? bytes.length;
      if (at >= bytes.length) controller.close();
      else controller.enqueue(bytes.subarray(at, at + size));
      pulled.bytes = Math.min(bytes.length, at + size);
      at += size;
    },
  });
  return new Request(address, { method: "POST", body });
}

async function read(text: string | Uint8Array, sent: Sent = {}) {
  const { shape = SHAPE, mostBytes = 8 * MEBIBYTE, sizes, admit, look } = sent;
  const bytes = typeof text === "string" ? new TextEncoder().encode(text) : text;
  const pulled = { bytes: 0 };
  const request = requestOf(bytes, sizes, pulled);
  const info: RequestInfo = { id: "req_1", source: () => "unknown" };
  rememberRequest(request, info);
  const bounds = {
    clock: createManualClock(),
    timeoutMs: 1_000,
    mostBytes,
    ...(admit && { admit }),
    ...(look && { look }),
  };
  try {
    return { ...(await readListBody(request, bounds, shape)), fault: null, info, pulled: pulled.bytes };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return { body: undefined, fault: `${error.code} ${error.message}`, info, pulled: pulled.bytes };
  }
}

describe("a body with a list", () => {
  const value = fc.jsonValue({ maxDepth: 3 });
  const row = fc.oneof(fc.dictionary(fc.string(), value, { maxKeys: 4 }), value);
  const body = fc.record(
    { rows: fc.array(row, { maxLength: 6 }), name: fc.constantFrom("rows", '"rows":[0', "[", "\\"), other: value },
    { requiredKeys: [] },
  );

  test("equals the result of JSON.parse, for any chunks and whitespace", async () => {
    await fc.assert(
      fc.asyncProperty(body, fc.array(fc.integer({ min: 1, max: 30 })), fc.nat(2), async (made, sizes, spaces) => {
        const text = JSON.stringify(made, null, spaces);
        expect((await read(text, { sizes })).body).toEqual(JSON.parse(text));
      }),
    );
  });

  test("is passed on in parts of at most 64 KiB, complete and in order", async () => {
    const text = JSON.stringify({ rows: Array.from({ length: 9_000 }, (_, i) => ({ name: `row ${i} `.repeat(20) })) });
    for (const sizes of [undefined, [70_000, 1, 200_000], [text.length]]) {
      const parts: Uint8Array[] = [];
      expect(
        (await read(text, { ...(sizes && { sizes }), look: (part) => void parts.push(part.slice()) })).fault,
      ).toBeNull();
      expect(Buffer.concat(parts).toString()).toBe(text);
      expect(Math.max(...parts.map(({ length }) => length))).toBeLessThanOrEqual(64 * 1024);
    }
  });

  test("may have its fields in any order, and rows inside other fields", async () => {
    for (const text of [
      '{"rows":[{"a":1},{"b":"]}"}],"name":"x"}',
      '{"rows":[0,"a, ]",[1,{"b":[]}],null , {} ,true],"x":1}',
      '{"name":"rows","other":{"rows":[0,1]},"rows":[{"rows":[1,[2]]}]}',
      '{ "rows" : [ ] }',
      '{"rows":{"a":[1]},"x":[1]}',
      '{"rows":"no list"}',
      "[]",
      '["rows",[1,2]]',
    ])
      expect((await read(text)).body).toEqual(JSON.parse(text));
  });

  test.each([
    ["nothing", "", "VALIDATION_ERROR A JSON body is required."],
    ["a body that ends early", '{"rows":[{"a":1}', "VALIDATION_ERROR The body is not valid JSON."],
    ["an item that ends early", '{"rows":[{"a":', "VALIDATION_ERROR The body is not valid JSON."],
    ["no comma", '{"rows":[{}{}]}', "VALIDATION_ERROR The body is not valid JSON."],
    ["a comma at the end", '{"rows":[{},]}', "VALIDATION_ERROR The body is not valid JSON."],
    ["two commas", '{"rows":[{},,{}]}', "VALIDATION_ERROR The body is not valid JSON."],
    ["a broken item", '{"rows":[{},{]}]}', "VALIDATION_ERROR The body is not valid JSON."],
    ["a list that is there twice", '{"rows":[{}],"rows":[{}]}', "VALIDATION_ERROR rows was sent twice. Send it once."],
    [
      "once more in other letters",
      '{"rows":[{}],"r\\u006fws":[{}]}',
      "VALIDATION_ERROR rows was sent twice. Send it once.",
    ],
    ["a NUL", '{"rows":[{},{"a":{"b":"\\u0000"}}]}', "VALIDATION_ERROR rows.1.a.b must not hold the character NUL."],
  ])("with %s is rejected with a message", async (_, text, fault) => {
    expect((await read(text)).fault).toBe(fault);
  });

  test("with bytes that are not UTF-8 is rejected with a message", async () => {
    const [before, after] = ['{"rows":[{"a":"', '"}]}'].map((text) => Buffer.from(text));
    const latin = Buffer.concat([before!, Buffer.from([0xe9]), after!]);
    expect((await read(latin)).fault).toBe("VALIDATION_ERROR The body is not valid UTF-8.");
  });
});

describe("reading stops at the first byte that exceeds a limit:", () => {
  const sizes = Array.from({ length: 200 }, () => 64 * 1024);
  const many = (item: string, count: number) => `{"rows":[${`${item},`.repeat(count - 1)}${item}]}`;
  test.each([
    ["too many numbers", many("0", 4 * MEBIBYTE - 10), "VALIDATION_ERROR rows must be a list of 1 to 10000 rows."],
    ["too many texts", many('"a"', 1_000_000), "VALIDATION_ERROR rows must be a list of 1 to 10000 rows."],
    ["too many tables", many("{}", 1_000_000), "VALIDATION_ERROR rows must be a list of 1 to 10000 rows."],
    [
      "an item that is too long",
      many(`{"a":"${"x".repeat(MEBIBYTE)}"}`, 4),
      "VALIDATION_ERROR rows.0 must not exceed 64 KiB.",
    ],
    [
      "too many values",
      many(`{"a":[${"0,".repeat(20_000)}0]}`, 100),
      "VALIDATION_ERROR The body must not hold more than 500,000 values.",
    ],
    [
      "too much beside the list",
      `{"junk":[${"0,".repeat(400_000)}0],"rows":[{}]}`,
      "PAYLOAD_TOO_LARGE The body must not exceed 256 KiB beside rows.",
    ],
    [
      "too many levels",
      `{"rows":[{"a":${"[".repeat(50_000)}`,
      "VALIDATION_ERROR The body must not be nested deeper than 100 levels.",
    ],
  ])("%s", async (_, text, fault) => {
    const { fault: told, pulled, info } = await read(text, { sizes });
    expect(told).toBe(fault);
    expect(pulled).toBeLessThan(1.2 * MEBIBYTE);
    // The length of the rest is unknown, so the connection cannot be reused.
    expect(info.closesConnection).toBeTrue();
    expect((await read(text)).fault).toBe(fault);
  });
});

test("a large body is admitted by its length or the maximum length; a small body needs no admission", async () => {
  const asked: number[] = [];
  const admit = (bytes: number) => void asked.push(bytes);
  const large = JSON.stringify({ rows: Array.from({ length: 5_000 }, () => ({ note: "x".repeat(100) })) });
  expect((await read(large, { admit })).fault).toBeNull();
  expect((await read(large, { admit, sizes: [1_000] })).fault).toBeNull();
  expect((await read('{"rows":[{}]}', { admit })).fault).toBeNull();
  expect(asked).toEqual([large.length, 8 * MEBIBYTE]);
});
