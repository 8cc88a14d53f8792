// Entry point: finds the command, runs it, and maps errors to a message and an exit code.
import { ConfigError } from "../config/load.ts";
import { AppError } from "../core/errors.ts";
import { DatabaseError } from "../db/open-fault.ts";
import { BackupError } from "../db/archive/fault.ts";
import { RootKeyError } from "../db/root-key.ts";
import { EXIT, exitCodeOf } from "./exit-codes.ts";
import { helpText, parseArguments, UsageError, type Command } from "./command.ts";
import {
  agentsCreate,
  agentsList,
  agentsUpdate,
  numbersAdd,
  numbersAssign,
  numbersList,
  numbersTrunk,
} from "./agents.ts";
import { apply } from "./apply.ts";
import { agentsDifference, agentsLibrary, agentsRestore, agentsVersions } from "./agent-versions.ts";
import { auditExport, auditHead, auditPrune, auditVerify } from "./audit.ts";
import { backup, backupKeys, backupVerify } from "./backup.ts";
import { backupDrill, backupList, backupNow, makeBackupProcess } from "./backups.ts";
import { breakGlassAcknowledge, breakGlassSeal, breakGlassStatus } from "./break-glass.ts";
import { branchesList, branchesSet, servicesList, servicesSet } from "./calendar.ts";
import { callsCancel, callsHeld, callsHold, callsRelease } from "./calls.ts";
import {
  campaignsList,
  campaignsPause,
  campaignsResults,
  campaignsResume,
  campaignsRetry,
  campaignsShow,
  campaignsStop,
} from "./campaigns.ts";
import { campaignsCreate } from "./campaigns-create.ts";
import { clockConfirm } from "./clock.ts";
import { proofExport, proofHead, proofKey, proofVerify } from "./proof.ts";
import { creditsGrant, creditsUnlimited } from "./credits.ts";
import { holdsAdd, holdsList, holdsRelease } from "./holds.ts";
import { breachReport, peopleFile } from "./rights.ts";
import { dndAdd, dndList, dndRemove } from "./do-not-disturb.ts";
import { doctor } from "./doctor.ts";
import {
  deliveriesAttempts,
  deliveriesList,
  deliveriesReplay,
  endpointsCreate,
  endpointsDelete,
  endpointsDisable,
  endpointsEnable,
  endpointsList,
  endpointsRotate,
  endpointsTest,
  endpointsUpdate,
} from "./endpoints.ts";
import { health } from "./health.ts";
import { hookRegenerate, hookSignature, hookStatus } from "./hooks.ts";
import { keyAccept, keyNew } from "./key.ts";
import { keyChange } from "./key-change.ts";
import { decrypt, encrypt } from "./encrypt.ts";
import { keysCreate, keysList, keysRevoke } from "./keys.ts";
import { licences } from "./licences.ts";
import { openapi } from "./openapi.ts";
import { move } from "./move.ts";
import { orgsCreate, orgsList, orgsPlan, orgsUpdate } from "./orgs.ts";
import { printError, print } from "./output.ts";
import {
  peopleCreate,
  peopleDisable,
  peopleEnable,
  peopleEndSessions,
  peopleList,
  peopleAccess,
  peoplePassword,
  peopleResetFactor,
  peopleSessions,
} from "./people.ts";
import { modelsAdd, modelsList, modelsRemove } from "./models.ts";
import { rulesList, rulesReset, rulesSet } from "./rules.ts";
import { pronunciationsList, pronunciationsRemove, pronunciationsSet } from "./pronunciations.ts";
import { wordsExport, wordsList, wordsRemove, wordsSet } from "./words.ts";
import { readFiles } from "./read-files.ts";
import { questionRemove, questionRotate, questionSet, questionShow, questionTry } from "./question.ts";
import { consentsExport, consentsGrant, consentsImport, consentsList, consentsWithdraw } from "./consents.ts";
import { registryImport, registryList, registryRemove } from "./registry.ts";
import { remindersAdd, remindersChange, remindersList, remindersRemove } from "./reminders.ts";
import { restore } from "./restore.ts";
import { serve } from "./serve.ts";
import { modelsTest, serversAdd, serversChange, serversList, serversRemove, serversUse } from "./servers.ts";
import { sharing } from "./sharing.ts";
import { setup } from "./setup.ts";
import { trunksAdd, trunksCapture, trunksChange, trunksList, trunksRemove } from "./trunks.ts";
import { trunksTry } from "./trunks-try.ts";
import { update, updateBack, updateCheck } from "./update.ts";
import { version } from "./version.ts";

/** Every command, in the order of the overview. The handbook lists them too: see ./scripts/write-commands. */
export const COMMANDS: readonly Command[] = [
  serve,
  setup,
  apply,
  orgsCreate,
  orgsList,
  orgsUpdate,
  orgsPlan,
  peopleCreate,
  peopleList,
  peopleAccess,
  peoplePassword,
  peopleDisable,
  peopleEnable,
  peopleResetFactor,
  peopleSessions,
  peopleEndSessions,
  breakGlassSeal,
  breakGlassStatus,
  breakGlassAcknowledge,
  keysCreate,
  keysList,
  keysRevoke,
  agentsCreate,
  agentsList,
  agentsUpdate,
  agentsVersions,
  agentsDifference,
  agentsRestore,
  agentsLibrary,
  numbersAdd,
  numbersAssign,
  numbersTrunk,
  numbersList,
  wordsList,
  wordsSet,
  wordsRemove,
  wordsExport,
  modelsList,
  modelsAdd,
  modelsRemove,
  modelsTest,
  serversList,
  serversAdd,
  serversChange,
  serversRemove,
  serversUse,
  pronunciationsSet,
  pronunciationsRemove,
  pronunciationsList,
  rulesList,
  rulesSet,
  rulesReset,
  trunksList,
  trunksAdd,
  trunksChange,
  trunksRemove,
  trunksCapture,
  trunksTry,
  branchesSet,
  branchesList,
  servicesSet,
  servicesList,
  creditsGrant,
  creditsUnlimited,
  dndAdd,
  dndRemove,
  dndList,
  consentsList,
  consentsGrant,
  consentsWithdraw,
  consentsImport,
  consentsExport,
  registryImport,
  registryList,
  registryRemove,
  holdsAdd,
  holdsList,
  holdsRelease,
  peopleFile,
  breachReport,
  callsHeld,
  callsHold,
  callsRelease,
  callsCancel,
  campaignsList,
  campaignsShow,
  campaignsCreate,
  campaignsPause,
  campaignsResume,
  campaignsStop,
  campaignsRetry,
  campaignsResults,
  remindersList,
  remindersAdd,
  remindersChange,
  remindersRemove,
  hookRegenerate,
  hookSignature,
  hookStatus,
  questionSet,
  questionShow,
  questionTry,
  questionRotate,
  questionRemove,
  endpointsCreate,
  endpointsList,
  endpointsUpdate,
  endpointsRotate,
  endpointsDisable,
  endpointsEnable,
  endpointsTest,
  endpointsDelete,
  deliveriesList,
  deliveriesAttempts,
  deliveriesReplay,
  sharing,
  backup,
  backupNow,
  backupList,
  backupVerify,
  backupKeys,
  backupDrill,
  restore,
  update,
  updateCheck,
  updateBack,
  move,
  keyNew,
  keyAccept,
  keyChange,
  encrypt,
  decrypt,
  doctor,
  clockConfirm,
  auditExport,
  auditVerify,
  auditPrune,
  auditHead,
  proofVerify,
  proofExport,
  proofKey,
  proofHead,
  health,
  openapi,
  licences,
  version,
  readFiles,
  makeBackupProcess,
];

export async function runCli(argv: readonly string[]): Promise<number> {
  const found = findCommand(argv);
  // stderr is informational. If it is closed, the work and the exit code still count.
  process.stderr.on("error", () => {});
  if (!found?.command.outlivesReader) {
    // The reader may close the pipe early: `ringward openapi | head`.
    process.stdout.on("error", (error: NodeJS.ErrnoException) =>
      process.exit(error.code === "EPIPE" ? EXIT.done : EXIT.failed),
    );
  }
  if (!found) return overview(argv);
  const { command, rest } = found;
  try {
    const args = parseArguments(command, rest);
    if (!args.flag("help")) return await command.run(args);
    print(helpText(command));
    return EXIT.done;
  } catch (error) {
    return explain(error, command);
  }
}

function findCommand(argv: readonly string[]): { command: Command; rest: readonly string[] } | null {
  const [first, second] = argv;
  // Options alone run the default command, except --help and --version.
  if (first === "--version" || first === "-v") return { command: version, rest: [] };
  if (first === undefined || (first.startsWith("--") && first !== "--help")) return { command: serve, rest: argv };
  const pair = COMMANDS.find(({ name, formerly }) => [name, formerly].includes(`${first} ${second}`));
  if (pair) return { command: pair, rest: argv.slice(2) };
  const single = COMMANDS.find(({ name }) => name === first);
  return single ? { command: single, rest: argv.slice(1) } : null;
}

function overview(argv: readonly string[]): number {
  const [first = ""] = argv;
  const group = COMMANDS.filter(({ name, formerly = name }) =>
    [name, formerly].some((known) => known.startsWith(`${first} `)),
  );
  const asked =
    first === "help" || first === "--help" || first === "-h" || (group.length > 0 && argv.includes("--help"));
  const listed = group.length > 0 ? group : COMMANDS;
  const shown = listed.filter(({ isInternal }) => !isInternal);
  const rows = shown.map(({ name, summary }) => `  ${name.padEnd(18)} ${summary.split("\n")[0]}`);
  const text = `Usage: ringward COMMAND [options]\n\n${rows.join("\n")}\n\n"ringward COMMAND --help" tells the options of one.\n`;
  if (asked) {
    print(text);
    return EXIT.done;
  }
  printError(group.length > 0 ? text : `There is no command "${first}".\n\n${text}`);
  return EXIT.usage;
}

function explain(error: unknown, command: Command): number {
  if (error instanceof UsageError) {
    printError(`${error.message}\n"ringward ${command.name} --help" tells the options.`);
    return EXIT.usage;
  }
  const expected =
    error instanceof AppError ||
    error instanceof ConfigError ||
    error instanceof DatabaseError ||
    error instanceof BackupError ||
    error instanceof RootKeyError;
  if (expected) printError(error.message);
  else printError(error instanceof Error ? (error.stack ?? error.message) : String(error));
  return exitCodeOf(error);
}
