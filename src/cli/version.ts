// ringward version
import { latestVersion } from "../db/migrations.ts";
import { packsLeftOut } from "../speech/packs/packs.ts";
import { COMMIT, VERSION } from "../core/version.ts";
import type { Command } from "./command.ts";
import { print, printTable } from "./output.ts";
import { partsInside, type Part } from "./parts.ts";

const megabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(1)} MB`.padStart(9);

const rowOf = ({ kind, name, bytes, isPacked }: Part): string[] => [
  kind,
  name,
  megabytes(bytes),
  isPacked ? "compressed" : "",
];

export const version: Command = {
  name: "version",
  summary: "Print the version of this binary and of its database schema.",
  options: { parts: { type: "boolean", help: "List the parts of the executable with their sizes." } },
  async run(args) {
    const leftOut = packsLeftOut();
    const without = leftOut.length > 0 ? `, slim: without ${leftOut.join(", ")}` : "";
    print(`ringward ${VERSION} (${COMMIT}), schema ${latestVersion()}, bun ${Bun.version}${without}`);
    if (args.flag("parts")) printParts(partsInside());
    return 0;
  },
};

function printParts(parts: readonly Part[] | null): void {
  if (!parts) {
    print("Ringward runs from source; there is no executable to inspect.");
    return;
  }
  const total = parts.reduce((sum, { bytes }) => sum + bytes, 0);
  const largestFirst = parts.toSorted((a, b) => b.bytes - a.bytes);
  printTable(["PART", "NAME", "     SIZE", ""], [...largestFirst.map(rowOf), ["total", "", megabytes(total), ""]]);
}
