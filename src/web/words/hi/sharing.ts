// Hindi texts of shared calls on a call's page.
import type { Translated } from "../translated.ts";
import type { sharing as English } from "../en/sharing.ts";

export const sharing: Translated<typeof English> = {
  one: {
    title: "शेयर करना",
    note: "सिर्फ़ इसी कॉल का लिंक, उनके लिए जिनका खाता नहीं है। नंबर छिपा रहता है।",
    share: "शेयर करें …",
    dialog: "यह कॉल शेयर करें",
    warning: "लिंक का समय पूरा होने तक, जिसके पास लिंक है वह बिना साइन इन किए इस कॉल को पढ़ और सुन सकता है।",
    days: "लिंक कब तक चले",
    choices: { "1": "1 दिन", "7": "7 दिन", "30": "30 दिन" },
    confirm: "लिंक बनाएँ",
    done: "लिंक तैयार है।",
    label: "सिर्फ़ इस कॉल का लिंक",
    until: (time: string) => `${time} तक चलेगा।`,
    revoke: "लिंक बंद करें",
    revokeTitle: "लिंक बंद करें?",
    revokeText: "लिंक तुरंत बंद हो जाएगा। बाद में बनाया गया लिंक दूसरा होगा।",
    revoked: "लिंक बंद हो गया।",
  },
  link: {
    title: "सार्वजनिक लिंक",
    label: "इस कॉल का लिंक",
    note: "अस्पताल की सेटिंग से हर पूरी हुई कॉल का ऐसा लिंक बनता है। जिसके पास यह है, वह बिना साइन इन किए कॉल सुन और पढ़ सकता है।",
    open: "खोलें",
  },
};
