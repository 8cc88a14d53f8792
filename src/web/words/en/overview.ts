// English texts of the overview.
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
      key: { name: "Create an API key", note: "For the systems that ask for calls." },
      first_call: { name: "Make a first call", note: "To a test number, or to your own telephone." },
      endpoint: { name: "Connect an endpoint", note: "So your system learns how each call went." },
    },
  },
  dayCharts: {
    calls: "Calls per day",
    callsNote: "By the day they were requested.",
    bookings: "Bookings per day",
    bookingsNote: "By the day they were made.",
    open: "Still open",
    byAi: "By the AI",
    byPeople: "By people and systems",
    table: "Show as a table",
    day: "Day",
    total: "Total",
    nothing: "Nothing in this period.",
    summary: (title: string, total: string, first: string, last: string) =>
      `${title}: ${total} from ${first} to ${last}. The numbers follow as a table.`,
  },
  tiles: {
    connect: { name: "Connect rate", note: "Answered, out of all calls dialled" },
    duration: { name: "Average call", note: "Completed calls only" },
    bookings: "Bookings",
    byAi: (count: string) => `${count} of them by the AI`,
    change: (change: string) => `${change} on the period before`,
    points: (points: string) => `${points} points`,
    same: "As in the period before",
    credits: "Credits",
    creditsUsed: (used: string) => `${used} used in this period`,
    unlimited: "Unlimited",
  },
  trunkWarnings: {
    sipDoesNotRun: "SIP is not running: no calls can go out or come in.",
    noTrunk: "There is no trunk yet. Calls wait until you add one.",
    isDown: (name: string, condition: string) => `The trunk ${name} is ${condition.toLowerCase()}: its calls wait.`,
    look: "Check the trunks",
  },
};
