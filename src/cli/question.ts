// ringward question set | show | try | rotate | remove: the address asked before each call.
import { CLI_ACTOR } from "../core/actor.ts";
import type { Command } from "./command.ts";
import { JSON_OPTION, ORG_OPTION, organisationOf, withServices } from "./context.ts";
import { print, printJson } from "./output.ts";

export const questionSet: Command = {
  name: "question set",
  summary: "Have an address of your own asked before each call. Its signing secret is shown once.",
  options: {
    url: { type: "string", value: "URL", help: "https only.", required: true },
    fails: {
      type: "string",
      value: "HOW",
      help: "Without an answer within 2 seconds: open, the call goes out; closed, it waits and is asked about again.",
      required: true,
    },
    ...ORG_OPTION,
    ...JSON_OPTION,
  },
  run: (args) =>
    withServices(args, async ({ services }) => {
      const input = { url: args.text("url") ?? "", fails: args.text("fails") ?? "" };
      const saved = await services.question.set(await organisationOf(args, services), input, CLI_ACTOR);
      if (args.flag("json")) printJson(saved);
      else if (saved.secret === null) print("Changed. The signing secret stays the same.");
      else print(`${saved.secret}\n\nKeep it now: it cannot be shown again.`);
      return 0;
    }),
};

export const questionShow: Command = {
  name: "question show",
  summary: "Show the address that is asked before each call.",
  options: ORG_OPTION,
  run: (args) =>
    withServices(args, async ({ services }) => {
      printJson(await services.question.get(await organisationOf(args, services)));
      return 0;
    }),
};

export const questionTry: Command = {
  name: "question try",
  summary: "Send a signed test question, and show the answer. No call is made.",
  options: { ...ORG_OPTION, ...JSON_OPTION },
  run: (args) =>
    withServices(args, async ({ services }) => {
      const tried = await services.question.tryIt(await organisationOf(args, services), CLI_ACTOR);
      const detail = tried.until ?? tried.reason ?? tried.problem;
      if (args.flag("json")) printJson(tried);
      else print(`${tried.answer} after ${tried.duration_ms} ms${detail ? `: ${detail}` : ""}`);
      return tried.answer === "failed" ? 1 : 0;
    }),
};

export const questionRotate: Command = {
  name: "question rotate",
  summary: "Make a new signing secret for the question before each call, and show it once.",
  options: { ...ORG_OPTION, ...JSON_OPTION },
  run: (args) =>
    withServices(args, async ({ services }) => {
      const rotated = await services.question.rotateSecret(await organisationOf(args, services), CLI_ACTOR);
      if (args.flag("json")) printJson(rotated);
      else print(`${rotated.secret}\n\nKeep it now: it cannot be shown again.`);
      return 0;
    }),
};

export const questionRemove: Command = {
  name: "question remove",
  summary: "Ask nothing before calls.",
  options: ORG_OPTION,
  run: (args) =>
    withServices(args, async ({ services }) => {
      await services.question.remove(await organisationOf(args, services), CLI_ACTOR);
      print("Removed. Calls go out without a question.");
      return 0;
    }),
};
