// README's "tested with" table: written from what the matrix saw, and compared with it ever after.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { PEERS, type Peer, type Row } from "./row.ts";

const README = join(import.meta.dir, "../../../../README.md");
const BEGIN = "<!-- matrix: written by scripts/write-matrix, compared by test/telephony/sip/matrix.test.ts -->";
const END = "<!-- end of matrix -->";

const VERSIONS: Record<Peer, () => string> = {
  scripted: () => "a scripted peer",
  sipp: () => `SIPp ${/v(\d[\d.]*)/.exec(outputOf(["sipp", "-v"]))?.[1] ?? "?"}`,
  baresip: () => `baresip ${/v(\d[\d.]*)/.exec(outputOf(["baresip", "-h"]))?.[1] ?? "?"}`,
};

function outputOf(command: string[]): string {
  const { stdout, stderr } = Bun.spawnSync(command, { stdout: "pipe", stderr: "pipe" });
  return stdout.toString() + stderr.toString();
}

/** Cells as README has them, padded as its formatter pads. */
export function renderedTable(
  rows: readonly Row[],
  wasSeen: (row: Row, peer: Peer) => boolean,
  heads: string[],
): string {
  let lastGroup = "";
  const cells = rows.map((row) => {
    const name = row.group === lastGroup ? "" : `**${row.group}**`;
    lastGroup = row.group;
    return [name, row.what, ...PEERS.map((peer) => (wasSeen(row, peer) ? "yes" : ""))];
  });
  const all = [["", "", ...heads], ...cells];
  const widths = all[0]!.map((_, column) => Math.max(3, ...all.map((line) => line[column]!.length)));
  const line = (texts: readonly string[]) =>
    `| ${texts.map((text, column) => text + " ".repeat(widths[column]! - text.length)).join(" | ")} |`;
  return [line(all[0]!), line(widths.map((width) => "-".repeat(width))), ...cells.map(line)].join("\n");
}

export const headsByVersion = () => PEERS.map((peer) => VERSIONS[peer]());

/** The table that stands in README, without its head: the versions there are of the machine on which it was written. */
export function tableInReadme(): { heads: string[]; text: string } {
  const [, text = ""] = new RegExp(`${BEGIN}\n\n(.*)\n\n${END}`, "s").exec(readFileSync(README, "utf8")) ?? [];
  const [head = ""] = text.split("\n");
  const heads = head.split("|").map((cell) => cell.trim());
  return { heads: heads.slice(3, -1), text };
}

export function writeToReadme(table: string): void {
  const readme = readFileSync(README, "utf8");
  if (!readme.includes(BEGIN)) throw new Error(`README has no line "${BEGIN}".`);
  const around = new RegExp(`${BEGIN}\n.*${END}`, "s");
  writeFileSync(
    README,
    readme.replace(around, () => `${BEGIN}\n\n${table}\n\n${END}`),
  );
}
