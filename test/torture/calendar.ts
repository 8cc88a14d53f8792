// Windows with less capacity than demand, far enough ahead that no clock jump ends them.
import type { Api } from "./api.ts";

const DAYS = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"];
const PLACES_PER_WINDOW = 4;
const FIRST_DAY_AHEAD = 4;
const DATES = 12;

export async function openWindows(api: Api, now: number): Promise<string[]> {
  const branch = crypto.randomUUID();
  for (const day of DAYS) {
    const body = { branch_id: branch, day, session: "Morning", ai_slots: 0, max_slots: PLACES_PER_WINDOW };
    const made = await api({ method: "POST", path: "/v1/appointment-slots", body });
    if (made.kind !== "answer" || made.status >= 300)
      throw new Error(`No window could be made: ${JSON.stringify(made)}`);
  }
  const dateAhead = (days: number) => new Date(now + days * 86_400_000).toISOString().slice(0, 10);
  const range = `from=${dateAhead(FIRST_DAY_AHEAD)}&to=${dateAhead(FIRST_DAY_AHEAD + DATES - 1)}`;
  const open = await api({
    method: "GET",
    path: `/v1/appointment-slots/availability?branch_id=${branch}&${range}`,
  });
  if (open.kind !== "answer") throw new Error("Nobody told which windows are open.");
  return (open.data as unknown as { slot_id: string }[]).map(({ slot_id }) => slot_id);
}
