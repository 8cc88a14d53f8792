// Consents and the do-not-disturb list: an entry there withdraws every consent of its number.
import type { ReadNotes } from "../accounts/read-notes.ts";
import { createDoNotDisturbService } from "../calls/people/do-not-disturb.ts";
import type { Database } from "../db/database.ts";
import { ConsentChanges, type ConsentChangesDeps } from "../rules/consent/consent-changes.ts";
import { createCalleeHash } from "../core/number-hash.ts";
import { ConsentService } from "../rules/consent/service.ts";

type ConsentGround = Omit<ConsentChangesDeps, "numberHash"> & {
  db: Database;
  readNotes: ReadNotes;
  secrets: Parameters<typeof createCalleeHash>[0];
};

export function consentServices(services: ConsentGround) {
  const ground = { ...services, numberHash: createCalleeHash(services.secrets) };
  const consentChanges = new ConsentChanges(ground);
  const doNotDisturb = createDoNotDisturbService({ ...ground, consentChanges });
  const stopCalls = doNotDisturb.addWithin;
  const consents = new ConsentService({ ...ground, changes: consentChanges, stopCalls });
  return { doNotDisturb, consentChanges, consents };
}
