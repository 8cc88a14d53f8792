// Word lists shared by the English rules.

export const WORD_LISTS = {
  call: "call|phone|ring|telephone|contact|dial",
  calling: "calling|phoning|ringing|contacting|dialling|dialing|telephoning",
  relative:
    "mother|father|mom|mum|mummy|mommy|mama|papa|dad|daddy|son|daughter|husband|wife|brother|sister|grandmother|grandfather|" +
    "grandma|grandpa|granny|uncle|aunt|aunty|auntie|nephew|niece|cousin|grandson|granddaughter|carer|caretaker|caregiver|" +
    "attendant|maid|neighbour|neighbor|roommate|flatmate|friend|colleague|secretary|guardian|partner|relative|parents|" +
    "mother in law|father in law|son in law|daughter in law|brother in law|sister in law|boss|housekeeper|driver|servant",
  staff:
    "person|human|human being|operator|agent|representative|receptionist|reception|nurse|doctor|someone|somebody|manager|" +
    "supervisor|staff|staff member|member of staff|front desk|desk|help desk|counsellor|coordinator|team member|executive|" +
    "real person|live person|actual person|real human|live agent|customer care|customer service|physician|consultant",
  machine:
    "robot|machine|computer|bot|recording|ai|recorded message|program|software|automated voice|answering machine",
  appointment: "appointment|booking|visit|checkup|check up|consultation|slot|reservation|meeting",
  day: "monday|tuesday|wednesday|thursday|friday|saturday|sunday|today|tomorrow|tonight",
  unit: "second|seconds|sec|secs|minute|minutes|min|mins|moment|moments|mo",
  busy:
    "busy|driving|in a meeting|at work|working|in the middle of|occupied|tied up|engaged|eating|having lunch|having dinner|" +
    "having breakfast|sleeping|in class|in a class|in a lecture|on another call|on the other line|on the road|cooking|" +
    "in the office|in the car|on the bus|on the train|in a bus|in a train|with someone|with a client|with a customer|" +
    "at a funeral|at a wedding|in traffic|on my way|praying|about to leave|in a hurry|in a rush|outside|shopping",
  come: "come|make it|attend|be there|do it|do that|visit|go|reach|keep it|keep the appointment|get there|show up|turn up|be coming|manage|do so",
} as const;
