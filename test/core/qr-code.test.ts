// QR codes, read by an independent reader (zbar), in every size.
import { expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { qrCode } from "../../src/core/qr-code.ts";
import { skipsFor } from "../support/skips.ts";

const zbar = Bun.which("zbarimg");
/** One length for each version, from 1 to 20: the longest text that fits. */
const LONGEST = [14, 26, 42, 62, 84, 106, 122, 152, 180, 213, 251, 287, 331, 362, 412, 450, 504, 560, 624, 666];
const textOf = (length: number) =>
  "otpauth://totp/Ringward:kamala%40hospital.example?secret=".repeat(12).slice(0, length);

/** A picture in the simplest format: PGM. */
function pictureOf(rows: readonly (readonly boolean[])[]): Buffer {
  const [scale, quiet] = [4, 4];
  const size = (rows.length + 2 * quiet) * scale;
  const pixels = Buffer.alloc(size * size, 255);
  for (let y = 0; y < size; y++)
    for (let x = 0; x < size; x++)
      if (rows[Math.floor(y / scale) - quiet]?.[Math.floor(x / scale) - quiet]) pixels[y * size + x] = 0;
  return Buffer.concat([Buffer.from(`P5\n${size} ${size}\n255\n`), pixels]);
}

test("the smallest version that fits is taken, and a text beyond the largest is refused", () => {
  const versionOf = (length: number) => ((qrCode(textOf(length))?.length ?? 0) - 17) / 4;
  expect(LONGEST.map(versionOf)).toEqual(LONGEST.map((_, i) => i + 1));
  expect(LONGEST.slice(0, -1).map((length) => versionOf(length + 1))).toEqual(
    LONGEST.slice(0, -1).map((_, i) => i + 2),
  );
  expect(qrCode(textOf(667))).toBeNull();
});

test("three corners have a finder, and the fourth has none", () => {
  const rows = qrCode("Ringward")!;
  const corner = (x: number, y: number) =>
    rows.slice(y, y + 7).map((row) =>
      row
        .slice(x, x + 7)
        .map((dark) => (dark ? "#" : "."))
        .join(""),
    );
  const finder = ["#######", "#.....#", "#.###.#", "#.###.#", "#.###.#", "#.....#", "#######"];
  const far = rows.length - 7;
  expect([corner(0, 0), corner(far, 0), corner(0, far)]).toEqual([finder, finder, finder]);
  expect(corner(far, far)).not.toEqual(finder);
});

test.skipIf(skipsFor(zbar === null, "needs zbarimg (Debian: zbar-tools)"))("every version is read back", () => {
  const folder = mkdtempSync(join(tmpdir(), "ringward-qr-"));
  try {
    const file = join(folder, "code.pgm");
    for (const text of [...LONGEST.map(textOf), "नमस्ते"]) {
      writeFileSync(file, pictureOf(qrCode(text)!));
      const { stdout } = Bun.spawnSync([zbar!, "--quiet", "--raw", file]);
      expect(stdout.toString().trimEnd()).toBe(text);
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
