// Embeds the optional weights into the executable, or omits them.
import type { BunPlugin } from "bun";
import type { Inside } from "./packed-files.ts";
import { packFile } from "../src/speech/packs/pack-files.ts";
import { PACK_NAMES, PACKS } from "../src/speech/packs/packs.ts";

/** `inside`: maps each file to its replacement. */
export function embedPacks(areInside: boolean, inside: Inside = (file) => file): BunPlugin {
  return {
    name: "optional weights",
    setup(build) {
      build.onLoad({ filter: /speech\/packs\/pack-files\.ts$/ }, () => ({
        loader: "ts",
        contents: moduleOf(areInside ? filesOfPacks() : [], inside),
      }));
    },
  };
}

interface PackFile {
  pack: string;
  part: string;
  path: string;
}

function filesOfPacks(): PackFile[] {
  return PACK_NAMES.flatMap((pack) =>
    Object.keys(PACKS[pack].parts).map((part) => {
      const path = packFile(pack, part);
      if (path === null)
        throw new Error(`The file ${part} of ${pack} is missing. Bring it: bun scripts/bring-packs.ts`);
      return { pack, part, path };
    }),
  );
}

function moduleOf(files: readonly PackFile[], inside: Inside): string {
  const imports = files.map(
    ({ path }, at) => `import file${at} from ${JSON.stringify(inside(path))} with { type: "file" };`,
  );
  const entries = files.map(({ pack, part }, at) => `${JSON.stringify(`${pack}/${part}`)}: file${at},`);
  return [
    ...imports,
    `const files = { ${entries.join(" ")} };`,
    "export const packFile = (pack, part) => files[`${pack}/${part}`] ?? null;",
  ].join("\n");
}
