// Hindi texts of what a button says before it dials.
import { formatNumber } from "../../format.ts";
import type { dialAhead as english } from "../en/dial-ahead.ts";
import type { Translated } from "../translated.ts";

export const dialAhead: Translated<typeof english> = {
  label: "इससे क्या होगा",
  laterOne: (time, zone) => `कॉल अभी नहीं, ${time} (${zone}) पर जाएगी।`,
  laterAll: (count, time, zone) => `सभी ${formatNumber(count)} कॉल रुकेंगी: पहली ${time} (${zone}) पर जाएगी।`,
  laterSome: (now, later, time, zone) =>
    `${formatNumber(now)} कॉल तुरंत जाएँगी। ${formatNumber(later)} रुकेंगी: उनमें पहली ${time} (${zone}) पर जाएगी।`,
  heldOne: "अभी की स्थिति में यह कॉल नहीं जाएगी।",
  heldSome: (count) => `अभी की स्थिति में ${formatNumber(count)} कॉल नहीं जाएँगी।`,
  because: (reasons) => `वजह: ${reasons}।`,
  pending: "इस नंबर पर एक कॉल पहले से है:",
  pendingMany: "इन नंबरों पर कॉल पहले से हैं:",
  pendingAt: (agent, time) => `${agent}, ${time}`,
  callAt: (time) => `${time} पर कॉल करें`,
  sample: (count) => `पहले ${formatNumber(count)} लोगों के लिए:`,
  refusals: {
    insufficient_credits: "क्रेडिट कम हैं",
    do_not_disturb: "यह नंबर “परेशान न करें” सूची में है",
    invalid_number: "इस नंबर पर कॉल नहीं की जा सकती",
  },
};
