// Ways to run a program with less than the test itself may do: another user, a root that cannot be written.

export const NOBODY = 65_534;
export const isRoot = process.getuid?.() === 0;

export const AS_NOBODY = ["setpriv", `--reuid=${NOBODY}`, `--regid=${NOBODY}`, "--clear-groups"];

/** Root makes a mount namespace by right; others need a user namespace, in which they play root. */
const OWN_MOUNTS = isRoot ? ["unshare", "--mount"] : ["unshare", "--map-root-user", "--mount"];

/** `remount,bind` changes this namespace's view alone; without `bind` the whole machine's disk would be asked. */
const READ_ONLY_ROOT = "mount -o remount,bind,ro /";

export function canRemountRoot(): boolean {
  return Bun.spawnSync([...OWN_MOUNTS, "sh", "-c", READ_ONLY_ROOT], { stdout: "ignore", stderr: "ignore" }).success;
}

/** Everything but `writable` is read-only for the program that follows, which runs as nobody where that is possible. */
export function readOnlyRoot(writable: string): string[] {
  const script = [
    'mount --bind "$0" "$0"',
    READ_ONLY_ROOT,
    // The temporary folder may be a mount of its own.
    'for place in /tmp /var/tmp /dev/shm /run; do mountpoint -q "$place" && mount -o remount,bind,ro "$place"; done',
    'if touch /ringward-was-here 2>/dev/null; then echo "the root can still be written" >&2; exit 97; fi',
    'exec "$@"',
  ].join("\n");
  return [...OWN_MOUNTS, "sh", "-c", `set -e\n${script}`, writable, ...(isRoot ? AS_NOBODY : [])];
}
