// Writes the handbook's list of commands: ./scripts/write-commands. A test compares the page with the command table.
import { join } from "node:path";
import { COMMANDS } from "../src/cli/run.ts";
import { commandsPage } from "./commands-page.ts";

await Bun.write(join(import.meta.dir, "../src/handbook/commands.md"), commandsPage(COMMANDS));
