// A time zone in which it is about noon, whenever a test runs.

/** Where the hour is `hour`, noon unless given; zones of the Etc area have the opposite sign. */
export function noonZone(hour = 12): string {
  const ahead = ((hour - new Date().getUTCHours() + 12 + 24) % 24) - 12;
  return ahead === 0 ? "Etc/GMT" : `Etc/GMT${ahead > 0 ? "-" : "+"}${Math.abs(ahead)}`;
}
