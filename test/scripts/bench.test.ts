// The frame of ./scripts/bench: its parts are all there, and what one finds is told in a table. No figure is judged
// here.
import { describe, expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Finding } from "../../scripts/benches/bench.ts";
import { LEFT_OUT_OF_QUICK, PARTS } from "../../scripts/benches/parts.ts";
import { asMarkdown, asTable, figuresTable, type PartFound } from "../../scripts/benches/report.ts";

const ROOT = join(import.meta.dir, "../..");

async function bench(...args: string[]) {
  const child = Bun.spawn([process.execPath, "scripts/bench.ts", ...args], {
    cwd: ROOT,
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
  });
  const [stdout, stderr] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()]);
  return { stdout, stderr, code: await child.exited };
}

const FOUND: Finding = {
  measure: "creates",
  here: "5,000/s",
  against: "10,000/s bare",
  ratio: 0.5,
  goal: "≥ 0.5",
  holds: true,
};

describe("the parts", () => {
  test("each has a file, its own name, and a line of words", async () => {
    for (const [name, load] of Object.entries(PARTS)) {
      expect(existsSync(join(ROOT, "scripts/benches", `${name}.ts`)), name).toBe(true);
      const part = await load();
      expect(part.name).toBe(name);
      expect(part.about.length, name).toBeGreaterThan(20);
      expect(part.about, name).not.toContain("\n");
    }
  });

  test("those that --quick leaves out are there, and the help names them", async () => {
    expect(Object.keys(PARTS)).toEqual(expect.arrayContaining([...LEFT_OUT_OF_QUICK]));
    expect((await bench("--help")).stdout).toContain(LEFT_OUT_OF_QUICK.join(", "));
  });

  test("none is forgotten", async () => {
    const written: string[] = [];
    for (const file of new Bun.Glob("*.ts").scanSync(join(ROOT, "scripts/benches"))) {
      const text = await Bun.file(join(ROOT, "scripts/benches", file)).text();
      if (/^export const \w+: Bench = /m.test(text)) written.push(file.replace(/\.ts$/, ""));
    }
    expect(written.toSorted()).toEqual(Object.keys(PARTS).toSorted());
  });

  test("a part runs by name, and its findings stand in a table of the handbook's kind", async () => {
    const { stdout, stderr, code } = await bench("understanding", "--quick", "--markdown");
    expect(stderr).toContain("understanding: done");
    expect(stdout).toContain("UTC;");
    expect(stdout).toContain("| part | measure | here | against | ratio | goal | holds |");
    expect(stdout).toContain("| understanding | paraphrases understood");
    expect(code).toBe(0);
  });

  test("an unknown part is refused with the names of those that exist", async () => {
    const { stderr, code } = await bench("dial");
    expect(stderr).toContain("There is no part dial. There are: ");
    expect(code).toBe(2);
  });
});

describe("the table", () => {
  const parts: PartFound[] = [
    { name: "create", told: { kind: "found", findings: [FOUND, { ...FOUND, measure: "p99", holds: false }] } },
    { name: "sip", told: { kind: "missing", reason: "needs sipp" } },
    { name: "read", told: { kind: "failed", reason: "Error: refused\n  at read.ts" } },
  ];

  test("tells what holds and what does not, what was skipped and what failed", () => {
    const lines = asTable("here and now", parts).split("\n");
    expect(lines[0]).toBe("here and now");
    expect(lines[3]).toMatch(/^create +creates +5,000\/s +10,000\/s bare +× 0\.50 +≥ 0\.5 +yes$/);
    expect(lines[4]).toMatch(/^ +p99 .* NO$/);
    expect(lines.slice(5)).toEqual(["sip: skipped, needs sipp", "read: FAILED, Error: refused"]);
  });

  test("is Markdown where it was asked for", () => {
    const lines = asMarkdown("here and now", parts).split("\n");
    expect(lines[4]).toBe("| create | creates | 5,000/s | 10,000/s bare | × 0.50 | ≥ 0.5 | yes |");
    expect(lines.slice(-2)).toEqual(["- sip: skipped, needs sipp", "- read: FAILED, Error: refused"]);
  });

  test("is kept whole in the handbook's figures, with what was not run", () => {
    const [head, first, ...others] = figuresTable(parts);
    expect(head).toEqual(["part", "measure", "here", "against", "ratio", "goal", "holds"]);
    expect(first).toEqual(["create", "creates", "5,000/s", "10,000/s bare", "× 0.50", "≥ 0.5", "yes"]);
    expect(others.slice(-2).map(([words]) => words)).toEqual([
      "sip: skipped, needs sipp",
      "read: FAILED, Error: refused",
    ]);
    for (const row of others) expect(row).toHaveLength(7);
  });
});
