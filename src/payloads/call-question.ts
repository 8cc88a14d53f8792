// The question before a call, as the organisation's own system receives and answers it.

/** What happens to a call if the question is not answered: it goes out, or it waits. */
export const QUESTION_FAILS = ["open", "closed"] as const;
export type QuestionFails = (typeof QUESTION_FAILS)[number];

/** Longest reason for a dropped call; it becomes the call's error message. */
export const LONGEST_DROP_REASON = 200;
