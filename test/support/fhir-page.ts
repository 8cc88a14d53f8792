// The table of resources and search parameters in the handbook, from the CapabilityStatement.
import type { CapabilityStatement } from "fhir/r4";

/** As Markdown; the formatter aligns its columns. */
export function fhirPage({ rest = [] }: CapabilityStatement): string {
  return (rest[0]?.resource ?? [])
    .map(({ type, documentation = "", searchParam = [], searchInclude = [] }) => {
      const rows = searchParam.map(
        ({ name, type: kind, documentation: says = "" }) =>
          `| \`${name}\` | ${kind} | ${says.replaceAll("|", "\\|")} |`,
      );
      const includes = searchInclude.map((include) => `\`${include}\``).join(", ");
      return [
        `### ${type}`,
        "",
        documentation.replace(/Scope: ([\w:]+)/, "Scope: `$1`").replace(/to write, ([\w:]+)/, "to write, `$1`"),
        "",
        "| parameter | type | meaning |",
        "| --- | --- | --- |",
        ...rows,
        ...(includes === "" ? [] : ["", `\`_include\`: ${includes}`]),
      ].join("\n");
    })
    .join("\n\n");
}

/** Without what the formatter adds. */
export const unaligned = (markdown: string): string =>
  markdown.replaceAll(/-{3,}/g, "---").replaceAll(/ +\|/g, " |").replaceAll(/\| +/g, "| ").replaceAll(/\s+/g, " ");
