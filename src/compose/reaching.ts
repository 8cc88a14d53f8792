// Services by which the appliance reaches people by e-mail.
import { createPasswordLinks, type PasswordLinksDeps } from "../accounts/password-links.ts";
import { createAlarmList } from "../alarms/alarm-list.ts";

export const createReachingServices = (ground: PasswordLinksDeps) => ({
  passwordLinks: createPasswordLinks(ground),
  alarmList: createAlarmList(ground),
});
