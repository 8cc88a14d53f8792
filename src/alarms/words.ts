// Words of the faults, in English and Hindi: what is wrong, and what to do.
import type { FaultName } from "../payloads/alarm.ts";
import { CERTIFICATE_DAYS } from "./faults.ts";
import type { Facts } from "./sight.ts";

export const ALARM_LANGUAGES = ["en", "hi"] as const;
export type AlarmLanguage = (typeof ALARM_LANGUAGES)[number];

export interface AlarmWords {
  title: string;
  action: string;
}

type Say = (facts: Facts, step: number) => AlarmWords;

const EN: Readonly<Record<FaultName, Say>> = {
  disk: ({ free_mb }, step) =>
    step > 1
      ? {
          title: `The disk of the data folder is full: ${free_mb} MB are left.`,
          action: "Make room now. Nothing is stored and no call is made until then.",
        }
      : {
          title: `The disk of the data folder is nearly full: ${free_mb} MB are left.`,
          action: "Make room, move recordings, or shorten retention.days.",
        },
  database: () => ({
    title: "The database cannot be read or written.",
    action: "Look at /readyz and at the log. No call is made until then.",
  }),
  database_slow: () => ({
    title: "The database is slow: writes or searches wait.",
    action: "Look for another program that holds the database, and at the machine's load.",
  }),
  scheduler: () => ({
    title: "The scheduler does not respond, so no call is made.",
    action: "Look at the log, then restart Ringward.",
  }),
  line: () => ({
    title: "The SIP worker does not run, so no call is made or taken.",
    action: "Look at the log, then restart Ringward.",
  }),
  trunk: ({ name }) => ({
    title: `The trunk ${name} does not answer or refuses the registration.`,
    action: "Open Settings, Trunks: the trunk's page says what it answered.",
  }),
  endpoint: ({ name }) => ({
    title: `The webhook endpoint ${name} is switched off after failures, or cannot be reached.`,
    action: "Ask the people who run the receiver, then switch the endpoint on again. Its events wait.",
  }),
  backup: ({ hours }) => ({
    title: hours === 0 ? "No backup was ever made." : `The last backup is ${hours} hours old.`,
    action: 'Run "ringward backup FILE" onto another disk, and look at the job that should have made one.',
  }),
  clock: () => ({
    title: "The machine's clock is not trusted, so no call goes out.",
    action: 'Set the clock right, then run "ringward clock confirm".',
  }),
  model_server: ({ name }) => ({
    title: `The model server ${name} cannot be reached. The built-in models serve instead.`,
    action: "Look at the server, and open Settings, Model servers to try it.",
  }),
  certificate: ({ name, day }, step) => ({
    title: `The certificate in ${name} expires on ${day}${step > 1 ? `: ${daysEn(step)} are left` : ""}.`,
    action: "Renew it. Ringward takes changed files of its own certificates within half a minute.",
  }),
};

const daysEn = (step: number): string => (CERTIFICATE_DAYS[step - 1] === 1 ? "hours" : "less than seven days");

const HI: Readonly<Record<FaultName, Say>> = {
  disk: ({ free_mb }, step) =>
    step > 1
      ? {
          title: `डेटा फ़ोल्डर की डिस्क भर गई है: ${free_mb} MB बचे हैं।`,
          action: "अभी जगह बनाएँ। तब तक न कुछ सहेजा जाता है, न कोई कॉल होती है।",
        }
      : {
          title: `डेटा फ़ोल्डर की डिस्क लगभग भर गई है: ${free_mb} MB बचे हैं।`,
          action: "जगह बनाएँ, रिकॉर्डिंग कहीं और ले जाएँ, या retention.days घटाएँ।",
        },
  database: () => ({
    title: "डेटाबेस पढ़ा या लिखा नहीं जा सकता।",
    action: "/readyz और लॉग देखें। तब तक कोई कॉल नहीं होती।",
  }),
  database_slow: () => ({
    title: "डेटाबेस धीमा है: लिखने या खोजने में देर हो रही है।",
    action: "देखें कि कौन-सा दूसरा प्रोग्राम डेटाबेस को रोके है, और मशीन पर कितना भार है।",
  }),
  scheduler: () => ({
    title: "Scheduler जवाब नहीं दे रहा, इसलिए कोई कॉल नहीं होती।",
    action: "लॉग देखें, फिर Ringward को दोबारा चालू करें।",
  }),
  line: () => ({
    title: "SIP का काम बंद है, इसलिए न कॉल जाती है, न आती है।",
    action: "लॉग देखें, फिर Ringward को दोबारा चालू करें।",
  }),
  trunk: ({ name }) => ({
    title: `ट्रंक ${name} जवाब नहीं देता या पंजीकरण नहीं मानता।`,
    action: "सेटिंग में ट्रंक खोलें: उसके पन्ने पर लिखा है कि क्या जवाब मिला।",
  }),
  endpoint: ({ name }) => ({
    title: `Webhook endpoint ${name} बार-बार विफल होने पर बंद हो गया है, या उस तक पहुँच नहीं है।`,
    action: "पाने वाले सिस्टम के लोगों से पूछें, फिर endpoint को चालू करें। उसके events रुके हुए हैं।",
  }),
  backup: ({ hours }) => ({
    title: hours === 0 ? "अब तक कोई बैकअप नहीं बना।" : `आख़िरी बैकअप ${hours} घंटे पुराना है।`,
    action: 'दूसरी डिस्क पर "ringward backup FILE" चलाएँ, और देखें कि बैकअप का काम क्यों नहीं हुआ।',
  }),
  clock: () => ({
    title: "मशीन की घड़ी पर भरोसा नहीं है, इसलिए कोई कॉल नहीं जाती।",
    action: 'घड़ी ठीक करें, फिर "ringward clock confirm" चलाएँ।',
  }),
  model_server: ({ name }) => ({
    title: `मॉडल सर्वर ${name} तक पहुँच नहीं है। उसकी जगह अंदर के मॉडल काम कर रहे हैं।`,
    action: "सर्वर देखें, और सेटिंग में मॉडल सर्वर खोलकर उसे आज़माएँ।",
  }),
  certificate: ({ name, day }, step) => ({
    title: `${name} का प्रमाणपत्र ${day} को ख़त्म होता है${step > 1 ? `: ${daysHi(step)} बचा है` : ""}।`,
    action: "उसे नया करें। अपने प्रमाणपत्रों की बदली हुई फ़ाइलें Ringward आधे मिनट में ले लेता है।",
  }),
};

const daysHi = (step: number): string => (CERTIFICATE_DAYS[step - 1] === 1 ? "कुछ घंटों का समय" : "सात दिन से कम समय");

const FAULT_WORDS: Readonly<Record<AlarmLanguage, Readonly<Record<FaultName, Say>>>> = { en: EN, hi: HI };

export const wordsOf = (language: AlarmLanguage, fault: FaultName, facts: Facts, step: number): AlarmWords =>
  FAULT_WORDS[language][fault](onOneLine(facts), step);

/** A line break in a name would add a line to an e-mail. */
const onOneLine = (facts: Facts): Facts =>
  Object.fromEntries(
    Object.entries(facts).map(([key, value]) => [
      key,
      typeof value === "string" ? value.replaceAll(/[\p{Cc}\u2028\u2029]+/gu, " ") : value,
    ]),
  );
