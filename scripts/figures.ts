// Writes the handbook's figures; see scripts/figures.
import { machineWords } from "./benches/machine.ts";
import { lastTable, writeFigures } from "./figures-page.ts";

const [name, ...command] = process.argv.slice(2);
if (name === undefined) {
  await writeFigures();
} else {
  if (command.length === 0) throw new Error("./scripts/figures NAME COMMAND…");
  const machine = machineWords(false);
  const date = new Date().toISOString().slice(0, 10);
  const child = Bun.spawn(command, { stdin: "ignore", stdout: "pipe", stderr: "inherit" });
  const output = await new Response(child.stdout).text();
  console.log(output);
  const code = await child.exited;
  // Some commands exit with 1 if a goal is missed, which is recorded with the figures.
  const ended = code === 0 ? machine : `${machine}; exit code ${code}`;
  await writeFigures({ [name]: { command: command.join(" "), date, machine: ended, table: lastTable(output) } });
}
