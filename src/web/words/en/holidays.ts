// English texts of closed days, plans and printable lists.
import { formatNumber } from "../../format.ts";

export const holidays = {
  page: {
    closedFor: { move: "To be moved", call: "Being called" },
    tabs: "Parts of the calendar",
    tabWeek: "Week",
    tabHolidays: "Holidays",

    twice: "This person is already booked in this window on this date. Book them again anyway?",
    bookTwice: "Book again",
    moveTwice: "Move here anyway",

    dayList: "Day list",
    backToCalendar: "Back to the calendar",
    nobodyOnDay: "Nobody is expected on this day.",
    printNumbers: "With phone numbers",
    printNotes: "With notes",
    printNow: "Print",
    allServices: "All services",
    came: "Came",
    printedOf: (count: number) => (count === 1 ? "1 person" : `${formatNumber(count)} people`),

    closesOn: (count: number) =>
      count === 1
        ? "1 person is booked here. Closing the date leaves the appointment as it is."
        : `${formatNumber(count)} people are booked here. Closing the date leaves their appointments as they are.`,
    stillBooked: (count: number) =>
      count === 1
        ? "1 person is still booked in this window."
        : `${formatNumber(count)} people are still booked in this window.`,
    disableAndLeave: "Disable and leave them booked",
    disablesToo: "The window takes no more bookings in any week. Choose what happens to existing bookings.",
    decideForThem: "Decide for each of them",
    closeDay: "Close this day",
    closeDays: "Close days",
    firstDay: "First day",
    lastDay: "Last day",
    closureName: "Reason",
    closureNameHint: "Optional: such as Diwali, or Dr Rao on leave.",
    fromTo: (from: string, to: string) => `${from} to ${to}`,
    closesWindows: (count: number) =>
      count === 0
        ? "No windows are open then."
        : count === 1
          ? "1 window will be closed."
          : `${formatNumber(count)} windows will be closed.`,
    bookedThere: (count: number) =>
      count === 0
        ? "Nobody is booked then."
        : count === 1
          ? "1 person is booked then."
          : `${formatNumber(count)} people are booked then.`,
    morePeople: "More people are booked than are listed here. What you choose for all applies to them too.",
    chooseForAll: "What happens to them",
    choice: "What happens to them",
    callingAgent: "Agent that calls",
    callingAgentHint: "It offers them other times, and books what they choose.",
    movesTo: (when: string) => `Moves to ${when}`,
    isCalled: (number: string) => `Will be called on ${number}`,
    isLeft: "Stays booked",
    noPlace: "No free slot to move to",
    noNumber: "No number to call",
    closeSubmit: (moved: number, called: number, isDisabled: boolean) =>
      [
        isDisabled ? "Disable" : "Close",
        ...(moved > 0 ? [`move ${formatNumber(moved)}`] : []),
        ...(called > 0 ? [`call ${formatNumber(called)}`] : []),
      ].join(" and "),
    closedDone: (moved: number, called: number) =>
      [
        "Closed.",
        ...(moved > 0 ? [`${formatNumber(moved)} moved.`] : []),
        ...(called > 0 ? [`${formatNumber(called)} are being called.`] : []),
      ].join(" "),

    note: "Days on which branches are closed. Nobody can be booked then.",
    noClosures: "No days are closed.",
    reopen: "Reopen",
    reopenTitle: "Open these days again?",
    reopenNote: "Windows take bookings again as before. People who were moved stay where they are now.",
    callsStop: "Calls about these days stop. Conversations in progress are not cut off.",
    keepCalling: "Keep calling everyone on the list",
    keepClosed: "Keep closed",
    reopened: "The days are open again.",
    needsYou: (count: number) => (count === 1 ? "1 person needs you" : `${formatNumber(count)} people need you`),
    needsYouNote: "They could not be moved or called, and are still booked on a closed day.",
    whoNeeds: "Show them",
    movedCount: (count: number) => `${formatNumber(count)} moved`,
    calledCount: (count: number) => `${formatNumber(count)} called`,
    leftCount: (count: number) => `${formatNumber(count)} left booked`,
    waitingCount: (count: number) => `${formatNumber(count)} to go`,
    toCalls: "See the calls",
  },
  choices: {
    move: { all: "Move all", one: "Move", note: "to the next free slot of the same service, as shown below" },
    call: { all: "Call all", one: "Call", note: "the agent offers them other times" },
    leave: { all: "Leave all", one: "Leave", note: "they stay booked and are not told" },
  },
  states: {
    closing: "Closing",
    moving: "Moving people",
    calling: "Calls are being made",
    closed: "Closed",
    reopening: "Reopening",
    reopened: "Open again",
  } as Record<string, string>,
};
