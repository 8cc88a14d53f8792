// Mutations: plausible bugs, one at a time, each in a copy of the tree. The checker must find every one.
import { cpSync, mkdirSync, readdirSync, rmSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";

export const ROOT = join(import.meta.dir, "../..");
const FOLDER = join(import.meta.dir, "mutations");

export interface Mutation {
  name: string;
  patch: string;
}

export const MUTATIONS: readonly Mutation[] = readdirSync(FOLDER)
  .filter((file) => file.endsWith(".patch"))
  .toSorted()
  .map((file) => ({ name: file.replace(/\.patch$/, ""), patch: join(FOLDER, file) }));

function run(command: string[], cwd: string): string {
  const done = Bun.spawnSync(command, { cwd, stdout: "pipe", stderr: "pipe" });
  const said = done.stdout.toString() + done.stderr.toString();
  if (!done.success) throw new Error(`${command.join(" ")} failed:\n${said.slice(-2_000)}`);
  return said;
}

/** Empty where the patch fits the tree as it is. */
export function patchFault({ patch }: Mutation, tree = ROOT): string {
  return Bun.spawnSync(["git", "apply", "--check", patch], { cwd: tree, stderr: "pipe" }).stderr.toString();
}

/** A copy of every file that git knows, with the packages beside it. */
export function copyTree(to: string): void {
  for (const file of run(["git", "ls-files", "-z"], ROOT).split("\0")) {
    if (file === "") continue;
    mkdirSync(join(to, dirname(file)), { recursive: true });
    cpSync(join(ROOT, file), join(to, file));
  }
  // As links where that is possible: the packages are hundreds of megabytes.
  const linked = Bun.spawnSync(["cp", "-al", join(ROOT, "node_modules"), to], { stderr: "ignore" });
  if (!linked.success) run(["cp", "-a", join(ROOT, "node_modules"), to], ROOT);
  symlinkSync(join(ROOT, ".tools"), join(to, ".tools"));
}

/** Applies the mutation to the copy, builds it, and takes the mutation back; the executable. */
export function buildMutant({ patch, name }: Mutation, tree: string): string {
  run(["git", "apply", patch], tree);
  try {
    run([process.execPath, "scripts/build.ts", "--slim"], tree);
  } finally {
    run(["git", "apply", "-R", patch], tree);
  }
  const binary = join(tree, `dist/${name}`);
  cpSync(join(tree, "dist/ringward-slim"), binary);
  rmSync(join(tree, "dist/ringward-slim"));
  return binary;
}
