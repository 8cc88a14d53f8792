// Rows of the people who are called or have an appointment, by number and name.
import type { Generated } from "kysely";

export interface ContactTable {
  /** Higher for those who became known later. */
  id: Generated<number>;
  organisation_id: string;
  contact_number: string;
  /** Empty where no name is known. */
  contact_name: string;
}
