// A disk that takes its time: on many virtual machines an fsync is over in a tenth of a millisecond, where the disk of
// a small server takes one or more. strace holds each one up, and nothing else.

/** A command that ends by becoming the one that follows it. Null where strace is missing or may not do it. */
export function withSlowDisk(extraMs: number): string[] | null {
  const strace = Bun.which("strace");
  if (!strace) return null;
  const calls = "fsync,fdatasync";
  const delay = `inject=${calls}:delay_enter=${extraMs * 1_000}`;
  const command = [strace, "-D", "-f", "--seccomp-bpf", "-qq", "-o", "/dev/null", "-e", `trace=${calls}`, "-e", delay];
  return Bun.spawnSync([...command, "true"], { stderr: "ignore" }).success ? command : null;
}
