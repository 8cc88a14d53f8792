// Checks that objects requested only by other organisations stay unchanged.
import type { Session } from "./session.ts";
import { withKey, type World } from "./world.ts";

export type Look = ReadonlyMap<string, string>;

export async function lookAtExhibits({ url, organisations }: World): Promise<Look> {
  const seen = new Map<string, string>();
  for (const { key, exhibits } of organisations) {
    for (const { address } of exhibits) {
      if (address === null) continue;
      const answer = await fetch(url + address, { headers: withKey(key) });
      seen.set(address, `${answer.status} ${await answer.text()}`);
    }
  }
  return seen;
}

export function compareExhibits(session: Session, before: Look, after: Look): void {
  for (const [address, text] of before) {
    if (after.get(address) !== text)
      session.tell("another organisation changed it", address, `${text} became ${after.get(address) ?? ""}`);
  }
}
