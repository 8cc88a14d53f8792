// The handbook's compatibility matrix: written from test results and compared with them.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { PEERS, type Peer, type Row } from "./row.ts";

const PAGE = join(import.meta.dir, "../../../../src/handbook/telephone-systems.md");
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

/** Cells as the page has them, padded as its formatter pads. */
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
  const all = [["area", "behaviour", ...heads], ...cells];
  const widths = all[0]!.map((_, column) => Math.max(3, ...all.map((line) => line[column]!.length)));
  const line = (texts: readonly string[]) =>
    `| ${texts.map((text, column) => text + " ".repeat(widths[column]! - text.length)).join(" | ")} |`;
  return [line(all[0]!), line(widths.map((width) => "-".repeat(width))), ...cells.map(line)].join("\n");
}

export const headsByVersion = () => PEERS.map((peer) => VERSIONS[peer]());

/**
 * The table that stands in the handbook, without its head: the versions there are of the machine on which it was
 * written.
 */
export function tableInHandbook(): { heads: string[]; text: string } {
  const [, text = ""] = new RegExp(`${BEGIN}\n\n(.*)\n\n${END}`, "s").exec(readFileSync(PAGE, "utf8")) ?? [];
  const [head = ""] = text.split("\n");
  const heads = head.split("|").map((cell) => cell.trim());
  return { heads: heads.slice(3, -1), text };
}

export function writeToHandbook(table: string): void {
  const page = readFileSync(PAGE, "utf8");
  if (!page.includes(BEGIN)) throw new Error(`telephone-systems.md has no line "${BEGIN}".`);
  const around = new RegExp(`${BEGIN}\n.*${END}`, "s");
  writeFileSync(
    PAGE,
    page.replace(around, () => `${BEGIN}\n\n${table}\n\n${END}`),
  );
}
