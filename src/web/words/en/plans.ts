// English texts of plans: windows for several days, copying another branch's week, holiday import, calendar links.
import { formatNumber } from "../../format.ts";

export const plans = {
  page: {
    severalDays: "Several days at once",
    days: "Days",
    daysTo: (last: string) => `Monday to ${last}`,
    sessions: "Sessions",
    makeWindows: (count: number) => (count === 1 ? "Create 1 window" : `Create ${formatNumber(count)} windows`),
    windowsMade: (count: number) =>
      count === 1 ? "1 window was created." : `${formatNumber(count)} windows were created.`,

    copyPlan: "Copy to another branch",
    copyFrom: (branch: string) => `The weekly windows of ${branch}, with their slots and services.`,
    copyTo: "To branch",
    copyWindows: (count: number) => (count === 1 ? "Copy 1 window" : `Copy ${formatNumber(count)} windows`),
    nothingToCopy: "This branch has no windows to copy.",
    alreadyThere: (count: number) =>
      count === 0
        ? "The other branch has no windows yet."
        : count === 1
          ? "The other branch has 1 window, which stays as it is."
          : `The other branch has ${formatNumber(count)} windows, which stay as they are.`,
    plan: "Weekly plan",
    exists: "Already there",

    importHolidays: "Import holidays",
    file: "Calendar file",
    fileHint: "A file that ends in .ics, such as your state’s list of public holidays. Nothing is closed yet.",
    noHolidays: "The file has no days in the next two years.",
    unread: (count: number) =>
      count === 1
        ? "1 entry could not be read, or repeats in a way that is not supported."
        : `${formatNumber(count)} entries could not be read, or repeat in a way that is not supported.`,
    mostAtOnce: (most: number) => `At most ${formatNumber(most)} at once.`,
    goOnWith: (count: number) =>
      count === 1 ? "Continue with 1 holiday" : `Continue with ${formatNumber(count)} holidays`,

    feeds: "Calendar links",
    feedsNote:
      "A link shows a branch’s windows in Outlook, Google Calendar or a phone. Anyone who has it can read it, so revoke it when it is no longer needed.",
    noFeeds: "No links yet.",
    feedMade: (when: string) => `Created ${when}`,
    feedUrl: "Address for the calendar program",
    feedPeople: "What it shows about people",
    feedWarning: "Anyone with the link, and the calendar’s provider, can see who is booked.",
    makeFeed: "Create link",
    revokeFeed: "Revoke",
    feedRevoked: "The link no longer works.",
  },
  feedPeople: {
    none: "Counts only, no names",
    initials: "Initials",
    names: "Names",
  },
};
