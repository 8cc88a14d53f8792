// Hindi in Devanagari, with its punctuation and digits, as servers' recognisers write it.
import { describe, expect, test } from "bun:test";
import { inLatin } from "../../../src/voice/understanding/hinglish/devanagari.ts";
import type { Expecting, Hearing, Intent } from "../../../src/voice/understanding/meaning.ts";
import { understand } from "../../../src/voice/understanding/understand.ts";
import { HEARING } from "./hearing.ts";

const hear = (text: string, hearing: Partial<Hearing>) =>
  understand(text, { ...HEARING, language: "hi-IN", ...hearing });

test.each([
  ["चलेगा", "chalega"],
  ["पक्का", "pakka"],
  ["बदल", "badal"],
  ["डॉक्टर", "doktar"],
  ["हाँ", "haan"],
  ["ज़्यादा", "jyaada"],
  ["yes", "yes"],
  ["", ""],
])("%p is written %p", (word, latin) => expect(inLatin(word)).toBe(latin));

const TABLE: Readonly<Partial<Record<Expecting, Partial<Record<Intent, readonly string[]>>>>> = {
  yes_no: {
    yes: [
      "हाँ।",
      "हां जी।",
      "जी हाँ, मैं आऊँगा।",
      "जी हां मैं आऊंगी",
      "जी।",
      "ठीक है।",
      "बिल्कुल ठीक है।",
      "हाँ, बुक कर दीजिए।",
      "चलेगा",
      "हो जाएगा",
      "मैं आ जाऊंगा",
      "ज़रूर",
      "पक्का",
      "कर दो",
      "सही है",
    ],
    no: [
      "नहीं।",
      "जी नहीं।",
      "नहीं, मैं नहीं आ सकता।",
      "मैं नहीं आ पाऊंगा",
      "नहीं चाहिए",
      "बिल्कुल नहीं।",
      "नहीं आऊंगी",
      "नहीं हो पाएगा",
    ],
    another_time: [
      "किसी और दिन",
      "कोई दूसरा दिन",
      "समय बदल दीजिए",
      "तारीख बदलनी है",
      "कोई और समय",
      "अगले दिन",
      "कल नहीं आ सकता",
    ],
    cancel_appointment: ["अपॉइंटमेंट कैंसिल कर दो", "कैंसल कर दीजिए", "रद्द कर दो", "अपॉइंटमेंट नहीं चाहिए"],
    who_is_this: ["आप कौन?", "कौन बोल रहा है?", "आप कहाँ से बोल रहे हैं?", "आपका नाम क्या है?", "कौन"],
    what_is_it_about: ["किस लिए फ़ोन किया?", "क्या काम है?", "क्यों कॉल किया?", "क्या बात है?"],
    repeat: ["फिर से बोलिए", "दोबारा बोलिए", "क्या कहा आपने?", "समझ नहीं आया", "क्या?"],
    slower: ["धीरे बोलिए", "आराम से बोलिए"],
    louder: ["ज़ोर से बोलिए", "आवाज़ नहीं आ रही", "सुनाई नहीं दे रहा"],
    person: ["किसी से बात करनी है", "डॉक्टर से बात कराइए", "मुझे किसी आदमी से बात करनी है", "ऑपरेटर से बात करवा दो"],
    do_not_call: ["फ़ोन मत करो", "कॉल मत करना", "दोबारा फोन मत कीजिए", "फोन करना बंद करो"],
    call_later: ["बाद में फोन करना", "अभी व्यस्त हूँ", "शाम को कॉल करना", "मैं अभी मीटिंग में हूँ", "थोड़ी देर बाद", "गाड़ी चला रहा हूँ"],
    hold_on: ["एक मिनट", "रुकिए", "एक मिनट रुकिए"],
    emergency: [
      "सीने में दर्द है",
      "मेरे सीने में बहुत दर्द हो रहा है",
      "साँस नहीं आ रही",
      "सांस लेने में तकलीफ है",
      "खून बह रहा है",
      "वो बेहोश हो गए",
      "दिल का दौरा पड़ा है",
      "बचाओ",
      "एम्बुलेंस भेजो",
      "छाती में दर्द",
      "साँस रुक रही है",
      "मेरी सांस फूल रही है",
      "खून निकल रहा है",
      "मैं मर जाऊंगा",
      "ज़हर खा लिया",
      "लकवा मार गया",
      "मैं मरना चाहता हूँ",
      "आत्महत्या",
    ],
    thanks_or_bye: ["धन्यवाद", "शुक्रिया", "बहुत बहुत धन्यवाद"],
  },
  identity: {
    yes: ["हाँ बोल रहा हूँ", "जी मैं बोल रही हूँ", "हाँ मैं ही हूँ", "जी बोलिए"],
    wrong_number: ["गलत नंबर", "ग़लत नंबर है"],
    not_that_person: ["मैं नहीं हूँ", "वो घर पर नहीं हैं", "वह बाहर गए हैं"],
    child_or_relative: ["मैं उनका बेटा हूँ", "मैं उनकी पत्नी बोल रही हूँ", "मम्मी घर पर नहीं है"],
  },
};

for (const [expecting, intents] of Object.entries(TABLE) as [Expecting, Record<Intent, string[]>][]) {
  for (const [intent, texts] of Object.entries(intents) as [Intent, string[]][]) {
    describe(`asked for ${expecting}, ${intent} is what is meant by`, () => {
      test.each(texts)("%p", (text) => expect(hear(text, { expecting }).intents[0]?.intent).toBe(intent));
    });
  }
}

describe("days and times:", () => {
  test.each([
    ["कल सुबह दस बजे", "2026-11-16", "10:00", "morning"],
    ["परसों शाम को", "2026-11-17", null, "evening"],
    ["आज शाम पाँच बजे", "2026-11-15", "17:00", "evening"],
    ["साढ़े दस बजे", null, "10:30", null],
    ["सवा ग्यारह बजे", null, "11:15", null],
    ["पौने चार बजे", null, "15:45", null],
    ["ढाई बजे", null, "14:30", null],
    ["डेढ़ बजे", null, "13:30", null],
    ["शुक्रवार को", "2026-11-20", null, null],
    ["इक्कीस तारीख", "2026-11-21", null, null],
    ["२१ तारीख को", "2026-11-21", null, null],
    ["एक घंटे बाद", "2026-11-15", "10:00", null],
    ["आधे घंटे में", "2026-11-15", "09:30", null],
    ["दो दिन बाद", "2026-11-17", null, null],
    ["कल 10 बजे", "2026-11-16", "10:00", null],
    ["मंगलवार दोपहर बारह बजे", "2026-11-17", "12:00", "afternoon"],
  ])("%p", (text, date, time, partOfDay) => {
    expect(hear(text, { expecting: "day_or_time" }).moment).toMatchObject({ date, time, partOfDay, conflict: false });
  });
});

describe("choosing:", () => {
  const offers = [
    { date: "2026-11-19", startTime: "10:30" },
    { date: "2026-11-20", startTime: "16:00" },
  ];
  test.each([
    ["पहला वाला", 0],
    ["दूसरा वाला ठीक है", 1],
    ["गुरुवार", 0],
    ["साढ़े दस बजे", 0],
    ["चार बजे", 1],
    ["कोई भी", 0],
  ])("%p takes number %d", (text, index) =>
    expect(hear(text, { expecting: "choice", offers }).choice?.index).toBe(index),
  );
});
