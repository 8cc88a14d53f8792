// Address and secret of an organisation's question before the call.
import type { Row } from "../../db/tables.ts";

export type QuestionSettings = Row<"call_questions">;
