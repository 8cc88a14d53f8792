// Where people who are called have their pages.
export const CONTACTS_PATH = "/dashboard/people";

export const contactPath = (contactId: string): string => `${CONTACTS_PATH}/${contactId}`;
