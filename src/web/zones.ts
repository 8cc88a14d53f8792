// The time zones to choose from. Browsers leave UTC out of their list, and know some places by an older name.

export function zonesWith(...also: string[]): (readonly [value: string, text: string])[] {
  const names = new Set([...Intl.supportedValuesOf("timeZone"), "UTC", ...also]);
  return [...names].toSorted().map((zone) => [zone, zone.replaceAll("_", " ")] as const);
}
