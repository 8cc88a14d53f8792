// Links to the documentation, which the appliance serves itself.
import { api, call } from "../../client.ts";
import { Card, Shown } from "../../kit/parts.tsx";
import { useLoaded } from "../../data.ts";
import { CopyCode } from "../../kit/copy-code.tsx";
import { said } from "../../words.ts";

const words = said.developers.docsTab;

const PAGES = [
  { ...words.pages.reference, href: "/swagger" },
  { ...words.pages.signatures, href: "/docs/webhooks" },
  { ...words.pages.handbook, href: "/docs" },
];

export function DocsTab() {
  const catalogue = useLoaded(() => call(api.developers.catalogue.get()), []);
  return (
    <>
      <div class="columns">
        {PAGES.map(({ title, text, link, href }) => (
          <Card key={href} title={title}>
            <p>{text}</p>
            <p>
              <a class="doc-link" href={href} target="_blank" rel="noopener">
                {link} <span class="note">{words.newTab}</span>
              </a>
            </p>
          </Card>
        ))}
      </div>
      <Card title={words.first}>
        <p class="note">{words.firstNote}</p>
        <Shown from={catalogue}>
          {({ base_url }) => (
            <CopyCode label={words.first} code={`curl -s ${base_url}/v1/calls -H 'x-api-key: YOUR_KEY'`} />
          )}
        </Shown>
      </Card>
    </>
  );
}
