// Alarms of the appliance, and a test message.
import { Elysia } from "elysia";
import type { AlarmList } from "../../alarms/alarm-list.ts";
import type { SessionGuard } from "../session-guard.ts";

export interface AlarmRouteDeps {
  guard: SessionGuard;
  alarmList: AlarmList;
}

export function alarmRoutes({ guard, alarmList }: AlarmRouteDeps) {
  return new Elysia({ name: "dashboard-alarms" })
    .use(guard)
    .get("/dashboard/api/alarms", ({ session }) => alarmList.list(session.organisationId), { role: "viewer" })
    .post(
      "/dashboard/api/alarms/test",
      async ({ session, actor }) => ({ sent_to: await alarmList.sendTest(session.organisationId, actor) }),
      { role: "owner" },
    );
}
