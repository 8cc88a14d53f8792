// All English of the calendar page.
import { said } from "../../words.ts";

export const words = said.calendar.page;

/** Closed days, plans, lists for printing. */
export const holidayWords = said.holidays.page;

/** Windows for several days, another branch's week, holidays from a file, calendar links. */
export const planWords = said.plans.page;
export const feedPeople = said.plans.feedPeople;

/** What becomes of whoever is booked on a closed day. */
export const choices = said.holidays.choices;

export const closureStates = said.holidays.states;

/** What the contact said to a reminder. */
export const contactAnswers = said.calendar.contactAnswers;

export const appointmentSources = said.calendar.appointmentSources;

/** What marking an appointment asks, does and says afterwards. */
export const statusTasks = said.calendar.statusTasks;

export const dayNames = said.calendar.dayNames;

/** Of a day, as the API names it. */
export const sessionName = (session: string): string => said.calendar.sessions[session] ?? session;
