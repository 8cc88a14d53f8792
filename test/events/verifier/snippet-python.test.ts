import { PYTHON } from "./languages.ts";
import { testSnippet } from "./run-snippet.ts";

testSnippet(PYTHON);
