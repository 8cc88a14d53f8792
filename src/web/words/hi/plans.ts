// Hindi texts of plans: windows for several days, copying another branch's week, holiday import, calendar links.
import { formatNumber } from "../../format.ts";
import type { plans as English } from "../en/plans.ts";
import type { Translated } from "../translated.ts";

export const plans: Translated<typeof English> = {
  page: {
    severalDays: "एक साथ कई दिन",
    days: "दिन",
    daysTo: (last: string) => `सोमवार से ${last}`,
    sessions: "पालियाँ",
    makeWindows: (count: number) => `${formatNumber(count)} OPD समय बनाएँ`,
    windowsMade: (count: number) => `${formatNumber(count)} OPD समय बन गए।`,

    copyPlan: "दूसरी शाखा में कॉपी करें",
    copyFrom: (branch: string) => `${branch} के हर हफ़्ते के समय, जगहों और सेवाओं के साथ।`,
    copyTo: "किस शाखा में",
    copyWindows: (count: number) => `${formatNumber(count)} OPD समय कॉपी करें`,
    nothingToCopy: "इस शाखा में कॉपी करने के लिए कोई OPD समय नहीं है।",
    alreadyThere: (count: number) =>
      count === 0 ? "दूसरी शाखा में अभी कोई OPD समय नहीं है।" : `दूसरी शाखा में ${formatNumber(count)} OPD समय हैं, वे वैसे ही रहेंगे।`,
    plan: "हफ़्ते की योजना",
    exists: "पहले से है",

    importHolidays: "फ़ाइल से छुट्टियाँ",
    file: "कैलेंडर फ़ाइल",
    fileHint: "जो फ़ाइल .ics पर ख़त्म होती है, जैसे आपके राज्य की छुट्टियों की सूची। अभी कुछ बंद नहीं होगा।",
    noHolidays: "इस फ़ाइल में अगले दो साल का कोई दिन नहीं है।",
    unread: (count: number) =>
      `${formatNumber(count)} प्रविष्टियाँ पढ़ी नहीं जा सकीं, या ऐसे दोहराई जाती हैं जो यहाँ समझ में नहीं आता।`,
    mostAtOnce: (most: number) => `एक बार में ज़्यादा से ज़्यादा ${formatNumber(most)}.`,
    goOnWith: (count: number) => `${formatNumber(count)} छुट्टियों के साथ आगे बढ़ें`,

    feeds: "कैलेंडर लिंक",
    feedsNote:
      "लिंक से शाखा के समय Outlook, Google Calendar या फ़ोन में दिखते हैं। जिसके पास लिंक है वह पढ़ सकता है: ज़रूरत न रहे तो वापस ले लें।",
    noFeeds: "अभी कोई लिंक नहीं बना।",
    feedMade: (when: string) => `${when} को बना`,
    feedUrl: "कैलेंडर प्रोग्राम के लिए पता",
    feedPeople: "लोगों के बारे में क्या दिखे",
    feedWarning: "जिसके पास लिंक है वह और कैलेंडर की कंपनी मरीज़ों को देख सकेगी।",
    makeFeed: "लिंक बनाएँ",
    revokeFeed: "वापस लें",
    feedRevoked: "यह लिंक अब काम नहीं करता।",
  },
  feedPeople: {
    none: "कितने बुक हैं, किसी का नाम नहीं",
    initials: "नाम के पहले अक्षर",
    names: "नाम",
  },
};
