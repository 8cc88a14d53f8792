// Finds the tests that use a database, directly or through an import.
import { readFileSync } from "node:fs";
import { join, normalize } from "node:path/posix";

const OPENS = /\b(?:openTestDatabase|openTempDatabase|openGround)\(/;
const transpiler = new Bun.Transpiler({ loader: "ts" });

/** It contains the opener, and many tests import it only for a folder. */
const OPENER = "test/support/temp.ts";

interface Source {
  opens: boolean;
  imports: string[];
}

/** For the test files below `root`, with paths relative to it. */
export function createDatabaseLook(root: string): (file: string) => boolean {
  const sources = new Map<string, Source>([[OPENER, { opens: false, imports: [] }]]);

  function sourceOf(file: string): Source {
    const known = sources.get(file);
    if (known) return known;
    const code = readFileSync(join(root, file), "utf8");
    const found = transpiler.scanImports(code).filter(({ path }) => path.startsWith(".") && path.endsWith(".ts"));
    const imported = found.map(({ path }) => normalize(join(file, "..", path)));
    const source = { opens: OPENS.test(code), imports: imported.filter((path) => path.startsWith("test/")) };
    sources.set(file, source);
    return source;
  }

  return (file) => {
    const reached = new Set([file]);
    for (const each of reached) {
      const { opens, imports } = sourceOf(each);
      if (opens) return true;
      for (const imported of imports) reached.add(imported);
    }
    return false;
  };
}
