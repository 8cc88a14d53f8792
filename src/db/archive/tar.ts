// Tar format of backups, so any machine can open them without Ringward. Every byte of a header is derived from name and
// size: a reader regenerates the header and compares it, which detects damage, links and added fields.

export const BLOCK_BYTES = 512;

/** Eleven octal digits; larger sizes are written in base 256, like GNU tar and bsdtar. */
const LARGEST_OCTAL = 8 ** 11 - 1;
const LONGEST_NAME = 100;

/** POSIX.1-1988 "ustar": a regular file, owner 0, mode 0600, modification time 0. */
export function tarHeader(name: string, bytes: number): Buffer {
  if (Buffer.byteLength(name) > LONGEST_NAME) throw new RangeError("The name is too long for a tar header.");
  const header = Buffer.alloc(BLOCK_BYTES);
  header.write(name, 0, "latin1");
  header.write("0000600\0", 100, "latin1");
  header.write("0000000\0", 108, "latin1");
  header.write("0000000\0", 116, "latin1");
  writeSize(header, bytes);
  header.write("00000000000\0", 136, "latin1");
  header.write("        ", 148, "latin1");
  header.write("0", 156, "latin1");
  header.write("ustar\0", 257, "latin1");
  header.write("00", 263, "latin1");
  header.write("0000000\0", 329, "latin1");
  header.write("0000000\0", 337, "latin1");
  const sum = header.reduce((total, byte) => total + byte, 0);
  header.write(`${sum.toString(8).padStart(6, "0")}\0 `, 148, "latin1");
  return header;
}

function writeSize(header: Buffer, bytes: number): void {
  if (bytes <= LARGEST_OCTAL) {
    header.write(`${bytes.toString(8).padStart(11, "0")}\0`, 124, "latin1");
    return;
  }
  header.writeUInt8(0x80, 124);
  header.writeBigUInt64BE(BigInt(bytes), 128);
}

/** Contents are zero-padded to whole blocks. */
export function paddingAfter(bytes: number): number {
  return (BLOCK_BYTES - (bytes % BLOCK_BYTES)) % BLOCK_BYTES;
}

/** Size of an entry, including its header. */
export function entryBytes(bytes: number): number {
  return BLOCK_BYTES + bytes + paddingAfter(bytes);
}

/** Two zero blocks end an archive. */
export const TAR_END = Buffer.alloc(2 * BLOCK_BYTES);
