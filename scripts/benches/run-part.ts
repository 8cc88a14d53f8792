// Runs one part in a separate process, so it does not inherit another part's memory, and reports to its parent.
// `run-part.ts NAME [--quick] [-- the part's own options]`
import { stopAndForgetAll } from "../../test/support/binary.ts";
import { Missing, type Finding } from "./bench.ts";
import { PARTS } from "./parts.ts";

export type Told =
  | { kind: "found"; findings: Finding[] }
  | { kind: "missing"; reason: string }
  | { kind: "failed"; reason: string };

if (import.meta.main) {
  const [name = "", ...rest] = process.argv.slice(2);
  const own = rest.indexOf("--");
  const how = {
    quick: (own === -1 ? rest : rest.slice(0, own)).includes("--quick"),
    args: own === -1 ? [] : rest.slice(own + 1),
  };
  const told = await outcomeOf(name, how);
  await stopAndForgetAll();
  process.send?.(told, undefined, undefined, () => process.exit(0));
}

async function outcomeOf(name: string, how: { quick: boolean; args: string[] }): Promise<Told> {
  try {
    const part = await PARTS[name]?.();
    if (!part) return { kind: "failed", reason: `there is no part ${name}` };
    return { kind: "found", findings: await part.run(how) };
  } catch (error) {
    if (error instanceof Missing) return { kind: "missing", reason: error.message };
    return { kind: "failed", reason: error instanceof Error ? (error.stack ?? error.message) : String(error) };
  }
}
