// Hindi texts of setup, sign-in and lock.
import type { door as English } from "../en/door.ts";
import type { Translated } from "../translated.ts";

export const door: Translated<typeof English> = {
  setup: {
    title: "Ringward शुरू करें",
    intro: "अपने अस्पताल का नाम दें और तय करें कि आप कैसे साइन इन करेंगे। यह सब बाद में बदला जा सकता है।",
    code: "सेटअप कोड",
    codeHint: "Ringward शुरू होने पर यह कोड दिखाया गया था।",
    organisation: "अस्पताल का नाम",
    zone: "समय क्षेत्र",
    zoneHint: "अस्पताल का: सारे समय इसी के अनुसार दिखते हैं।",
    name: "आपका नाम",
    email: "आपका ई-मेल पता",
    password: "पासवर्ड",
    passwordHint: "कम से कम 10 अक्षर।",
    submit: "शुरू करें",
    already: "Ringward पहले ही सेट हो चुका है।",
    signIn: "साइन इन करें",
  },
  lock: {
    title: "लॉक है",
    note: "थोड़ी देर से इस कंप्यूटर पर किसी ने काम नहीं किया। आपके पासवर्ड से पेज वैसा ही खुलेगा जैसा आपने छोड़ा था।",
    noteFor: (name: string) =>
      `थोड़ी देर से इस कंप्यूटर पर किसी ने काम नहीं किया। ${name} के पासवर्ड से पेज वैसा ही खुलेगा जैसा छोड़ा था।`,
    password: "पासवर्ड",
    open: "खोलें",
    demo: "डेमो अस्पताल में आगे बढ़ें",
    others: "किसी और नाम से साइन इन करें",
  },
  signIn: {
    keepsPage: "आपका सत्र ख़त्म हो गया है। फिर साइन इन करें, जो आप लिख रहे थे वह मिल जाएगा।",
    title: "साइन इन",
    email: "ई-मेल पता",
    password: "पासवर्ड",
    submit: "साइन इन करें",
    forgotten: "भूल गए? कोई ओनर नया पासवर्ड दे सकता है।",
    demo: "डेमो अस्पताल में जाएँ",
    demoNote: "यह डेमो है: इसमें सब कुछ काल्पनिक है।",
    needsSetup: "Ringward अभी सेट नहीं हुआ है। शुरू होने पर उसने जो सेटअप लिंक दिखाया था, उसे खोलें।",
    haveCode: "मेरे पास सेटअप कोड है",
  },
};
