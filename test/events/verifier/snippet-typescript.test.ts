// The TypeScript snippet, and a check of the vectors: one of them catches each mistake that receivers make.
import { describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { TYPESCRIPT } from "./languages.ts";
import { codeOf, expectedVerdicts, testSnippet, verdictsOf } from "./run-snippet.ts";

const NODE_MODULES = join(import.meta.dir, "../../../node_modules");

testSnippet(TYPESCRIPT);

test("the typescript snippet compiles under the strictest settings", () => {
  const folder = mkdtempSync(join(tmpdir(), "ringward-snippet-"));
  try {
    const strictness = ["strict", "noUncheckedIndexedAccess", "exactOptionalPropertyTypes", "verbatimModuleSyntax"];
    const compilerOptions = {
      ...Object.fromEntries(
        ["noEmit", "skipLibCheck", "erasableSyntaxOnly", ...strictness].map((name) => [name, true]),
      ),
      target: "ES2022",
      module: "NodeNext",
      lib: ["ES2022"],
      types: ["node"],
      typeRoots: [join(NODE_MODULES, "@types")],
    };
    writeFileSync(join(folder, "package.json"), '{ "type": "module" }');
    writeFileSync(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions, include: ["verify.ts"] }));
    writeFileSync(join(folder, "verify.ts"), codeOf(TYPESCRIPT));
    const run = Bun.spawnSync([process.execPath, "--bun", join(NODE_MODULES, ".bin/tsc"), "-p", folder]);
    expect(run.stdout.toString() + run.stderr.toString()).toBe("");
    expect(run.exitCode).toBe(0);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

describe("the vectors catch a receiver that", () => {
  const COMPARISON = "received.length === expected.length && timingSafeEqual(received, expected)";
  const mistakes: [what: string, right: string, wrong: string, caughtBy: string[]][] = [
    ["never looks at the timestamp", "> TOLERANCE_SECONDS", "> Infinity", ["old_timestamp", "future_timestamp"]],
    ["trusts any time ahead", "Math.abs(now - Number(timestamp))", "now - Number(timestamp)", ["future_timestamp"]],
    ["allows 301 seconds", "TOLERANCE_SECONDS = 300", "TOLERANCE_SECONDS = 301", ["old_timestamp", "future_timestamp"]],
    [
      "allows 299 seconds",
      "TOLERANCE_SECONDS = 300",
      "TOLERANCE_SECONDS = 299",
      ["oldest_accepted", "newest_accepted"],
    ],
    ["takes any text for a time", "!/^[0-9]{1,12}$/.test(timestamp)", "false", ["timestamp_no_number"]],
    ["checks with an empty secret", '.filter((each) => each.startsWith("whsec_"))', "", ["empty_secret"]],
    [
      "takes two secrets for one",
      "secret.split(/\\s+/)",
      "[secret]",
      ["rotated_both_secrets", "rotated_both_secrets_second_attempt", "both_secrets_after_rotation"],
    ],
    ["is content with a beginning", COMPARISON, "String(expected).startsWith(signature)", ["cut_short"]],
    ["overlooks what follows", COMPARISON, "signature.startsWith(String(expected))", ["something_added"]],
    ["needs no prefix", COMPARISON, "signature.endsWith(mac)", ["missing_prefix", "other_prefix"]],
    ["takes any prefix", COMPARISON, "signature.slice(3) === mac", ["other_prefix"]],
    [
      "decodes before it compares",
      COMPARISON,
      'signature.startsWith("v1=") && Buffer.from(signature.slice(3), "base64").equals(Buffer.from(mac, "base64"))',
      ["url_safe_base64", "something_added"],
    ],
    [
      "takes hex as well",
      COMPARISON,
      '[mac, Buffer.from(mac, "base64").toString("hex")].includes(signature.slice(3)) && signature.startsWith("v1=")',
      ["hex"],
    ],
    [
      "writes the JSON again",
      ".update(rawBody)",
      ".update(JSON.stringify(JSON.parse(String(Buffer.from(rawBody)))))",
      ["odd_body", "whitespace_body", "line_break_added"],
    ],
    [
      "reads the body as Latin-1",
      ".update(rawBody)",
      '.update(Buffer.from(rawBody).toString("latin1"))',
      ["unicode_body"],
    ],
    [
      "trims the body",
      ".update(rawBody)",
      ".update(String(Buffer.from(rawBody)).trim())",
      ["odd_body", "line_break_added"],
    ],
  ];
  const goodOnes = Object.entries(expectedVerdicts()).flatMap(([name, valid]) => (valid ? [name] : []));
  mistakes.push(
    ["leaves the timestamp out", ".update(`${timestamp}.`)", "", [...goodOnes, "body_alone"]],
    [
      "decodes the secret",
      '"sha256", each',
      '"sha256", Buffer.from(each.slice(6), "base64")',
      [...goodOnes, "decoded_key"],
    ],
  );
  test.each(mistakes)("%s", (_, right, wrong, caughtBy) => {
    expect(codeOf(TYPESCRIPT)).toContain(right);
    const verdicts = verdictsOf(
      TYPESCRIPT,
      codeOf(TYPESCRIPT).replace(right, () => wrong),
    );
    const expected = expectedVerdicts();
    expect(Object.keys(expected).filter((name) => verdicts[name] !== expected[name])).toEqual(caughtBy);
  });
});
