// QR codes (ISO/IEC 18004) of short texts: byte mode, error correction level M, versions 1 to 20. Rendered in the
// browser, so the secret of an authenticator app reaches no other service.

const LARGEST_VERSION = 20;
/** Table 9, level M, by version: error correction codewords of each block, and number of blocks. */
const CORRECTION = [10, 16, 26, 18, 24, 16, 18, 22, 22, 26, 30, 22, 22, 24, 24, 28, 28, 26, 26, 26];
const BLOCKS = [1, 1, 1, 2, 2, 4, 4, 4, 5, 5, 5, 8, 9, 9, 10, 10, 11, 13, 14, 16];

/** Rows of modules, true for dark ones; null if the text is too long (666 bytes fit). */
export function qrCode(text: string): boolean[][] | null {
  const bytes = new TextEncoder().encode(text);
  for (let version = 1; version <= LARGEST_VERSION; version++) {
    const bitsOfLength = version < 10 ? 8 : 16;
    if (4 + bitsOfLength + bytes.length * 8 <= dataCodewords(version) * 8)
      return drawn(version, withCorrection(version, dataOf(version, bytes, bitsOfLength)));
  }
  return null;
}

const alignments = (version: number): number => Math.floor(version / 7) + 2;

function rawCodewords(version: number): number {
  const count = alignments(version);
  const modules = (16 * version + 128) * version + 64;
  const aligned = version < 2 ? 0 : (25 * count - 10) * count - 55 + (version < 7 ? 0 : 36);
  return Math.floor((modules - aligned) / 8);
}

const correctionOf = (version: number) => ({ each: CORRECTION[version - 1] ?? 0, blocks: BLOCKS[version - 1] ?? 1 });

function dataCodewords(version: number): number {
  const { each, blocks } = correctionOf(version);
  return rawCodewords(version) - each * blocks;
}

function dataOf(version: number, bytes: Uint8Array, bitsOfLength: number): number[] {
  const bits: number[] = [];
  const put = (value: number, count: number) => {
    for (let i = count - 1; i >= 0; i--) bits.push((value >> i) & 1);
  };
  put(0b0100, 4);
  put(bytes.length, bitsOfLength);
  for (const byte of bytes) put(byte, 8);
  const room = dataCodewords(version) * 8;
  put(0, Math.min(4, room - bits.length));
  while (bits.length % 8 !== 0) bits.push(0);
  for (let pad = 0xec; bits.length < room; pad ^= 0xec ^ 0x11) put(pad, 8);
  return Array.from({ length: bits.length / 8 }, (_, i) =>
    bits.slice(i * 8, i * 8 + 8).reduce((byte, bit) => byte * 2 + bit, 0),
  );
}

/** Multiplication in GF(2^8) modulo 0x11d. */
function times(a: number, b: number): number {
  let product = 0;
  for (let i = 7; i >= 0; i--) {
    product = (product << 1) ^ ((product >> 7) * 0x11d);
    product ^= ((b >> i) & 1) * a;
  }
  return product;
}

function divisorOf(degree: number): number[] {
  const divisor: number[] = Array.from({ length: degree }, (_, i) => (i === degree - 1 ? 1 : 0));
  let root = 1;
  for (let i = 0; i < degree; i++) {
    for (let j = 0; j < degree; j++) divisor[j] = times(divisor[j] ?? 0, root) ^ (divisor[j + 1] ?? 0);
    root = times(root, 2);
  }
  return divisor;
}

function remainderOf(data: readonly number[], divisor: readonly number[]): number[] {
  const rest = divisor.map(() => 0);
  for (const byte of data) {
    const factor = byte ^ (rest.shift() ?? 0);
    rest.push(0);
    for (const [i, value] of divisor.entries()) rest[i] = (rest[i] ?? 0) ^ times(value, factor);
  }
  return rest;
}

/** Splits the data into blocks, and interleaves their codewords. */
function withCorrection(version: number, data: readonly number[]): number[] {
  const { each, blocks } = correctionOf(version);
  const shortLength = Math.floor(rawCodewords(version) / blocks) - each;
  const shortBlocks = blocks - (rawCodewords(version) % blocks);
  const divisor = divisorOf(each);
  let at = 0;
  const parts = Array.from({ length: blocks }, (_, i) => {
    const part = data.slice(at, (at += shortLength + (i < shortBlocks ? 0 : 1)));
    return { part, correction: remainderOf(part, divisor) };
  });
  const inTurn = (length: number, of: (block: (typeof parts)[number]) => readonly number[]) =>
    Array.from({ length }, (_, i) => parts.flatMap((block) => of(block)[i] ?? [])).flat();
  return [...inTurn(shortLength + 1, ({ part }) => part), ...inTurn(each, ({ correction }) => correction)];
}

type Grid = (boolean | null)[][];

function drawn(version: number, codewords: readonly number[]): boolean[][] {
  const size = version * 4 + 17;
  const grid: Grid = Array.from({ length: size }, () => Array.from({ length: size }, () => null));
  drawPatterns(grid, version);
  const isFixed = grid.map((row) => row.map((module) => module !== null));
  drawData(grid, codewords);
  const candidates = MASKS.map((mask, number) => {
    const masked = grid.map((row, y) =>
      row.map((dark, x) => (isFixed[y]?.[x] ? dark === true : (dark === true) !== mask(x, y))),
    );
    drawFormat(masked, number);
    return { masked, penalty: penaltyOf(masked) };
  });
  return candidates.reduce((best, each) => (each.penalty < best.penalty ? each : best)).masked;
}

const MASKS: readonly ((x: number, y: number) => boolean)[] = [
  (x, y) => (x + y) % 2 === 0,
  (_, y) => y % 2 === 0,
  (x) => x % 3 === 0,
  (x, y) => (x + y) % 3 === 0,
  (x, y) => (Math.floor(x / 3) + Math.floor(y / 2)) % 2 === 0,
  (x, y) => ((x * y) % 2) + ((x * y) % 3) === 0,
  (x, y) => (((x * y) % 2) + ((x * y) % 3)) % 2 === 0,
  (x, y) => (((x + y) % 2) + ((x * y) % 3)) % 2 === 0,
];

function set(grid: Grid, x: number, y: number, isDark: boolean): void {
  const row = grid[y];
  if (row && x >= 0 && x < row.length) row[x] = isDark;
}

function drawPatterns(grid: Grid, version: number): void {
  const size = grid.length;
  for (let i = 0; i < size; i++) {
    set(grid, 6, i, i % 2 === 0);
    set(grid, i, 6, i % 2 === 0);
  }
  const square = (cx: number, cy: number, radius: number, isDark: (distance: number) => boolean) => {
    for (let dy = -radius; dy <= radius; dy++)
      for (let dx = -radius; dx <= radius; dx++)
        set(grid, cx + dx, cy + dy, isDark(Math.max(Math.abs(dx), Math.abs(dy))));
  };
  const places = placesOf(version, size);
  const last = places.length - 1;
  for (const [i, x] of places.entries())
    for (const [j, y] of places.entries()) {
      const isOnFinder = (i === 0 && j === 0) || (i === 0 && j === last) || (i === last && j === 0);
      if (!isOnFinder) square(x, y, 2, (distance) => distance !== 1);
    }
  const corners = [[3, 3] as const, [size - 4, 3] as const, [3, size - 4] as const];
  for (const [x, y] of corners) square(x, y, 4, (distance) => distance !== 2 && distance !== 4);
  drawFormat(grid, 0);
  if (version < 7) return;
  const bits = (version << 12) | bch(version, 12, 0x1f25);
  for (let i = 0; i < 18; i++) {
    const [a, b] = [size - 11 + (i % 3), Math.floor(i / 3)];
    set(grid, a, b, ((bits >> i) & 1) === 1);
    set(grid, b, a, ((bits >> i) & 1) === 1);
  }
}

/** Centres of the alignment patterns. */
function placesOf(version: number, size: number): number[] {
  if (version === 1) return [];
  const count = alignments(version);
  const step = Math.floor((version * 8 + count * 3 + 5) / (count * 4 - 4)) * 2;
  return [6, ...Array.from({ length: count - 1 }, (_, i) => size - 7 - (count - 2 - i) * step)];
}

function bch(value: number, degree: number, generator: number): number {
  let rest = value;
  for (let i = 0; i < degree; i++) rest = (rest << 1) ^ ((rest >> (degree - 1)) * generator);
  return rest;
}

/** Level M is 00. */
function drawFormat(grid: Grid, mask: number): void {
  const size = grid.length;
  const bits = ((mask << 10) | bch(mask, 10, 0x537)) ^ 0x5412;
  const bit = (i: number) => ((bits >> i) & 1) === 1;
  for (let i = 0; i < 15; i++) {
    const along = i < 6 ? i : i < 8 ? i + 1 : null;
    if (along !== null) set(grid, 8, along, bit(i));
    else set(grid, i === 8 ? 7 : 14 - i, 8, bit(i));
    if (i < 8) set(grid, size - 1 - i, 8, bit(i));
    else set(grid, 8, size - 15 + i, bit(i));
  }
  set(grid, 8, size - 8, true);
}

/** In columns of two, from right to left, upwards and downwards in turn. */
function drawData(grid: Grid, codewords: readonly number[]): void {
  const size = grid.length;
  let next = 0;
  for (let right = size - 1; right >= 1; right -= 2) {
    if (right === 6) right = 5;
    for (let along = 0; along < size; along++) {
      const isUpward = ((right + 1) & 2) === 0;
      const y = isUpward ? size - 1 - along : along;
      for (const x of [right, right - 1]) {
        if (grid[y]?.[x] !== null) continue;
        set(grid, x, y, (((codewords[next >> 3] ?? 0) >> (7 - (next & 7))) & 1) === 1);
        next += 1;
      }
    }
  }
}

/** Section 7.8.3.1: runs, squares, patterns like a finder, and unequal shares make a code hard to read. */
function penaltyOf(grid: readonly (readonly boolean[])[]): number {
  const size = grid.length;
  const turned = grid.map((_, x) => grid.map((row) => row[x] === true));
  let penalty = 0;
  for (const line of [...grid, ...turned]) {
    const text = line.map((dark) => (dark ? "1" : "0")).join("");
    for (const [run] of text.matchAll(/0{5,}|1{5,}/g)) penalty += run.length - 2;
    penalty += 40 * [...`0000${text}0000`.matchAll(/(?=00001011101|10111010000)/g)].length;
  }
  for (let y = 1; y < size; y++)
    for (let x = 1; x < size; x++) {
      const dark = grid[y]?.[x];
      if (dark === grid[y - 1]?.[x] && dark === grid[y]?.[x - 1] && dark === grid[y - 1]?.[x - 1]) penalty += 3;
    }
  const share = grid.flat().filter(Boolean).length / (size * size);
  return penalty + 10 * Math.floor(Math.abs(share - 0.5) * 20);
}
