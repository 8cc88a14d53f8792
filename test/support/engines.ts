// The engine that a test runs on, and tests that are about one of them: each says why.
import { test } from "bun:test";

/** With this in the environment the tests that ask a database ask PostgreSQL. */
export const isOnPostgres = Boolean(process.env["RINGWARD_TEST_POSTGRES"]);

/** In the place of a test that is not there, `each` included. */
const nothing = Object.assign(() => {}, { each: () => () => {} }) as unknown as typeof test;

/** `onlySqlite("it reads the file's bytes")("a key is nowhere in it", …)`: on PostgreSQL there is no such test. */
export function onlySqlite(reason: string): typeof test {
  if (!isOnPostgres) return test;
  console.log(`Not on PostgreSQL: ${reason}.`);
  return nothing;
}

/** How often a property is tried: PostgreSQL takes longer, and the rules are the same. */
export const runsOf = (count: number): number => (isOnPostgres ? Math.ceil(count / 8) : count);
