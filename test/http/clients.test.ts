// The clients: a method for each operation that a key can use.
import { expect, test } from "bun:test";
import document from "../contract/openapi.json" with { type: "json" };
import { pythonClient, pythonName } from "../../src/http/docs/clients/python.ts";
import { typescriptClient } from "../../src/http/docs/clients/typescript.ts";

interface Operation {
  operationId: string;
  security?: object[];
}

const python = pythonClient(document, "# Checks.\nimport hmac\n\ndef verify():\n    pass\n");
const typescript = typescriptClient(
  document,
  '// Checks.\nimport { createHmac } from "node:crypto";\n\nexport const verify = createHmac;\n',
);
const forKeys = (Object.values(document.paths).flatMap((byMethod) => Object.values(byMethod)) as Operation[])
  .filter(({ security = [] }) => security.some((each) => "apiKey" in each))
  .map(({ operationId }) => operationId);
const inPython = [...python.matchAll(/^    def (?!_|request\(|items\(|redirect_request)(\w+)\(/gm)].map(
  ([, name]) => name,
);
const inTypescript = [
  ...typescript
    .slice(typescript.indexOf("export class Ringward "))
    .matchAll(/^  (\w+)\(.*\): (?:Promise|AsyncGenerator)</gm),
].map(([, name]) => name);

test.each([
  ["Python", inPython, forKeys.map(pythonName)],
  ["TypeScript", inTypescript, forKeys],
])("the client for %s has a method for each operation of a key, and no other", (_, methods, wanted) => {
  expect(new Set(methods)).toEqual(new Set(wanted));
  expect(methods).toHaveLength(wanted.length);
  expect(methods.length).toBeGreaterThan(100);
});

test.each([
  ["Python", python, "import hmac", "def verify():"],
  ["TypeScript", typescript, 'import { createHmac } from "node:crypto";', "export const verify = createHmac;"],
])("the client for %s has no gap, and imports what it names at its start", (_, client, imported, verify) => {
  expect(client).not.toMatch(/\{\{(?:imports|version|verify|types|operations)\}\}/);
  expect(client.split("\n").filter((line) => line === imported)).toHaveLength(1);
  expect(client).toContain(`\n${verify}\n`);
});

test.each([
  ["listCalls", "list_calls"],
  ["from", "from_"],
  ["getMe", "get_me"],
])("%s is %s in Python", (name, snake) => {
  expect(pythonName(name)).toBe(snake);
});
