// Release versions: major.minor.patch with an optional pre-release, ordered as semver.org defines it.

const VERSION = /^(\d{1,9})\.(\d{1,9})\.(\d{1,9})(?:-([0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*))?$/;

export const isVersion = (text: string): boolean => VERSION.test(text);

/** Negative if `a` is older than `b`, positive if it is newer, 0 if they are the same. */
export function compareVersions(a: string, b: string): number {
  const [left, right] = [partsOf(a), partsOf(b)];
  const place = [0, 1, 2].find((at) => left.numbers[at] !== right.numbers[at]);
  if (place !== undefined) return (left.numbers[place] ?? 0) - (right.numbers[place] ?? 0);
  // A pre-release is older than its release.
  if (left.labels.length === 0 || right.labels.length === 0) return right.labels.length - left.labels.length;
  return compareLabels(left.labels, right.labels);
}

function partsOf(version: string): { numbers: number[]; labels: string[] } {
  const match = VERSION.exec(version);
  if (!match) throw new TypeError(`"${version}" is not a version such as 1.2.3.`);
  return { numbers: match.slice(1, 4).map(Number), labels: match[4]?.split(".") ?? [] };
}

function compareLabels(left: readonly string[], right: readonly string[]): number {
  for (const [at, label] of left.entries()) {
    const other = right[at];
    if (other === undefined) return 1;
    const order = compareLabel(label, other);
    if (order !== 0) return order;
  }
  return left.length - right.length;
}

function compareLabel(a: string, b: string): number {
  const [isNumber, isOtherNumber] = [/^\d+$/.test(a), /^\d+$/.test(b)];
  if (isNumber && isOtherNumber) return Number(a) - Number(b);
  if (isNumber !== isOtherNumber) return isNumber ? -1 : 1;
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
