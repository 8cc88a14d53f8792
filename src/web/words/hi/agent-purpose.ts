// Hindi texts of an agent's purpose.
import type { agentPurpose as English } from "../en/agent-purpose.ts";
import type { Translated } from "../translated.ts";

export const agentPurpose: Translated<typeof English> = {
  title: "कॉल का मक़सद",
  purpose: "क्यों कॉल करता है",
  purposes: {
    transactional: "लेन-देन की कॉल",
    service: "सेवा की कॉल",
    promotional: "प्रचार की कॉल",
  },
  hints: {
    transactional: "उस बारे में जो मरीज़ ने अभी किया या माँगा, जैसे बुकिंग या वापस कॉल।",
    service: "मरीज़ की अपनी देखभाल के बारे में: याद दिलाना, तैयारी, बाद का हाल, आने के बाद की राय।",
    promotional:
      "शिविर, पैकेज और ऑफ़र। हर नंबर की सहमति चाहिए, और भारत में 140 वाली caller ID। रजिस्ट्री मना करे तो कॉल नहीं होती।",
  },
  reason: "अब प्रचार की कॉल क्यों नहीं",
  reasonHint: "10 से 500 अक्षर, दर्ज होते हैं। यह बदलाव सिर्फ़ प्रशासक कर सकता है।",
  noSeries:
    "इस एजेंट की कॉल में 140 वाला नंबर (+91140…) नहीं दिखता। तब तक भारत में इसकी कॉल रुकी रहेंगी: ऐसा नंबर दें, और उसके trunk पर कोई दूसरी caller ID न रखें।",
  asksConsent: "आगे की कॉल के लिए सहमति पूछें",
  asksNothing: "न पूछें",
  asksHint: (question) => `बाहर जाने वाली कॉल में विदा लेने से पहले: “${question}” तभी पूछा जाता है जब नंबर के लिए कुछ दर्ज न हो।`,
  asksNothingHint: "विदा लेने से पहले एजेंट पूछ सकता है कि आगे कॉल करना ठीक है या नहीं।",
  questions: {
    transactional: "क्या हमारी ऑटोमैटिक सहायक आपको आपकी बुकिंग और अनुरोधों के बारे में कॉल कर सकती है?",
    service: "क्या हमारी ऑटोमैटिक सहायक आपको आपके इलाज, जैसे अपॉइंटमेंट और जाँच, के बारे में कॉल कर सकती है?",
    promotional: "क्या हमारी ऑटोमैटिक सहायक आपको स्वास्थ्य शिविर, पैकेज और ऑफ़र के बारे में कॉल कर सकती है?",
  },
  entity: "संस्था का DLT ID",
  entityHint: "सिर्फ़ भारत: आपके ऑपरेटर के DLT प्लैटफ़ॉर्म के अंक। न हो तो ख़ाली छोड़ें।",
  template: "template का DLT ID",
  templateHint: "सिर्फ़ भारत: जो कहा जाता है, उसका दर्ज template.",
};
