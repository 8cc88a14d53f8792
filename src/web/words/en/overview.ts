// English words of the overview.
export const overview = {
  page: {
    title: "Overview",
    period: "Period",
    lastDays: (days: string) => `${days} days`,
  },
  checklist: {
    title: "First steps",
    progress: (done: number, all: number) => `${done} of ${all} done`,
    done: "Done",
    steps: {
      agent: { name: "Create an agent", note: "Who speaks, in which language, and what about." },
      number: { name: "Add a phone number", note: "The number that people see when the agent calls." },
      key: { name: "Make an API key", note: "For the systems that ask for calls." },
      first_call: { name: "Make a first call", note: "To a test number, or to your own telephone." },
      endpoint: { name: "Connect an endpoint", note: "Your system hears how each call went." },
    },
  },
  dayCharts: {
    calls: "Calls per day",
    callsNote: "By the day they were asked for.",
    bookings: "Bookings per day",
    bookingsNote: "By the day they were made.",
    open: "Not ended yet",
    byAi: "By the AI",
    byPeople: "By people and systems",
    table: "The numbers as a table",
    day: "Day",
    total: "Total",
    nothing: "Nothing in this period.",
    summary: (title: string, total: string, first: string, last: string) =>
      `${title}: ${total} from ${first} to ${last}. The numbers follow as a table.`,
  },
  tiles: {
    connect: { name: "Connect rate", note: "Calls that were answered, of all that were dialled" },
    duration: { name: "Average call", note: "Length of completed calls" },
    bookings: "Bookings",
    byAi: (count: string) => `${count} of them by the AI`,
    webhooks: { name: "Webhook success", note: "Events that reached their endpoint" },
    lateness: { name: "Queue lateness", note: "From the planned time to the dialling" },
    credits: "Credits",
    creditsUsed: (used: string) => `${used} used in this period`,
    unlimited: "Unlimited",
  },
  trunkWarnings: {
    sipDoesNotRun: "SIP does not run: no call goes out or comes in.",
    noTrunk: "There is no trunk yet: calls wait until there is one.",
    isDown: (name: string, condition: string) => `The trunk ${name} is ${condition.toLowerCase()}: its calls wait.`,
    look: "Look at the trunks",
  },
};
