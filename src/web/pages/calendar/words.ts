// Texts of the calendar pages.
import { said } from "../../words.ts";

export const words = said.calendar.page;

/** Closed days, plans and printable lists. */
export const holidayWords = said.holidays.page;

/** The hospital's own systems. */
export const sourceWords = said.sources.calendar;

/** Windows for several days, copying another branch's week, holiday import, calendar links. */
export const planWords = said.plans.page;
export const feedPeople = said.plans.feedPeople;

/** Options for people booked on a closed day. */
export const choices = said.holidays.choices;

export const closureStates = said.holidays.states;

/** Answers of contacts to a reminder. */
export const contactAnswers = said.calendar.contactAnswers;

export const appointmentSources = said.calendar.appointmentSources;

/** Question, button and message of each status change. */
export const statusTasks = said.calendar.statusTasks;

export const dayNames = said.calendar.dayNames;

/** Name of a session of the day, by its value in the API. */
export const sessionName = (session: string): string => said.calendar.sessions[session] ?? session;
