// Simulates a slow disk: on many virtual machines an fsync takes 0.1 ms, on the disk of a small server 1 ms or more.
// strace delays each fsync, and nothing else.

/** A command prefix that execs the following command. Null if strace is missing or not permitted. */
export function withSlowDisk(extraMs: number): string[] | null {
  const strace = Bun.which("strace");
  if (!strace) return null;
  const calls = "fsync,fdatasync";
  const delay = `inject=${calls}:delay_enter=${extraMs * 1_000}`;
  const command = [strace, "-D", "-f", "--seccomp-bpf", "-qq", "-o", "/dev/null", "-e", `trace=${calls}`, "-e", delay];
  return Bun.spawnSync([...command, "true"], { stderr: "ignore" }).success ? command : null;
}
