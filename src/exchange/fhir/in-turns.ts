// Maps a page of records without holding up other requests.
import { createTurns } from "../../core/clock.ts";

export async function inTurns<A, B>(all: readonly A[], map: (one: A) => B): Promise<B[]> {
  const mapped: B[] = [];
  const turn = createTurns();
  for (const one of all) {
    mapped.push(map(one));
    await turn();
  }
  return mapped;
}
