// The rule books inside the executable. They are parsed on first use; a fault in one stops the start of the server.
import inToml from "../../../config/rules/in.toml" with { type: "text" };
import usToml from "../../../config/rules/us.toml" with { type: "text" };
import { lazily } from "../../core/lazily.ts";
import { parseBook } from "./book-file.ts";
import { RuleBook } from "./rule-book.ts";

// Bun's types declare a .toml import as a table; imported as text it is a string.
export const ruleBook = lazily(
  () =>
    new RuleBook([
      parseBook("config/rules/in.toml", String(inToml)),
      parseBook("config/rules/us.toml", String(usToml)),
    ]),
);
