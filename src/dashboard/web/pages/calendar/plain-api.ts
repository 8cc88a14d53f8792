// The typed client with dates left as the text that they are: Eden turns "2026-11-16" into a Date otherwise, which is a
// point in time, while a date of the calendar is a day in the branch's zone.
import { treaty } from "@elysiajs/eden";
import type { DashboardApi } from "../../../api.ts";

export const api = treaty<DashboardApi>(location.origin, {
  headers: { "x-ringward-dashboard": "1" },
  fetch: { credentials: "same-origin" },
  parseDate: false,
}).dashboard.api;
