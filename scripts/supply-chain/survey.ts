// Asks the bundler which files go into the executable, without building it: the program's own, and the dashboard's
// pages.
import { join } from "node:path";
import type { BunPlugin } from "bun";

export interface Survey {
  root: string;
  entryPoints: readonly string[];
  plugins: BunPlugin[];
}

/**
 * Modules that the PostgreSQL driver loads on other platforms or without a password: never used here, see
 * db/postgres/wire.ts.
 */
export const NEVER_LOADED = ["pg-native", "pg-cloudflare", "pgpass"];

export async function surveyInputs({ root, entryPoints, plugins }: Survey): Promise<string[]> {
  const pages = join(root, "src/web");
  const [program, web] = await Promise.all([
    Bun.build({
      entrypoints: entryPoints.map((path) => join(root, path)),
      root: join(root, "src"),
      target: "bun",
      plugins,
      external: NEVER_LOADED,
      metafile: true,
    }),
    Bun.build({ entrypoints: [join(pages, "main.tsx"), join(pages, "styles.css")], target: "browser", metafile: true }),
  ]);
  return [...new Set([program, web].flatMap((built) => inputsOf(built)))].toSorted();
}

export function inputsOf({ metafile }: Bun.BuildOutput): string[] {
  if (!metafile) throw new Error("The bundler gave no account of what it read.");
  return Object.keys(metafile.inputs);
}
