// Hindi texts of the health of the appliance.
import type { system as English } from "../en/system.ts";
import type { Translated } from "../translated.ts";

export const system: Translated<typeof English> = {
  title: "सिस्टम का हाल",
  figures: {
    webhooks: (share: string, days: string) => `पिछले ${days} दिन के ${share} event पहुँचे।`,
    noWebhooks: (days: string) => `पिछले ${days} दिन में कोई event नहीं भेजा गया।`,
    lateness: (days: string) => `क़तार में देरी, पिछले ${days} दिन`,
    latenessNote: (delay: string) => `तय समय से डायल होने तक ${delay}`,
    noLateness: "कोई कॉल डायल नहीं हुई",
  },
  version: "संस्करण",
  ready: "स्थिति",
  isReady: "काम के लिए तैयार",
  notReady: "तैयार नहीं",
  ok: "ठीक है",
  look: "फिर से देखें",
  checks: {
    write: "डेटाबेस में लिखा जा सकता है",
    database: "डेटाबेस ठीक है",
    disk: "डिस्क में जगह है",
    scheduler: "शेड्यूलर चल रहा है",
    telephony: "टेलीफ़ोन लाइन",
  },
  backup: "पिछला जाँचा हुआ बैकअप",
  backupState: "बैकअप",
  noBackup: "अब तक कोई नहीं",
  onTime: "समय पर",
  late: "देर हो चुकी है",
  drill: "बैकअप लौटाने का पिछला अभ्यास",
  drillState: "बैकअप लौटाने का अभ्यास",
  noDrill: "अब तक कोई नहीं",
  drillSame: "पूरा",
  drillDiffers: "कुछ छूट गया था",
};
