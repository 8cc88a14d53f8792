// Owner and mode of files that a command by root writes for the server, which is not root.
import { chownSync, closeSync, fchmodSync, fchownSync, openSync, statSync } from "node:fs";
import { dirname } from "node:path";

const isRoot = () => process.getuid?.() === 0;

/** The server must still be able to use the file. */
export function giveToFolderOwner(file: string): void {
  if (!isRoot()) return;
  const { uid, gid } = statSync(dirname(file));
  chownSync(file, uid, gid);
}

/** A new empty file with the owner and mode of another, which it will replace. The caller closes the descriptor. */
export function createLike(model: string, file: string): number {
  const { uid, gid, mode } = statSync(model);
  const fd = openSync(file, "wx", 0o600);
  try {
    if (isRoot()) fchownSync(fd, uid, gid);
    fchmodSync(fd, mode & 0o777);
    return fd;
  } catch (error) {
    closeSync(fd);
    throw error;
  }
}
