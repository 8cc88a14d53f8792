// Paths of the contact pages.
import { pathOf } from "../../pages.ts";

export const CONTACTS_PATH = pathOf("people");

export const contactPath = (contactId: string): string => `${CONTACTS_PATH}/${contactId}`;
