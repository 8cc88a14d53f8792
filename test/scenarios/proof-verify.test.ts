// `ringward proof verify` on files of every kind: whole, changed, cut, endless, foreign, or no proofs at all.
import { beforeAll, expect, test } from "bun:test";
import { closeSync, mkdtempSync, openSync, writeFileSync, writeSync } from "node:fs";
import { join } from "node:path";
import { createSigner, signedLine } from "../../src/rules/proof/signature.ts";
import { leaveNothingBehind, runBinary, tempFolder } from "../support/binary.ts";
import { chainOf, headAfter, ORGANISATIONS, SIGNER } from "../support/proof-chain.ts";

leaveNothingBehind();

const COUNT = 10;
const OTHER = createSigner("08".repeat(32));
const chain = chainOf(COUNT);
let folder: string;
let keys: string;
beforeAll(() => {
  folder = tempFolder();
  keys = fileOf(JSON.stringify({ keys: [{ public_key: SIGNER.key }] }));
});

function fileOf(text: string): string {
  const file = join(mkdtempSync(join(folder, "f-")), "file");
  writeFileSync(file, text, "latin1");
  return file;
}

const textOf = (lines: readonly string[]) => lines.map((line) => `${line}\n`).join("");
const verify = (text: string, ...args: string[]) =>
  runBinary(["proof", "verify", fileOf(text), "--key", keys, ...args]);
const valid = (stdout: string) => ({ code: 0, stdout: `Valid: ${stdout}\n`, stderr: "" });
const notValid = (stderr: string) => ({ code: 1, stdout: "", stderr: `Not valid${stderr}\n` });

test("a whole file is valid, also without the last line feed, and up to its head", async () => {
  const head = fileOf(`${headAfter(chain)}\n`);
  expect(await verify(textOf(chain))).toEqual(valid("10 proofs, the last is record 10."));
  expect(await verify(chain.join("\n"), "--head", head)).toEqual(valid("10 proofs, the last is record 10."));
  expect(await verify(`${chain[3]!}\n`)).toEqual(valid("1 proof, the last is record 4."));
});

test("without keys the signer is named, and records of other organisations are counted", async () => {
  const own = chainOf(6, ORGANISATIONS).filter((_, at) => at % 2 === 0);
  const { code, stdout } = await runBinary(["proof", "verify", fileOf(textOf(own))]);
  expect([code, stdout.split("\n")]).toEqual([
    0,
    [
      "Valid: 3 proofs, the last is record 5.",
      "2 records between them belong to other organisations.",
      `Signed with ${SIGNER.key}. Compare it with the appliance's key.`,
      "",
    ],
  ]);
});

test("each change is reported with its line", async () => {
  const changed = chain.with(4, chain[4]!.replace('"state":"completed"', '"state":"failed"'));
  expect(changed[4]).not.toBe(chain[4]!);
  const [last = ""] = chain.slice(-1);
  const cases: [string, string][] = [
    [textOf(changed), ", line 5: Its content does not match its hash."],
    [
      textOf(chain.toSpliced(4, 1)),
      ", line 5: Record 6 of organisation org_a follows its record 4: records between them are missing.",
    ],
    [textOf(chain.with(4, chain[3]!)), ", line 5: Record 4 follows record 4: out of order or twice."],
    [textOf(chain).slice(0, -40), ", line 10: It is not canonical JSON."],
    [textOf(chain).replaceAll("\n", "\r\n"), ", line 1: It is not canonical JSON."],
    [`${textOf(chain)}\n`, ", line 11: It is not canonical JSON."],
    [`\xef\xbb\xbf${textOf(chain)}`, ", line 1: It is not canonical JSON."],
    [textOf(chain.with(9, last.replace(/"signature":"./, '"signature":"z'))), ", line 10: Its signature is not valid."],
    ["", ": There is no proof in it."],
    ["\0\xff\n", ", line 1: It is not canonical JSON."],
    [`${"[".repeat(90_000)}\n`, ", line 1: It is not canonical JSON."],
    ["null\n", ", line 1: It is not canonical JSON."],
    ["[]\n", ", line 1: It is not a record with hash and signature."],
    [`${headAfter(chain)}\n`, ", line 1: It is not a record with hash and signature."],
    [
      textOf(chainOf(1, ["org_a"], OTHER)),
      `, line 1: It is signed with ${OTHER.key}, which is not a key of the appliance.`,
    ],
  ];
  for (const [text, words] of cases) expect(await verify(text)).toEqual(notValid(words));
});

test("a head of other records, a changed head and a proof in place of a head are refused", async () => {
  const head = headAfter(chain);
  const cases: [string, string][] = [
    [headAfter(chainOf(COUNT, ["org_b"])), ", line 10: Record 10 is not the one that the head names."],
    [headAfter(chainOf(11)), ": Record 11, which the head names, is missing: records were cut off at the end."],
    [head.replace('"sequence":10', '"sequence":9'), ": Its content does not match its hash."],
    [chain[9]!, ": It is not a head with hash and signature."],
    ["", ": It is not canonical JSON."],
  ];
  for (const [text, words] of cases)
    expect(await verify(textOf(chain), "--head", fileOf(text))).toEqual(notValid(words));
});

test("signed objects without the members of a proof or a head are not valid", async () => {
  const { record } = JSON.parse(chain[0]!) as { record: Record<string, unknown> };
  const without = (name: string) => Object.fromEntries(Object.entries(record).filter(([key]) => key !== name));
  const odd: object[] = [
    without("chain"),
    without("organisation"),
    { ...record, chain: null },
    { ...record, chain: [] },
    { ...record, organisation: { previous: "0".repeat(64), sequence: 1 } },
    { ...record, organisation: { ...(record["organisation"] as object), id: 7 } },
  ];
  for (const value of odd) {
    const { code, stdout, stderr } = await verify(`${signedLine("record", value, SIGNER).line}\n`);
    expect([code, stdout, stderr]).toEqual([1, "", expect.stringMatching(/^Not valid, line 1: Its place in the /)]);
  }
  const { head } = JSON.parse(headAfter(chain)) as { head: Record<string, unknown> };
  for (const change of [{ sequence: null }, { sequence: 0 }, { last: 1 }, { organisation: 3 }]) {
    const text = signedLine("head", { ...head, ...change }, SIGNER).line;
    expect(await verify(textOf(chain), "--head", fileOf(text))).toEqual(notValid(": The head names no record."));
  }
});

test("3,000 proofs are verified, and a changed one among them is found", async () => {
  const long = chainOf(3_000);
  expect(await verify(textOf(long))).toEqual(valid("3000 proofs, the last is record 3000."));
  const changed = long.with(2_998, long[2_998]!.replace('"opted_out":false', '"opted_out":true'));
  expect(await verify(textOf(changed))).toEqual(notValid(", line 2999: Its content does not match its hash."));
}, 180_000);

test("a line without an end, and keys or a head of that size, are refused", async () => {
  const file = join(folder, "endless");
  const piece = Buffer.alloc(1024 * 1024, "9");
  const to = openSync(file, "w");
  for (let i = 0; i < 100; i++) writeSync(to, piece);
  closeSync(to);
  expect(await runBinary(["proof", "verify", file, "--key", keys])).toEqual(
    notValid(", line 1: It is too long for a proof."),
  );
  // Keys and heads are small files, too.
  for (const option of ["--key", "--head"]) {
    const { code, stderr } = await runBinary(["proof", "verify", fileOf(textOf(chain)), option, file]);
    expect([code, stderr]).toEqual([1, expect.stringContaining(`${file} is too large`)]);
  }
});

test("files that cannot be read are named", async () => {
  const missing = join(folder, "missing");
  const good = fileOf(textOf(chain));
  const cases = [[missing], [folder], [good, "--key", missing], [good, "--head", folder]];
  for (const args of cases) {
    const { code, stdout, stderr } = await runBinary(["proof", "verify", ...args]);
    expect([code, stdout, stderr]).toEqual([1, "", expect.stringMatching(/^(?:Error: )?\S+ cannot be read: /)]);
  }
  expect(await runBinary(["proof", "verify", good, "--key", fileOf("no key in here")])).toEqual(
    notValid(": The key file has no public key."),
  );
  expect((await runBinary(["proof", "verify"])).code).toBe(2);
});
