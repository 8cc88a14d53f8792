// What /docs serves. From source it is rendered on first use; the build embeds the finished files in place of this
// module (see scripts/build.ts).
import { buildHandbook, type HandbookFiles } from "./build-handbook.ts";

export function handbookFiles(): Promise<HandbookFiles> {
  return buildHandbook(import.meta.dir);
}
