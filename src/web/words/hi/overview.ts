// Hindi texts of the overview.
import type { overview as English } from "../en/overview.ts";
import type { Translated } from "../translated.ts";

export const overview: Translated<typeof English> = {
  page: {
    title: "सारांश",
    period: "अवधि",
    lastDays: (days: string) => `${days} दिन`,
  },
  checklist: {
    title: "पहले कदम",
    progress: (done: number, all: number) => `${all} में से ${done} हो गए`,
    done: "हो गया",
    steps: {
      agent: { name: "एजेंट बनाएँ", note: "कौन बोलेगा, किस भाषा में और किस बारे में।" },
      number: { name: "फ़ोन नंबर जोड़ें", note: "एजेंट के कॉल करने पर लोगों को यही नंबर दिखता है।" },
      key: { name: "API key बनाएँ", note: "उन सिस्टम के लिए जो कॉल करवाते हैं।" },
      first_call: { name: "पहली कॉल करें", note: "किसी टेस्ट नंबर पर, या अपने ही फ़ोन पर।" },
      endpoint: { name: "Endpoint जोड़ें", note: "आपके सिस्टम को पता चलेगा कि हर कॉल कैसी रही।" },
    },
  },
  dayCharts: {
    calls: "हर दिन की कॉल",
    callsNote: "जिस दिन कॉल माँगी गई, उसके अनुसार।",
    bookings: "हर दिन की बुकिंग",
    bookingsNote: "जिस दिन बुकिंग हुई, उसके अनुसार।",
    open: "अभी ख़त्म नहीं हुई",
    byAi: "AI ने की",
    byPeople: "लोगों और सिस्टम ने की",
    table: "यही संख्याएँ तालिका में",
    day: "दिन",
    total: "कुल",
    nothing: "इस अवधि में कुछ नहीं है।",
    summary: (title: string, total: string, first: string, last: string) =>
      `${title}: ${first} से ${last} तक ${total}। संख्याएँ आगे तालिका में हैं।`,
  },
  tiles: {
    connect: { name: "कॉल लगने की दर", note: "डायल की गई कॉल में से जितनी उठाई गईं" },
    duration: { name: "औसत कॉल", note: "पूरी हुई कॉल की लंबाई" },
    bookings: "बुकिंग",
    byAi: (count: string) => `इनमें से ${count} AI ने कीं`,
    change: (change: string) => `पिछली अवधि से ${change}`,
    points: (points: string) => `${points} अंक`,
    same: "पिछली अवधि जितना",
    credits: "क्रेडिट",
    creditsUsed: (used: string) => `इस अवधि में ${used} ख़र्च हुए`,
    unlimited: "असीमित",
  },
  trunkWarnings: {
    sipDoesNotRun: "SIP नहीं चल रहा: न कोई कॉल जाती है, न आती है।",
    noTrunk: "अभी कोई ट्रंक नहीं है: उसके जुड़ने तक कॉल इंतज़ार करेंगी।",
    isDown: (name: string, condition: string) => `ट्रंक ${name}: ${condition}। उसकी कॉल इंतज़ार कर रही हैं।`,
    look: "ट्रंक देखें",
  },
};
