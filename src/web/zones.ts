// Selectable time zones. Browsers omit UTC from their list, and use older names for some places.

export function zonesWith(...also: string[]): (readonly [value: string, text: string])[] {
  const names = new Set([...Intl.supportedValuesOf("timeZone"), "UTC", ...also]);
  return [...names].toSorted().map((zone) => [zone, zone.replaceAll("_", " ")] as const);
}
