// Finds the heading row, and maps English and Hindi headings to meanings.
import { isNear } from "../core/near-names.ts";
import { looksLikeNumber } from "./complete-number.ts";
import type { Table } from "./table.ts";

/** A heading row has no phone number, and a row below has one. */
export function hasHeadings(table: Table): boolean {
  const [first, ...rest] = table.slice(0, 50);
  if (!first || rest.length === 0 || first.cells.some(looksLikeNumber)) return false;
  const isAnyNumber = rest.some(({ cells }) => cells.some(looksLikeNumber));
  return isAnyNumber || first.cells.some((cell) => meaningOf(cell) === "number");
}

/** In order of precedence: "doctor's name" means the doctor, not the patient's name. */
const WORDS: Readonly<Record<string, readonly string[]>> = {
  birth: ["dob", "birth", "जन्म"],
  abha_address: ["abhaaddress", "phraddress", "healthidaddress"],
  abha: ["abha", "abhano", "abhanumber", "abhaid", "healthid", "आभा"],
  mrn: ["mrn", "mrno", "mrnumber", "uhid", "patientid", "patientno", "hospitalno", "hospitalnumber", "regno"],
  time_zone: ["timezone", "tz", "समयक्षेत्र"],
  region: ["region", "state", "usstate", "राज्य"],
  doctor: ["doctor", "dr", "physician", "consultant", "surgeon", "डॉक्टर", "डाक्टर", "चिकित्सक"],
  department: ["department", "dept", "speciality", "specialty", "ward", "विभाग"],
  language: ["language", "lang", "भाषा"],
  email: ["email", "mail", "ईमेल"],
  branch: ["branch", "hospital", "clinic", "location", "शाखा", "अस्पताल"],
  time: ["time", "hour", "slot", "समय", "बजे"],
  date: ["date", "day", "तारीख", "दिनांक", "तिथि", "दिन"],
  visit: ["visit", "reason", "purpose", "procedure", "test", "जांच", "कारण"],
  number: [
    "number",
    "phone",
    "phoneno",
    "mobile",
    "mobileno",
    "mob",
    "cell",
    "telephone",
    "tel",
    "whatsapp",
    "contactno",
    "मोबाइल",
    "मोबाईल",
    "फोन",
    "दूरभाष",
    "नंबर",
    "नम्बर",
    "संपर्क",
    "सम्पर्क",
  ],
  name: ["name", "patient", "नाम", "मरीज", "रोगी"],
};

/** Null if unknown. */
export function meaningOf(heading: string): string | null {
  const words = wordsOf(heading);
  const joined = words.join("");
  const means = (known: string) =>
    words.includes(known) || joined === known || (known.length > 4 && joined.includes(known));
  return Object.entries(WORDS).find(([, known]) => known.some(means))?.[0] ?? null;
}

/** Similarity of a heading to the wanted word: 0 none, 3 identical. */
export function likeness(heading: string, wanted: string): number {
  const [one, other] = [wordsOf(heading).join(""), wordsOf(wanted).join("")];
  if (one === "" || other === "") return 0;
  if (one === other) return 3;
  const meaning = meaningOf(heading);
  if (meaning !== null && meaning === meaningOf(wanted)) return 2;
  const [short, long] = one.length < other.length ? [one, other] : [other, one];
  if (short.length >= 4 && long.includes(short)) return 1.5;
  return short.length >= 4 && isNear(one, other) ? 1 : 0;
}

/** Letters and digits only: `Mobile No.`, `mobile_no` and `mobileNo` are equal, as are फ़ोन and फोन. */
function wordsOf(text: string): string[] {
  const apart = text.slice(0, 200).replaceAll(/(\p{Ll})(\p{Lu})/gu, "$1 $2");
  // NFKC decomposes the dot under a letter, which is then removed.
  const plain = apart.normalize("NFKC").toLowerCase().replaceAll("\u093c", "").replaceAll("e-mail", "email");
  return plain.split(/[^\p{L}\p{M}\p{N}]+/u).filter((word) => word !== "");
}
