// Whether two bookings are for the same person, judged by their contact data. Families share a phone and names repeat:
// fields known in both must agree, and at least one field must be known in both.

export interface ContactOf {
  contact_name?: string | null | undefined;
  contact_number?: string | null | undefined;
}

export function isSamePerson(a: ContactOf, b: ContactOf): boolean {
  const known = [
    [spelled(a.contact_number), spelled(b.contact_number)],
    [spelled(a.contact_name), spelled(b.contact_name)],
  ].filter(([one, other]) => one !== "" && other !== "");
  return known.length > 0 && known.every(([one, other]) => one === other);
}

function spelled(text: string | null | undefined): string {
  return (text ?? "").trim().replaceAll(/\s+/g, " ").toLowerCase();
}
