// Hindi emergency words in Devanagari, in Latin letters and mixed with English: clear alarms, words that lead to the
// danger question, and everyday uses.
import { describe, expect, test } from "bun:test";
import type { Intent } from "../../../src/voice/understanding/meaning.ts";
import { understand } from "../../../src/voice/understanding/understand.ts";
import { HEARING } from "./hearing.ts";

const alarmIn = (text: string, language: string): Intent | null => {
  const found = understand(text, { ...HEARING, expecting: "yes_no", language })
    .intents.filter(({ confidence }) => confidence >= 0.55)
    .map(({ intent }) => intent);
  if (found.includes("emergency")) return "emergency";
  return found.includes("alarm_like") ? "alarm_like" : null;
};

/** Each in both scripts. */
const EMERGENCIES: readonly (readonly [latin: string, devanagari: string])[] = [
  ["Mere seene mein dard hai.", "मेरे सीने में दर्द है।"],
  ["Chhati mein bahut dard ho raha hai.", "छाती में बहुत दर्द हो रहा है।"],
  ["Chest mein pain ho raha hai.", "चेस्ट में पेन हो रहा है।"],
  ["Unko heart attack aaya hai.", "उनको हार्ट अटैक आया है।"],
  ["Saans nahi aa rahi.", "साँस नहीं आ रही।"],
  ["Saans lene mein takleef hai.", "सांस लेने में तकलीफ़ है।"],
  ["Saas nahi le pa raha hoon.", "सांस नहीं ले पा रहा हूँ।"],
  ["Bahut khoon nikal raha hai.", "बहुत ख़ून निकल रहा है।"],
  ["Khun ruk nahi raha.", "खून रुक नहीं रहा।"],
  ["Khoon ki ulti hui hai.", "खून की उल्टी हुई है।"],
  ["Papa behosh ho gaye.", "पापा बेहोश हो गए।"],
  ["Wo hosh mein nahi hai.", "वो होश में नहीं है।"],
  ["Unko lakwa maar gaya.", "उनको लकवा मार गया।"],
  ["Lakwe ka attack aaya hai.", "लकवे का अटैक आया है।"],
  ["Pitaji ko stroke aaya hai.", "पिताजी को स्ट्रोक आया है।"],
  ["Saanp ne kaata hai.", "साँप ने काट लिया है।"],
  ["Zeher kha liya.", "ज़हर खा लिया।"],
  ["Main marna chahti hoon.", "मैं मरना चाहती हूँ।"],
  ["Ambulance bhejiye.", "एम्बुलेंस भेजिए।"],
  ["Ye emergency hai.", "यह इमरजेंसी है।"],
];

/** A misheard or partial cry for help. */
const NEAR: readonly (readonly [latin: string, devanagari: string])[] = [
  ["Bahut dard ho raha hai.", "बहुत दर्द हो रहा है।"],
  ["Dard kam nahi ho raha.", "दर्द कम नहीं हो रहा।"],
  ["Pet mein dard hai.", "पेट में दर्द है।"],
  ["Seene mein bara hai.", "सीने में दर है।"],
  ["Sine mein jalan hai.", "सिने में जलन है।"],
  ["Chhati bhari lag rahi hai.", "छाती भारी लग रही है।"],
  ["Saans ki baat hai.", "साँस की बात है।"],
  ["Khoon hai.", "खून है।"],
  ["Kuchh beh raha hai.", "कुछ बह रहा है।"],
  ["Maa gir gayi.", "माँ गिर गई।"],
  ["Wo bathroom mein gir gaye.", "वो बाथरूम में गिर गए।"],
  ["Main gir pada tha.", "मैं गिर पड़ा था।"],
  ["Hosh nahi.", "होश नहीं।"],
  ["Stroke hai kya.", "स्ट्रोक है क्या।"],
  ["Chakkar aa rahe hain.", "चक्कर आ रहे हैं।"],
  ["Bahut ulti ho rahi hai.", "बहुत उल्टी हो रही है।"],
  ["Ghabrahat ho rahi hai.", "घबराहट हो रही है।"],
  ["Meri madad karo.", "मेरी मदद करो।"],
  ["Saanp.", "साँप।"],
];

const EVERYDAY: readonly (readonly [latin: string, devanagari: string])[] = [
  ["Khoon ki jaanch kab hai?", "खून की जाँच कब है?"],
  ["Khoon ka test karwana hai.", "खून का टेस्ट करवाना है।"],
  ["Blood test ke liye aana hai.", "ब्लड टेस्ट के लिए आना है।"],
  ["Blood pressure theek hai.", "ब्लड प्रेशर ठीक है।"],
  ["Dard nahi hai.", "दर्द नहीं है।"],
  ["Ab koi dard nahi hai.", "अब कोई दर्द नहीं है।"],
  ["Dard ki dawa le raha hoon.", "दर्द की दवा ले रहा हूँ।"],
  ["Dard theek ho gaya.", "दर्द ठीक हो गया।"],
  ["Saans lene mein koi takleef nahi hai.", "साँस लेने में कोई तकलीफ़ नहीं है।"],
  ["Meri saas so rahi hai.", "मेरी सास सो रही है।"],
  ["Meri saas ghar par nahi hai.", "मेरी सास घर पर नहीं है।"],
  ["Phone gir gaya tha.", "फ़ोन गिर गया था।"],
  ["Network gir gaya.", "नेटवर्क गिर गया।"],
  ["Ek minute, pen leti hoon.", "एक मिनट, पेन लेती हूँ।"],
  ["Haan, main aaunga.", "हाँ, मैं आऊँगा।"],
  ["Nahi, kal nahi aa sakta.", "नहीं, कल नहीं आ सकता।"],
  ["Kal subah das baje.", "कल सुबह दस बजे।"],
  ["Kaun bol raha hai?", "कौन बोल रहा है?"],
  ["Main bahar gaya hoon.", "मैं बाहर गया हूँ।"],
];

describe.each(["hi-IN", "en-IN"])("%s", (language) => {
  describe.each([
    ["alarms", EMERGENCIES, "emergency"],
    ["words of danger", NEAR, "alarm_like"],
    ["everyday", EVERYDAY, null],
  ] as const)("%s", (_, sentences, expected) => {
    test.each(sentences.flat())("%s", (text) => expect(alarmIn(text, language)).toBe(expected));
  });
});
