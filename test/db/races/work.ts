// The work messages sent to racers.
import type { Tx } from "../../../src/db/database.ts";
import type { RaceWorld } from "./world.ts";

/** What a test asks all racers for. */
export interface Race {
  /** By its name in works.ts. */
  work: string;
  organisationId: string;
  /** What it is about. */
  subject: string;
  /** How many tries each makes. */
  times: number;
  /** How many of them at once. */
  atOnce: number;
  /** Which of the racers this is, from 0. */
  racer: number;
}

/** The `i`th try. A word or a number that it answers is its outcome, and "done" everything else. */
export type Work = (world: RaceWorld, race: Race, i: number) => Promise<unknown>;

/** In a transaction of its own. */
export const within =
  (act: (tx: Tx, world: RaceWorld, race: Race, i: number) => Promise<unknown>): Work =>
  (world, race, i) =>
    world.db.write((tx) => act(tx, world, race, i));

/** One racer does this once, in the midst of what everybody else does. */
export const onceAmid =
  (once: Work, others: Work): Work =>
  (world, race, i) =>
    (race.racer === 0 && i === Math.floor(race.times / 2) ? once : others)(world, race, i);

/** Two racers against the other two. */
export const against =
  (these: Work, those: Work): Work =>
  (world, race, i) =>
    (race.racer % 2 === 0 ? these : those)(world, race, i);

/** One racer against the other three. */
export const oneAgainst =
  (one: Work, others: Work): Work =>
  (world, race, i) =>
    (race.racer === 0 ? one : others)(world, race, i);

export const takenOrNot = (isTaken: boolean): string => (isTaken ? "done" : "refused");

/** The subject is a list: the `i`th of it. */
export function subjectOf<T>({ subject }: Race, i: number): T {
  const one = (JSON.parse(subject) as T[])[i];
  if (one === undefined) throw new Error(`There is no subject ${i}.`);
  return one;
}

/** Of all tries of all racers, which one this is. */
export const turnOf = ({ racer, times }: Race, i: number): number => racer * times + i;
