// Where the documentation is: inside the appliance, like everything else.
import { api, call } from "../../client.ts";
import { Card, Shown } from "../../components/parts.tsx";
import { useLoaded } from "../../data.ts";
import { CopyCode } from "./copy-code.tsx";

const words = {
  newTab: "(opens in a new tab)",
  pages: [
    {
      title: "API reference",
      text: "Every route, field and error. With an API key you can try requests from the page.",
      link: "Open Swagger UI",
      href: "/swagger",
    },
    {
      title: "Checking signatures",
      text: "How to tell a genuine delivery from a forgery: ready code in six languages, and vectors to test yours with.",
      link: "Open the webhook guide",
      href: "/docs/webhooks",
    },
  ],
  first: "A first request",
  firstNote: "Put one of your API keys in the place of YOUR_KEY.",
};

export function DocsTab() {
  const catalogue = useLoaded(() => call(api.developers.catalogue.get()), []);
  return (
    <>
      <div class="columns">
        {words.pages.map(({ title, text, link, href }) => (
          <Card key={href} title={title}>
            <p>{text}</p>
            <p>
              <a href={href} target="_blank" rel="noopener">
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
