// Ringward's accounts at Asterisk, from the exact output of `ringward trunks try --for asterisk`.
import { readySettings } from "../src/telephony/trial/ready-settings.ts";
import { LOOPBACK, type AccountFiles } from "./asterisk-settings.ts";

/** Splits one text into the two files. */
export function filesOf(ready: string, secret: string): AccountFiles {
  const [pjsip = "", extensions = ""] = ready.split(/^; extensions\.conf.*$/m);
  return { pjsip: pjsip.replaceAll("THE-SECRET", secret), extensions };
}

/** An extension that registers; `more` lines override lines of the same name in its endpoint. */
export function registeredAccount(account: string, secret: string, more: readonly string[] = []): AccountFiles {
  const files = readyFiles(account, secret, { register: true, ourAddress: `${LOOPBACK}:5060` });
  const names = more.map((line) => line.split("=")[0] ?? "");
  const others = files.pjsip.split("\n").filter((line) => !names.includes(line.split("=")[0] ?? ""));
  return { ...files, pjsip: others.join("\n").replace("type=endpoint", ["type=endpoint", ...more].join("\n")) };
}

/** A trunk identified by its address, such as `127.0.0.3:5060`. */
export function trustedAccount(account: string, ourAddress: string): AccountFiles {
  return readyFiles(account, "", { register: false, ourAddress });
}

function readyFiles(account: string, secret: string, where: { register: boolean; ourAddress: string }): AccountFiles {
  return filesOf(readySettings("asterisk", { account, host: LOOPBACK, ...where }), secret);
}

/** One dialplan for all: apart from the extension it is the same in each. */
export function joined(accounts: readonly AccountFiles[]): AccountFiles {
  const [first] = accounts;
  const dialled = accounts.slice(1).map(({ extensions }) => extensions.split("[from-ringward]")[0] ?? "");
  return {
    pjsip: accounts.map(({ pjsip }) => pjsip).join("\n"),
    extensions: [first?.extensions ?? "", ...dialled].join("\n"),
  };
}
