// Every change of a proof or of a chain is found: bytes, removed, swapped, repeated and cut records.
import { beforeAll, expect, test } from "bun:test";
import fc from "fast-check";
import { canonicalJson } from "../../../src/rules/proof/canonical.ts";
import { factsOf, recordOf } from "../../../src/rules/proof/record.ts";
import { createSigner, signedLine } from "../../../src/rules/proof/signature.ts";
import { ProofChecker, ProofFault, readHead } from "../../../src/rules/proof/verify.ts";
import { chanceOf } from "../../support/chance.ts";
import { changedAt, isFound } from "../../support/changed-bytes.ts";
import { chainOf, endedCall, headAfter, ORGANISATIONS, SIGNER } from "../../support/proof-chain.ts";

const KEYS = new Set([SIGNER.key]);

/** The fault, or null if everything is right. */
function faultIn(lines: readonly string[], head: string | null = null, keys: ReadonlySet<string> | null = KEYS) {
  try {
    const checker = new ProofChecker({ keys, head: head === null ? null : readHead(head, keys) });
    for (const line of lines) checker.add(line);
    checker.end();
    return null;
  } catch (error) {
    if (!(error instanceof ProofFault)) throw error;
    return error.message;
  }
}

const COUNT = 10_000;
let chain: string[] = [];
beforeAll(() => {
  chain = chainOf(COUNT);
}, 180_000);

test("10,000 proofs and their head are valid", () => {
  expect(faultIn(chain, headAfter(chain))).toBeNull();
}, 180_000);

test("lines are canonical, whatever texts a call has", () => {
  const property = fc.property(fc.nat(100), fc.string({ unit: "binary" }), (at, text) => {
    const call = endedCall(at, text);
    const basis = call.basis && { ...call.basis, rules: text, zones: [text, text], consentId: text };
    const facts = factsOf({ ...call, basis, callId: text, agentId: text, code: text });
    const chain = { previous: "0".repeat(64), sequence: 1 };
    const place = { key: SIGNER.key, sealedAt: 0, agentVersion: at, chain, own: chain };
    const stored = JSON.parse(JSON.stringify(facts)) as typeof facts;
    const { line } = signedLine("record", recordOf(stored, place), SIGNER);
    expect(canonicalJson(JSON.parse(line))).toBe(line);
  });
  fc.assert(property, { numRuns: 200 });
  const head = headAfter(chainOf(1));
  expect(canonicalJson(JSON.parse(head))).toBe(head);
});

test("one byte changed in each of 10,000 proofs is found, at a place that moves on from proof to proof", () => {
  const places = new Set<number>();
  const unseen: string[] = [];
  chain.forEach((line, at) => {
    const place = at % line.length;
    places.add(place);
    if (!isFound(changedAt(line, place, 1 + (at % 255)), KEYS)) unseen.push(`${at} at ${place}`);
  });
  expect(unseen).toEqual([]);
  expect(places.size).toBeGreaterThan(Math.min(...chain.map((line) => line.length)) - 1);
}, 180_000);

test("every byte of a few proofs is changed, each to five other values, and every change is found", () => {
  const random = chanceOf("changed bytes of proofs");
  const unseen: string[] = [];
  for (const [at, line] of [chain[4]!, chain[7]!, chain[9]!].entries()) {
    for (let place = 0; place < line.length; place++) {
      // The highest bit alone, any value, and three of one bit.
      for (const by of [128, 1 + Math.floor(random() * 255), 1, 32, 64])
        if (!isFound(changedAt(line, place, by), KEYS)) unseen.push(`${at} at ${place} by ${by}`);
    }
  }
  expect(unseen).toEqual([]);
}, 180_000);

test("every value of a byte but its own is found at a place of each kind", () => {
  const line = chain[4]!;
  const places = ['{"hash":"', '"record":{', '"sequence":', '"signature":"', "}"].flatMap((text) => [
    line.indexOf(text),
    line.indexOf(text) + text.length,
  ]);
  const unseen: string[] = [];
  for (const place of places.filter((at) => at < line.length)) {
    for (let by = 1; by < 256; by++) if (!isFound(changedAt(line, place, by), KEYS)) unseen.push(`${place} by ${by}`);
  }
  expect(unseen).toEqual([]);
}, 180_000);

test("other texts of the same values are found: members twice, in another order, or in the prototype", () => {
  const line = chain[4]!;
  const { hash, record, signature } = JSON.parse(line) as { hash: string; record: object; signature: string };
  const reversed = (value: object) => Object.fromEntries(Object.entries(value).toReversed());
  const changed = [
    line.replace('"hash":', `"hash":"${hash}","hash":`),
    line.replace('"hash":', '"hash":"","hash":'),
    line.replace('"simulated":true', '"simulated":false,"simulated":true'),
    line.replace('"simulated":true', '"simulated":true,"simulated":true'),
    line.replace(',"signature":', `,"record":{},"signature":`),
    JSON.stringify({ record, hash, signature }),
    JSON.stringify({ hash, record: reversed(record), signature }),
    line.replace('{"hash"', '{"__proto__":{},"hash"'),
    line.replace('"record":{', '"record":{"__proto__":{"simulated":false},'),
    line.replace('"record":{', '"record":{"__proto__":null,'),
    `{"__proto__":${line}}`,
  ];
  expect(changed.filter((text) => text === line)).toEqual([]);
  expect(changed.filter((text) => !isFound(text, KEYS))).toEqual([]);
  // Signed as it is: a member named __proto__ gives no other member.
  const { chain: place, ...rest } = record as { chain: object };
  const hidden = JSON.parse(`{"__proto__":${JSON.stringify({ chain: place })}}`) as object;
  const signed = signedLine(
    "record",
    Object.defineProperties({ ...rest }, Object.getOwnPropertyDescriptors(hidden)),
    SIGNER,
  );
  expect(signed.line).toContain('"__proto__":{"chain":{');
  expect(isFound(signed.line, KEYS)).toBeTrue();
});

test("inserted and deleted bytes are found", () => {
  const line = chain[5]!;
  const unseen: string[] = [];
  for (let place = 0; place <= line.length; place++) {
    for (const more of [" ", "0", "\t", ","]) {
      if (faultIn([line.slice(0, place) + more + line.slice(place)]) === null) unseen.push(`insert ${place}`);
    }
    if (place < line.length && faultIn([line.slice(0, place) + line.slice(place + 1)]) === null)
      unseen.push(`delete ${place}`);
  }
  expect(unseen).toEqual([]);
}, 180_000);

/** The chain around a place, which is enough to see a change there. */
const around = (lines: readonly string[], at: number) => lines.slice(Math.max(0, at - 2), at + 3);

test("a removed, repeated or swapped proof is found at every place", () => {
  const short = chain.slice(0, 300);
  const unseen: string[] = [];
  for (let at = 1; at < short.length - 3; at++) {
    const some = around(short, at);
    const i = some.indexOf(short[at]!);
    const removed = some.toSpliced(i, 1);
    const repeated = some.toSpliced(i, 0, short[at]!);
    const swapped = some.toSpliced(i, 2, short[at + 1]!, short[at]!);
    for (const [name, lines] of Object.entries({ removed, repeated, swapped })) {
      if (faultIn(lines) === null) unseen.push(`${name} ${at}`);
    }
    if (faultIn(some) !== null) unseen.push(`unchanged ${at}`);
  }
  expect(unseen).toEqual([]);
}, 180_000);

test("records cut off at the end are found with a published head, and not without", () => {
  const lines = chain.slice(0, 50);
  const head = headAfter(lines);
  expect(faultIn(lines.slice(0, 49))).toBeNull();
  expect(faultIn(lines.slice(0, 49), head)).toContain("cut off at the end");
  expect(faultIn(lines, head)).toBeNull();
  // More proofs since then are no fault.
  expect(faultIn(chain.slice(0, 60), head)).toBeNull();
});

test("a chain that was written anew contradicts a published head", () => {
  const lines = chain.slice(0, 50);
  expect(faultIn([...lines.slice(0, 40), ...chainOf(50, ["org_b"]).slice(40)])).toContain("does not continue");
  expect(faultIn(chainOf(50, ["org_b"]), headAfter(lines))).toContain("not the one that the head names");
});

test("an organisation's own proofs are a chain of their own, and a removed one is found there", () => {
  const both = chainOf(40, ORGANISATIONS);
  const own = both.filter((line) => line.includes('"id":"org_a"'));
  const head = headAfter(both, "org_a");
  expect(faultIn(own, head)).toBeNull();
  expect(faultIn(own.toSpliced(7, 1))).toContain("records between them are missing");
  expect(faultIn(own.slice(0, -1), head)).toContain("cut off at the end");
  // For the appliance's head, every organisation's records are needed.
  expect(faultIn(own, headAfter(both))).toContain("are missing");
  expect(faultIn(both, headAfter(both))).toBeNull();
});

test("a proof by another key is not the appliance's", () => {
  const other = chainOf(3, ["org_a"], createSigner("08".repeat(32)));
  expect(faultIn(other)).toContain("not a key of the appliance");
  expect(faultIn(other, null, null)).toBeNull();
});

test("a head with one changed byte is found at every place", () => {
  const head = headAfter(chain.slice(0, 5));
  const unseen: number[] = [];
  for (let place = 0; place < head.length; place++) {
    try {
      readHead(changedAt(head, place, 1), KEYS);
      unseen.push(place);
    } catch (error) {
      if (!(error instanceof ProofFault)) throw error;
    }
  }
  expect(unseen).toEqual([]);
});

test("proofs have no escapes, no floats and no unknown characters", () => {
  for (const line of chain.slice(0, 500)) expect(line).toMatch(/^[\x20-\x7e]*$/);
  expect(chain.slice(0, 500).join("")).not.toMatch(/\\|\d\.\d+[,}]/);
});

test("an empty file is no proof", () => {
  expect(faultIn([])).toContain("no proof");
});
