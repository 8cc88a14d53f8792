import { PHP } from "./languages.ts";
import { testSnippet } from "./run-snippet.ts";

testSnippet(PHP);
