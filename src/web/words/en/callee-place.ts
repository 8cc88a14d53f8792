// English texts of the place of a contact.

export const calleePlace = {
  zone: "Time zone",
  zoneHint: "Only if they live elsewhere than their number says.",
  region: "US state, as CA",
};
