// What a delivery can be, in people's words.

export const deliveryStates: Record<string, string> = {
  pending: "Waiting",
  delivered: "Delivered",
  exhausted: "Given up",
  held: "Held",
};
