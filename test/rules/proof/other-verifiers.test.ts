// Three other verifiers agree with ours on valid and on changed files: the published page in JavaScript, one in PHP by
// the author of the format, and one in Go by an engineer who had read only the description in the handbook.
import { expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { proofVerifierRoutes } from "../../../src/rules/proof/verifier-routes.ts";
import { createSigner, signedLine } from "../../../src/rules/proof/signature.ts";
import { ProofChecker, ProofFault, readHead } from "../../../src/rules/proof/verify.ts";
import { changedAt } from "../../support/changed-bytes.ts";
import { newDataFolder } from "../../support/temp.ts";
import { skipsFor } from "../../support/skips.ts";
import { chainOf, headAfter, ORGANISATIONS, SIGNER } from "../../support/proof-chain.ts";

interface Case {
  lines: string[];
  keys: string[];
  head: string | null;
}

const KEYS = [SIGNER.key];

function isValid({ lines, keys, head }: Case): boolean {
  try {
    const known = new Set(keys);
    const checker = new ProofChecker({ keys: known, head: head === null ? null : readHead(head, known) });
    for (const line of lines) checker.add(line);
    checker.end();
    return true;
  } catch (error) {
    if (!(error instanceof ProofFault)) throw error;
    return false;
  }
}

const inOrder = (value: object): object =>
  Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)));

/** The first of these proofs with members that a later version may add. */
function withMore([line = ""]: readonly string[]): string {
  const { record } = JSON.parse(line) as { record: object };
  return signedLine("record", inOrder({ ...record, later: { added: [{}, [], ""] } }), SIGNER).line;
}

/** Whole files, files with a change of every kind, and one changed byte at every place of a proof. */
function cases(): Case[] {
  const one = chainOf(12);
  const both = chainOf(20, ORGANISATIONS);
  const own = both.filter((line) => line.includes('"id":"org_a"'));
  const of = (lines: string[], head: string | null = null, keys = KEYS): Case => ({ lines, keys, head });
  const line = one[4]!;
  const bytes = Array.from({ length: line.length }, (_, at) => {
    const other = String.fromCharCode((line.charCodeAt(at) + 1 + (at % 90)) % 128);
    return of([line.slice(0, at) + other + line.slice(at + 1)]);
  });
  // Each as the character U+0080 to U+00FF: two bytes of UTF-8.
  const high = Array.from({ length: line.length }, (_, at) => of([changedAt(line, at, 128)]));
  return [
    of(one),
    of(one.slice(3)),
    of([one[5]!]),
    of(both, headAfter(both)),
    of(own, headAfter(both, "org_a")),
    of(own.slice(2, 7)),
    of([withMore(one)]),
    of(one, headAfter(one.slice(0, 8))),
    of([]),
    of(one.toSpliced(4, 1)),
    of(one.toSpliced(4, 0, one[4]!)),
    of(one.toSpliced(4, 2, one[5]!, one[4]!)),
    of(own.toSpliced(4, 1)),
    of(both.toSpliced(6, 1)),
    of(one.slice(0, 11), headAfter(one)),
    of(own, headAfter(both)),
    of(chainOf(12, ["org_b"]), headAfter(one)),
    of(one, null, [createSigner("09".repeat(32)).key]),
    of(chainOf(3, ["org_a"], createSigner("09".repeat(32)))),
    of(one, headAfter(one).replace('"at"', '"as"')),
    of([line.replace('"sequence":5', '"sequence":5.0')]),
    of([line.replace('"call":"', '"call":"\\u0063')]),
    of([`${line} `]),
    of([line.toUpperCase()]),
    of([JSON.stringify({ ...(JSON.parse(line) as object), more: 1 })]),
    of([line.replace('"hash":', '"hash":"","hash":')]),
    of([line.replace('"simulated":true', '"simulated":false,"simulated":true')]),
    of([line.replace(',"signature":', ',"record":{},"signature":')]),
    of([line.replace('{"hash"', '{"__proto__":{},"hash"')]),
    of([line.replace('"record":{', '"record":{"__proto__":{"simulated":false},')]),
    of([`{"__proto__":${line}}`]),
    of([JSON.stringify(Object.fromEntries(Object.entries(JSON.parse(line) as object).toReversed()))]),
    of(one, ""),
    of(one, " "),
    of(one, `\ufeff${headAfter(one)}`),
    of(one, null, []),
    of([`\ufeff${one[0]!}`, ...one.slice(1)]),
    ...bytes,
    ...high,
  ];
}

/** Signed, but with more than a proof has, or without what a proof or a head must have. */
function oddlySigned(): Case[] {
  const [line = "", ...others] = chainOf(3);
  const { record } = JSON.parse(line) as { record: Record<string, unknown> };
  const { head } = JSON.parse(headAfter([line, ...others])) as { head: Record<string, unknown> };
  const without = (value: object, name: string) =>
    Object.fromEntries(Object.entries(value).filter(([key]) => key !== name));
  const own = record["organisation"] as object;
  const records = [
    ...["chain", "organisation", "key", "format"].map((name) => without(record, name)),
    ...[null, [], {}, "a", { sequence: 1 }, { previous: "0".repeat(64) }].map((chain) => ({ ...record, chain })),
    ...[-1, 0, "1", null, 2].map((sequence) => ({ ...record, chain: { previous: "0".repeat(64), sequence } })),
    JSON.parse(JSON.stringify(record).replace('"chain":{', '"__proto__":{"chain":{},')) as object,
    inOrder({ ...record, "": 1 }),
    ...[7, null, {}].map((id) => ({ ...record, organisation: { ...own, id } })),
    { ...record, organisation: without(own, "id") },
    [],
  ];
  const heads = [
    ...["organisation", "sequence", "last", "key", "format"].map((name) => without(head, name)),
    ...[0, null, "3"].map((sequence) => ({ ...head, sequence })),
    { ...head, last: 3 },
    { ...head, organisation: 3 },
  ];
  return [
    ...records.map((value) => ({ lines: [signedLine("record", value, SIGNER).line], keys: KEYS, head: null })),
    ...heads.map((value) => ({
      lines: [line, ...others],
      keys: KEYS,
      head: signedLine("head", value, SIGNER).line,
    })),
  ];
}

/** How many proofs have one byte changed. */
const CHANGED = Number(process.env["RINGWARD_PROOFS_CHANGED"] ?? 500);

function changedOnce(): Case[] {
  return chainOf(CHANGED).map((line, at) => {
    const place = (at * 7) % line.length;
    const other = String.fromCharCode((line.charCodeAt(place) + 1 + (at % 127)) % 128);
    return { lines: [line.slice(0, place) + other + line.slice(place + 1)], keys: KEYS, head: null };
  });
}

const ALL = [...cases(), ...oddlySigned(), ...changedOnce()];
const VERDICTS = ALL.map(isValid);

test("the cases are valid where nothing was changed, and only there", () => {
  expect(VERDICTS.map((valid, at) => (valid ? at : -1)).filter((at) => at >= 0)).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
  expect(ALL.length).toBeGreaterThan(2_500 + CHANGED);
});

test("the page in JavaScript agrees", async () => {
  const code = await (
    await proofVerifierRoutes().handle(new Request("http://localhost/docs/verify-proofs/verify.js"))
  ).text();
  const file = join(await newDataFolder(), "verify.mjs");
  writeFileSync(file, `${code}\nexport { verifyProofs };`);
  const { verifyProofs } = (await import(file)) as {
    verifyProofs: (proofs: string, keys: readonly string[] | null, head: string | null) => Promise<{ count: number }>;
  };
  const verdicts: boolean[] = [];
  for (const { lines, keys, head } of ALL) {
    verdicts.push(
      await verifyProofs(lines.map((line) => `${line}\n`).join(""), keys, head).then(
        ({ count }) => count === lines.length,
        () => false,
      ),
    );
  }
  expect(verdicts).toEqual(VERDICTS);
  // Where no file was chosen, the page names the keys to compare.
  const { lines } = ALL[0]!;
  expect((await verifyProofs(lines.join("\n"), null, null)).count).toBe(lines.length);
}, 180_000);

const hasPhp = Bun.which("php") !== null && Bun.spawnSync(["php", "-m"]).stdout.toString().includes("sodium");

/** The program reads the cases as JSON, and prints a line for each. */
function verdictsOf(...command: string[]): boolean[] {
  const { stdout, exitCode, stderr } = Bun.spawnSync(command, { stdin: Buffer.from(JSON.stringify(ALL)) });
  expect([exitCode, stderr.toString()]).toEqual([0, ""]);
  return stdout
    .toString()
    .trimEnd()
    .split("\n")
    .map((line) => line === "valid");
}

test.skipIf(skipsFor(!hasPhp, "needs PHP with sodium"))(
  "a verifier in PHP agrees",
  () => expect(verdictsOf("php", join(import.meta.dir, "verify.php"))).toEqual(VERDICTS),
  180_000,
);

test.skipIf(skipsFor(Bun.which("go") === null, "needs Go"))(
  "a verifier in Go, written from the description alone, agrees",
  () => expect(verdictsOf("go", "run", join(import.meta.dir, "verify.go"))).toEqual(VERDICTS),
  300_000,
);

test("the page runs its own script alone and shows its code", async () => {
  const response = await proofVerifierRoutes().handle(new Request("http://localhost/docs/verify-proofs"));
  const text = await response.text();
  const script = /<script>([\s\S]*)<\/script>/.exec(text)?.[1] ?? "";
  const digest = new Bun.CryptoHasher("sha256").update(script).digest("base64");
  expect(response.headers.get("content-security-policy")).toContain(`script-src 'sha256-${digest}'`);
  expect(text).toContain("async function verifyProofs(");
  expect(text.match(/<script/g)).toHaveLength(1);
});
