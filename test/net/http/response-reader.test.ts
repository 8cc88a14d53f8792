// One reader of HTTP/1.1 answers, held against every case of the two that it replaced (answer-cases.ts), however the
// bytes are cut into pieces.
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { NetFailure } from "../../../src/net/failure.ts";
import { NotHttp, type ResponseHead } from "../../../src/net/http/response-head.ts";
import { createResponseReader } from "../../../src/net/http/response-reader.ts";
import { ANSWER_CASES, type AnswerCase } from "./answer-cases.ts";

const SEED = 20_261_118;

function read(pieces: readonly Buffer[], closes: boolean): AnswerCase["reads"] {
  let head: ResponseHead | null = null;
  let body = "";
  let isReusable: boolean | null = null;
  const reader = createResponseReader({
    head: (found) => void (head = found),
    data: (bytes) => void (body += bytes.toString("latin1")),
    end: (reusable) => void (isReusable = reusable),
  });
  const ended = () => {
    const { status } = head ?? { status: 0 };
    return isReusable === null ? null : { status, body, isReusable };
  };
  try {
    for (const piece of pieces) {
      reader.push(piece);
      const answer = ended();
      if (answer) return answer;
    }
  } catch (error) {
    if (error instanceof NotHttp) return "not HTTP";
    throw error;
  }
  if (!closes) return "open";
  return reader.close() ? (ended() ?? "open") : "cut";
}

/** Pieces of these lengths in turn. */
function pieces(bytes: Buffer, lengths: readonly number[]): Buffer[] {
  const found: Buffer[] = [];
  for (let at = 0, i = 0; at < bytes.length; i++) {
    const length = lengths[i % lengths.length] ?? bytes.length;
    found.push(bytes.subarray(at, at + length));
    at += length;
  }
  return found;
}

describe.each(ANSWER_CASES.map((each) => [each.name, each] as const))(
  "%s",
  (_, { bytes, closes, reads, inOnePiece }) => {
    const all = Buffer.from(bytes, "latin1");

    test("is read as it should be", () => {
      expect(read([all], closes === true)).toEqual(reads);
    });

    if (inOnePiece) return;
    test("is read alike in pieces", () => {
      for (const lengths of [[1], [2, 1], [7], [19, 1], [1_000]]) {
        expect(read(pieces(all, lengths), closes === true)).toEqual(reads);
      }
    });
  },
);

test("whatever comes, in whatever pieces: an answer, a wish for more, or a NetFailure", () => {
  const text = fc.constantFrom(...ANSWER_CASES.map((each) => each.bytes.slice(0, 400)));
  const noise = fc.constantFrom("\r\n", "\n", ":", "0", "5", ";", "Content-Length: 3\r\n", "HTTP/1.1 ", "101", "\0");
  const edits = fc.array(fc.tuple(fc.nat(400), fc.nat(3), noise), { maxLength: 4 });
  const lengths = fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 4 });
  fc.assert(
    fc.property(text, edits, lengths, fc.boolean(), (base, changes, cuts, closes) => {
      let damaged = base;
      for (const [at, gone, put] of changes) damaged = damaged.slice(0, at) + put + damaged.slice(at + gone);
      const all = Buffer.from(damaged, "latin1");
      const whole = read([all], closes);
      const cut = read(pieces(all, cuts), closes);
      // In pieces an answer may end before bytes behind it have come; nothing else may differ.
      if (typeof whole === "object" && typeof cut === "object")
        expect({ ...cut, isReusable: cut.isReusable && whole.isReusable }).toEqual(whole);
      else expect(cut).toEqual(whole);
    }),
    { seed: SEED, numRuns: 1_000 },
  );
});

test("what an answer is not is told as a failure of the receiver", () => {
  const reader = createResponseReader({ head() {}, data() {}, end() {} });
  expect(() => reader.push(Buffer.from("no\r\n\r\n"))).toThrow(NetFailure);
});
