// Baseline of a server in one executable: Bun's own, compiled like ours, with nothing behind it.
import { join } from "node:path";
import { tempFolder } from "../../test/support/binary.ts";

const SOURCE = `Bun.serve({ hostname: "127.0.0.1", port: Number(process.argv.at(-1)), fetch: () => new Response("ok") });`;

/** Builds it and returns its file. */
export async function bareServer(): Promise<string> {
  const folder = tempFolder();
  const source = join(folder, "bare.ts");
  const outfile = join(folder, "bare");
  await Bun.write(source, SOURCE);
  const built = Bun.spawnSync([process.execPath, "build", "--compile", "--bytecode", "--outfile", outfile, source], {
    cwd: folder,
    stdout: "ignore",
    stderr: "pipe",
  });
  if (!built.success) throw new Error(built.stderr.toString());
  return outfile;
}
