// The dashboard's pages as the browser gets them. From source they are bundled at the first request;
// the build puts the finished bundle in the place of this file (see scripts/build.ts).
import { join } from "node:path";

export interface WebFiles {
  script: string;
  styles: string;
}

export async function bundleWeb(folder: string): Promise<WebFiles> {
  const result = await Bun.build({
    entrypoints: [join(folder, "main.tsx"), join(folder, "styles.css")],
    target: "browser",
    minify: true,
  });
  const textOf = async (ending: string) => {
    const file = result.outputs.find(({ path }) => path.endsWith(ending));
    if (!file) throw new Error(`The dashboard's ${ending} was not built.`);
    return file.text();
  };
  return { script: await textOf(".js"), styles: await textOf(".css") };
}

let bundled: Promise<WebFiles> | undefined;

export function webFiles(): Promise<WebFiles> {
  bundled ??= bundleWeb(join(import.meta.dir, "../web"));
  return bundled;
}
