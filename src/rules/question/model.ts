// API schemas of the question before a call.
import { Type } from "@sinclair/typebox";
import { isoTime, nullable, oneOf } from "../../core/schema.ts";
import { QUESTION_FAILS } from "../../payloads/call-question.ts";

const fails = oneOf(QUESTION_FAILS, { description: "Without an answer: open, the call goes out; closed, it waits." });

export const SetQuestionSchema = Type.Object({
  url: Type.String({ minLength: 1, maxLength: 2_048, description: "Address that is asked before each call; https." }),
  fails,
});

const QuestionSchema = Type.Object({
  url: Type.String(),
  fails,
  previous_secret_until: nullable(isoTime({ description: "Until when the replaced secret signs too." })),
  created_at: isoTime(),
  updated_at: isoTime(),
});

export const QuestionAnswerSchema = Type.Object({ data: QuestionSchema });
export const SavedQuestionSchema = Type.Object({
  data: Type.Object({
    ...QuestionSchema.properties,
    secret: nullable(Type.String({ description: "The signing secret, if it is new. It is not shown again." })),
  }),
});
export const RemovedQuestionSchema = Type.Object({ data: Type.Object({ deleted: Type.Literal(true) }) });

export const TriedQuestionSchema = Type.Object({
  data: Type.Object({
    answer: oneOf(["go", "wait", "drop", "failed"]),
    until: nullable(isoTime({ description: "With wait." })),
    reason: nullable(Type.String({ description: "With drop." })),
    problem: nullable(Type.String({ description: "With failed." })),
    duration_ms: Type.Integer(),
  }),
});
