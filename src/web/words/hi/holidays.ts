// Hindi texts of closed days, plans and printable lists.
import { formatNumber } from "../../format.ts";
import type { holidays as English } from "../en/holidays.ts";
import type { Translated } from "../translated.ts";

export const holidays: Translated<typeof English> = {
  page: {
    closedFor: { move: "समय बदलना है", call: "कॉल हो रही है" },
    tabs: "कैलेंडर के हिस्से",
    tabWeek: "हफ़्ता",
    tabHolidays: "छुट्टियाँ",

    twice: "यह व्यक्ति इस तारीख़ को इसी समय पहले से बुक है। फिर भी दोबारा बुक करें?",
    bookTwice: "दोबारा बुक करें",
    moveTwice: "फिर भी यहाँ ले जाएँ",

    dayList: "दिन की सूची",
    backToCalendar: "कैलेंडर पर लौटें",
    nobodyOnDay: "इस दिन कोई नहीं आ रहा।",
    printNumbers: "फ़ोन नंबर के साथ",
    printNotes: "नोट के साथ",
    printNow: "प्रिंट करें",
    allServices: "सारी सेवाएँ",
    came: "आए",
    printedOf: (count: number) => `${formatNumber(count)} लोग`,

    closesOn: (count: number) => `यहाँ ${formatNumber(count)} लोग बुक हैं। तारीख़ बंद करने से उनके अपॉइंटमेंट वैसे ही रहते हैं।`,
    stillBooked: (count: number) => `इस समय में अब भी ${formatNumber(count)} लोग बुक हैं।`,
    disableAndLeave: "बंद करें, बुकिंग रहने दें",
    disablesToo: "अब किसी हफ़्ते इस समय में बुकिंग नहीं होगी। चुनें कि बुक लोगों का क्या हो।",
    decideForThem: "हर एक के लिए तय करें",
    closeDay: "यह दिन बंद करें",
    closeDays: "दिन बंद करें",
    firstDay: "पहला दिन",
    lastDay: "आख़िरी दिन",
    closureName: "कारण",
    closureNameHint: "ज़रूरी नहीं: जैसे दिवाली, या डॉ. राव छुट्टी पर।",
    fromTo: (from: string, to: string) => `${from} से ${to}`,
    closesWindows: (count: number) =>
      count === 0 ? "तब कोई OPD समय खुला नहीं है।" : `${formatNumber(count)} OPD समय बंद होंगे।`,
    bookedThere: (count: number) => (count === 0 ? "वहाँ कोई बुक नहीं है।" : `वहाँ ${formatNumber(count)} लोग बुक हैं।`),
    morePeople: "यहाँ जितने दिख रहे हैं उनसे ज़्यादा लोग बुक हैं। सबके लिए जो चुनेंगे वह उन पर भी लागू होगा।",
    chooseForAll: "उनका क्या हो",
    choice: "उनका क्या हो",
    callingAgent: "कौन सा एजेंट कॉल करे",
    callingAgentHint: "वह दूसरे समय बताता है और जो वे चुनें उसे बुक करता है।",
    movesTo: (when: string) => `${when} पर जाएँगे`,
    isCalled: (number: string) => `${number} पर कॉल होगी`,
    isLeft: "बुकिंग वैसी ही रहेगी",
    noPlace: "ले जाने के लिए कोई ख़ाली जगह नहीं",
    noNumber: "कॉल करने के लिए नंबर नहीं",
    closeSubmit: (moved: number, called: number, isDisabled: boolean) =>
      [
        isDisabled ? "यह OPD समय बंद करें" : "बंद करें",
        ...(moved > 0 ? [`${formatNumber(moved)} को ले जाएँ`] : []),
        ...(called > 0 ? [`${formatNumber(called)} को कॉल करें`] : []),
      ].join(" और "),
    closedDone: (moved: number, called: number) =>
      [
        "बंद हो गया।",
        ...(moved > 0 ? [`${formatNumber(moved)} को दूसरा समय मिला।`] : []),
        ...(called > 0 ? [`${formatNumber(called)} को कॉल हो रही है।`] : []),
      ].join(" "),

    note: "जिन दिनों शाखाएँ बंद हैं। तब कोई बुकिंग नहीं होती।",
    noClosures: "कोई दिन बंद नहीं है।",
    reopen: "फिर खोलें",
    reopenTitle: "ये दिन फिर खोलें?",
    reopenNote: "पहले की तरह बुकिंग होने लगेगी। जिन्हें दूसरा समय मिला वे वहीं रहेंगे।",
    callsStop: "इन दिनों की कॉल रुक जाएँगी। जिनसे बात चल रही है, वह पूरी होगी।",
    keepCalling: "सूची में सबको फिर भी कॉल करें",
    keepClosed: "बंद रहने दें",
    reopened: "ये दिन फिर खुल गए।",
    needsYou: (count: number) => `${formatNumber(count)} लोगों को आपकी ज़रूरत है`,
    needsYouNote: "उन्हें दूसरा समय नहीं मिल सका या कॉल नहीं हो सकी, और वे बंद दिन पर बुक हैं।",
    whoNeeds: "उन्हें दिखाएँ",
    movedCount: (count: number) => `${formatNumber(count)} को दूसरा समय मिला`,
    calledCount: (count: number) => `${formatNumber(count)} को कॉल`,
    leftCount: (count: number) => `${formatNumber(count)} वैसे ही बुक`,
    waitingCount: (count: number) => `${formatNumber(count)} बाक़ी`,
    toCalls: "कॉल देखें",
  },
  choices: {
    move: { all: "सबको ले जाएँ", one: "ले जाएँ", note: "उसी सेवा की अगली ख़ाली जगह पर, जैसा नीचे लिखा है" },
    call: { all: "सबको कॉल करें", one: "कॉल करें", note: "एजेंट उन्हें दूसरे समय बताता है" },
    leave: { all: "सबको रहने दें", one: "रहने दें", note: "बुकिंग बनी रहती है; किसी को बताया नहीं जाता" },
  },
  states: {
    closing: "बंद हो रहा है",
    moving: "लोगों का समय बदल रहा है",
    calling: "कॉल बन रही हैं",
    closed: "बंद",
    reopening: "फिर खुल रहा है",
    reopened: "फिर खुला",
  },
};
