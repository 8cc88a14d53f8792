// Fuzzy comparison of names: different spelling or a typing error.

/** `userNumber`, `user-number`, `USER_NUMBER` and `data.user_number` are equal. */
export function bare(name: string): string {
  return name
    .slice(name.lastIndexOf(".") + 1)
    .toLowerCase()
    .replaceAll(/[^a-z0-9]/g, "");
}

/** Allows one error in a short name, two in a longer one. */
export function isNear(a: string, b: string): boolean {
  const most = b.length < 8 ? 1 : 2;
  return Math.abs(a.length - b.length) <= most && slips(a, b) <= most;
}

/** Levenshtein distance: letters to insert, delete or replace. */
function slips(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const changed = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(changed, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}
