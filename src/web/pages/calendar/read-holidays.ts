// Uploads a calendar file and returns its holidays.
import { offline, OWN_PAGE, refusal } from "../../client.ts";

export interface FoundHolidays {
  holidays: { from: string; to: string; name: string }[];
  /** Events that could not be read. */
  unread: number;
}

export async function readHolidays(file: File): Promise<FoundHolidays> {
  const headers = { ...OWN_PAGE, "content-type": "text/calendar" };
  let response: Response;
  try {
    response = await fetch("/dashboard/api/calendar/holidays/read", { method: "POST", headers, body: file });
  } catch {
    throw offline();
  }
  const body: unknown = await response.json().catch(() => null);
  if (!response.ok) throw refusal(response.status, body);
  return body as FoundHolidays;
}
