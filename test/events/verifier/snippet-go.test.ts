import { GO } from "./languages.ts";
import { testSnippet } from "./run-snippet.ts";

testSnippet(GO);
