// Machine, date and version of a measurement.
import { join } from "node:path";
import { cpus, loadavg, release, totalmem, type } from "node:os";
import manifest from "../../package.json" with { type: "json" };

export function machineWords(isQuick: boolean): string {
  const git = Bun.spawnSync(["git", "rev-parse", "--short=12", "HEAD"], {
    cwd: join(import.meta.dir, "../.."),
    stderr: "ignore",
  });
  const commit = git.success ? `, ${git.stdout.toString().trim()}` : "";
  const cores = cpus();
  // Many arm64 machines do not report a processor model.
  const model = cores[0]?.model.trim() ?? "";
  const processor = ["", "unknown"].includes(model) ? `${process.arch} cores` : `${model} (${process.arch})`;
  const memory = `${(totalmem() / 2 ** 30).toFixed(0)} GiB`;
  const when = new Date().toISOString().slice(0, 16).replace("T", " ");
  const load = (loadavg()[0] ?? 0).toFixed(1);
  return (
    `Ringward ${manifest.version}${commit}, ${when} UTC; ${cores.length} ${processor}, ${memory}, ` +
    `${type()} ${release()}, Bun ${Bun.version}; load ${load} at the start${isQuick ? "; short forms" : ""}`
  );
}
