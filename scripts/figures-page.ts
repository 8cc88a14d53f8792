// Measured figures: src/handbook/figures.json stores them with command, date and machine; the handbook pages show them.
import { join } from "node:path";

export interface Figures {
  command: string;
  /** YYYY-MM-DD. */
  date: string;
  machine: string;
  /** The first row is the header. */
  table: string[][];
}

export type AllFigures = Record<string, Figures>;

const ROOT = join(import.meta.dir, "..");
const FOLDER = join(ROOT, "src/handbook");
const FILE = join(FOLDER, "figures.json");
const MOST_COLUMNS = 120;

const BLOCK = /<!-- figures ([\w-]+) -->[\s\S]*?<!-- end of figures -->/g;

export const readFigures = (): Promise<AllFigures> => Bun.file(FILE).json() as Promise<AllFigures>;

/** Names of the blocks in a page. */
export const blocksIn = (page: string): string[] => [...page.matchAll(BLOCK)].map(([, name = ""]) => name);

/** A page without its generated blocks. */
export const withoutBlocks = (page: string): string => page.replaceAll(BLOCK, "");

export function markdownOf({ command, date, machine, table }: Figures): string {
  const [head = [], ...rows] = table;
  const line = (cells: readonly string[]) => `| ${cells.join(" | ")} |`;
  return [
    wrapped(`\`${command}\`, ${date}; ${machine}:`),
    "",
    line(head),
    line(head.map(() => "---")),
    ...rows.map(line),
  ].join("\n");
}

function wrapped(text: string): string {
  const lines: string[] = [];
  for (const word of text.split(" ")) {
    const last = lines.at(-1);
    if (last === undefined || last.length + 1 + word.length > MOST_COLUMNS) lines.push(word);
    else lines[lines.length - 1] = `${last} ${word}`;
  }
  return lines.join("\n");
}

/** The page with every block regenerated from the figures. */
export function withFigures(page: string, all: AllFigures): string {
  return page.replaceAll(BLOCK, (_, name: string) => {
    const figures = all[name];
    if (!figures) throw new Error(`figures.json has no figures "${name}".`);
    return `<!-- figures ${name} -->\n\n${markdownOf(figures)}\n\n<!-- end of figures -->`;
  });
}

/** Rewrites the pages, and first the file if `changed` is given. */
export async function writeFigures(changed: AllFigures = {}): Promise<void> {
  const all = { ...(await readFigures()), ...changed };
  await Bun.write(FILE, `${JSON.stringify(all, null, 2)}\n`);
  const pages = [...new Bun.Glob("*.md").scanSync(FOLDER)].map((name) => join(FOLDER, name));
  for (const path of pages) {
    const page = await Bun.file(path).text();
    if (blocksIn(page).length > 0) await Bun.write(path, withFigures(page, all));
  }
  Bun.spawnSync([process.execPath, "--bun", "run", "oxfmt", FILE, ...pages], { cwd: ROOT, stdout: 2, stderr: 2 });
}

/** The last table of a program's output: Markdown, or columns separated by at least two spaces. */
export function lastTable(output: string): string[][] {
  const tables: string[][][] = [[]];
  for (const line of output.split("\n")) {
    const cells = cellsOf(line);
    if (cells.length < 2 || (tables.at(-1)?.[0]?.length ?? cells.length) !== cells.length) tables.push([]);
    if (cells.length >= 2 && !/^[-: ]+$/.test(cells.join(""))) tables.at(-1)?.push(cells);
  }
  const table = tables.findLast((rows) => rows.length >= 2);
  if (!table) throw new Error("The command printed no table.");
  return table;
}

const cellsOf = (line: string): string[] =>
  line.startsWith("|")
    ? line
        .split(/(?<!\\)\|/)
        .slice(1, -1)
        .map((cell) => cell.trim())
    : line.trim().split(/ {2,}/);
