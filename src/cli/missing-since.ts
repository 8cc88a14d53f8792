// What a restored database lacks, although it decides who is called and what is kept.

/** `madeAt`: when the backup was made; null if it does not say so. */
export function missingSince(madeAt: string | null): string {
  const [since, backup] =
    madeAt === null ? ["the backup was made", "a backup that does not say when"] : [madeAt, `the backup of ${madeAt}`];
  return (
    `Missing: withdrawn consents, refusals, do-not-disturb entries and retention holds since ${since}. ` +
    `The database is as in ${backup}. Enter them again before anybody is called: ` +
    '"ringward consents withdraw", "ringward dnd add" and "ringward holds add", for each organisation.'
  );
}
