/** What a person does in a browser on a pretend page: fills the form in and presses a button. */
export async function submit(pageUrl: string, filled: Record<string, string>): Promise<Response> {
  const page = await (await fetch(pageUrl)).text();
  const action = /<form method="post" action="([^"]+)"/.exec(page)?.[1];
  if (action === undefined) throw new Error(`expected a form at ${pageUrl}, found ${page.slice(0, 2_000)}`);
  const hidden = [...page.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)"/g)];
  const body = new URLSearchParams({
    ...Object.fromEntries(hidden.map(([, name = '', value = '']) => [name, value])),
    ...filled,
  });
  return fetch(new URL(action, pageUrl), { method: 'POST', body, redirect: 'manual' });
}
