// Runs a snippet as its user would: puts the file in a folder, adds a small program that calls it, compiles, runs.

export interface Language {
  /** The snippet's id. */
  id: string;
  /** Commands that must be installed. */
  needs: string[];
  snippetPath: string;
  /** Path in the folder → text. The program reads a line per vector and writes `true` or `false` for each. */
  files: Record<string, string>;
  compile?: string[];
  run: string[];
}

// Fields of a line, separated by tabs: secret, timestamp, signature, body as Base64 (`-` where absent), then now.

const TYPESCRIPT_PROGRAM = `
import { verify } from "./verify.ts";
const bytes = (field: string) => Buffer.from(field, "base64");
const text = (field: string) => (field === "-" ? null : bytes(field).toString());
for (const line of (await Bun.stdin.text()).trimEnd().split("\\n")) {
  const [secret, timestamp, signature, body, now] = line.split("\\t") as [string, string, string, string, string];
  console.log(verify(bytes(body), text(timestamp), text(signature), bytes(secret).toString(), Number(now)));
}
`;

const PYTHON_PROGRAM = `
import base64, sys
from verify import verify
text = lambda field: None if field == "-" else base64.b64decode(field).decode()
for line in sys.stdin:
    secret, timestamp, signature, body, now = line.rstrip("\\n").split("\\t")
    print(str(verify(base64.b64decode(body), text(timestamp), text(signature), text(secret), int(now))).lower())
`;

const GO_PROGRAM = `
package main

import (
	"bufio"
	"encoding/base64"
	"fmt"
	"os"
	"strconv"
	"strings"
	"vectors/webhook"
)

func bytes(field string) []byte {
	if field == "-" {
		return nil
	}
	decoded, err := base64.StdEncoding.DecodeString(field)
	if err != nil {
		panic(err)
	}
	return decoded
}

func main() {
	lines := bufio.NewScanner(os.Stdin)
	for lines.Scan() {
		f := strings.Split(lines.Text(), "\\t")
		now, err := strconv.ParseInt(f[4], 10, 64)
		if err != nil {
			panic(err)
		}
		fmt.Println(webhook.Verify(bytes(f[3]), string(bytes(f[1])), string(bytes(f[2])), string(bytes(f[0])), now))
	}
}
`;

const JAVA_PROGRAM = `
import java.io.*;
import java.nio.charset.StandardCharsets;
import java.util.Base64;

public class Main {
    static String text(String field) {
        return field.equals("-") ? null : new String(Base64.getDecoder().decode(field), StandardCharsets.UTF_8);
    }
    public static void main(String[] args) throws Exception {
        BufferedReader lines = new BufferedReader(new InputStreamReader(System.in));
        for (String line; (line = lines.readLine()) != null; ) {
            String[] f = line.split("\\t", -1);
            byte[] body = Base64.getDecoder().decode(f[3]);
            System.out.println(Verify.verify(body, text(f[1]), text(f[2]), text(f[0]), Long.parseLong(f[4])));
        }
    }
}
`;

const PHP_PROGRAM = `<?php
require __DIR__ . '/verify.php';
$text = function (string $field) { return $field === '-' ? null : base64_decode($field); };
while (($line = fgets(STDIN)) !== false) {
    [$secret, $timestamp, $signature, $body, $now] = explode("\\t", rtrim($line, "\\n"));
    echo json_encode(verify($text($body), $text($timestamp), $text($signature), $text($secret), (int) $now)), "\\n";
}
`;

export const TYPESCRIPT: Language = {
  id: "typescript",
  needs: [],
  snippetPath: "verify.ts",
  files: { "main.ts": TYPESCRIPT_PROGRAM },
  run: [process.execPath, "main.ts"],
};

export const PYTHON: Language = {
  id: "python",
  needs: ["python3"],
  snippetPath: "verify.py",
  files: { "main.py": PYTHON_PROGRAM },
  run: ["python3", "-W", "error", "main.py"],
};

export const GO: Language = {
  id: "go",
  needs: ["go"],
  snippetPath: "webhook/verify.go",
  files: { "go.mod": "module vectors\n\ngo 1.19\n", "main.go": GO_PROGRAM },
  compile: ["go", "build", "-o", "main", "."],
  run: ["./main"],
};

export const JAVA: Language = {
  id: "java",
  needs: ["javac", "java"],
  snippetPath: "Verify.java",
  files: { "Main.java": JAVA_PROGRAM },
  // --release 8 is what the snippet promises; only javac's deprecation warning about it is accepted.
  compile: ["javac", "--release", "8", "-Xlint:all,-options", "-Werror", "-d", ".", "Verify.java", "Main.java"],
  run: ["java", "-cp", ".", "Main"],
};

export const PHP: Language = {
  id: "php",
  needs: ["php"],
  snippetPath: "verify.php",
  files: { "main.php": PHP_PROGRAM },
  run: ["php", "-d", "error_reporting=-1", "-d", "display_errors=stderr", "main.php"],
};
