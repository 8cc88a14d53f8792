// Services about one person: contacts, everything as a file, and who could see whose data.
import { createAuditedSubjects } from "../rights/audited-subjects.ts";
import { createBreachReport } from "../rights/breach-report.ts";
import { Contacts, type ContactsDeps } from "../rights/contacts.ts";
import { createNamedSubjects } from "../rights/named-subjects.ts";
import { Renaming, type RenamingDeps } from "../rights/renaming.ts";
import { createPersonFile, type PersonFileDeps } from "../rights/person-file.ts";

type RightsGround = ContactsDeps & RenamingDeps & PersonFileDeps & Parameters<typeof createBreachReport>[0];

export function createRightsServices(ground: RightsGround) {
  return {
    contacts: new Contacts(ground),
    renaming: new Renaming(ground),
    personFile: createPersonFile(ground),
    breachReport: createBreachReport(ground),
    auditedSubjects: createAuditedSubjects(ground),
    namedSubjects: createNamedSubjects(ground),
  };
}
