import { JAVA } from "./languages.ts";
import { testSnippet } from "./run-snippet.ts";

testSnippet(JAVA);
