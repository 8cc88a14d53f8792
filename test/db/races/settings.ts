// Settings shared by the races' server and processes.
import { UNENFORCED } from "../../support/unenforced.ts";

/** More than two processes can do at once, and few enough to be reached. */
export const SETTINGS = {
  ...UNENFORCED,
  RINGWARD_CALLS__DEFAULT_DELAY_SECONDS: "0",
  RINGWARD_CAMPAIGNS__AT_ONCE: "3",
  RINGWARD_PLANS__BASE__REQUESTS_PER_MINUTE: "unlimited",
  RINGWARD_MODELS__ALLOW: "10.0.0.0/8",
  // At any time.
  RINGWARD_WAITING_LIST__CALLING_HOURS: "00:00,00:00",
};
