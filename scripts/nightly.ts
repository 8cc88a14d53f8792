// Runs tests that need hours or an idle machine, and prints one report. A failed part does not stop the others.
import { join, resolve } from "node:path";
import { askedOf, countOf } from "./asked.ts";
import { machineWords } from "./benches/machine.ts";
import { BUILD, PARTS } from "./nightly-parts.ts";
import { isGood, reportOf, runParts } from "./nightly-run.ts";

const HELP = `./scripts/nightly [options]
  every part below, one after the other, each with a log of its own, and a report at the end
  --only NAME,NAME   these parts, and the build where one of them needs it
  --folder DIR       for logs and report.md; otherwise .tools/nightly/ and the time
  --seed N           for what has a seed; otherwise the date
  --list             the parts
Exits with 1 where a part failed. Several parts need root, and install what they drive. Run it on a quiet machine.

${PARTS.map(({ name, about }) => `  ${name.padEnd(20)}${about}`).join("\n")}`;

const { values: asked } = askedOf(HELP, {
  options: {
    only: { type: "string" },
    folder: { type: "string" },
    seed: { type: "string" },
    list: { type: "boolean", default: false },
  },
});

const ROOT = join(import.meta.dir, "..");
const now = new Date().toISOString();

function partsAsked() {
  if (asked.only === undefined) return PARTS;
  const names = asked.only.split(",");
  const unknown = names.filter((name) => !PARTS.some((part) => part.name === name));
  if (unknown.length > 0) throw new Error(`There is no part ${unknown.join(", ")}; --list names them.`);
  const wanted = PARTS.filter(({ name }) => names.includes(name));
  const needsBuild = wanted.some((part) => part.needsBuild) && !wanted.includes(BUILD);
  return needsBuild ? [BUILD, ...wanted] : wanted;
}

async function main(): Promise<number> {
  if (asked.list) return (console.log(HELP.slice(HELP.lastIndexOf("\n\n") + 2)), 0);
  const parts = partsAsked();
  const folder = resolve(asked.folder ?? join(ROOT, ".tools/nightly", now.slice(0, 16).replaceAll(":", "")));
  const seed =
    asked.seed === undefined ? Number(now.slice(0, 10).replaceAll("-", "")) : countOf("seed", asked.seed, HELP);
  console.log(`Logs are in ${folder}; the seed is ${seed}.`);
  const heading = `${machineWords(false)}; seed ${seed}`;
  const outcomes = await runParts(parts, {
    root: ROOT,
    folder,
    seed,
    tell: ({ name, result, seconds, lastLine }) =>
      console.log(`${name.padEnd(20)}${result.padEnd(10)}${String(seconds).padStart(6)} s  ${lastLine}`),
  });
  const report = reportOf(outcomes, heading);
  await Bun.write(join(folder, "report.md"), `${report}\n`);
  console.log(`\n${report}`);
  return isGood(outcomes) ? 0 : 1;
}

try {
  process.exitCode = await main();
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 2;
}
