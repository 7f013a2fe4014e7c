/** All websites at once: their files, their TXT records, and a page where a newcomer publishes both for any host. */
import { isProblem } from '../../core/platforms/parsed-name.ts';
import { parseWeb } from '../../core/platforms/web.ts';
import { createBoundedMap } from './bounded-map.ts';
import { html } from './html.ts';
import { startDnsServer, type DnsReply, type DnsServer, type DnsType } from './name-server.ts';
import { PAGE_HEADERS, renderPage } from './page.ts';
import { startStandIn, type Question, type Reply, type StandIn } from './server.ts';

export type WebHostStandIn = {
  /** The page. */
  url: string;
  /** As the configuration takes it. */
  dnsServer: string;
  /** Where a host's file is here. */
  toHostUrl: (host: string, path: string) => string;
  publishFile: (host: string, path: string, text: string) => void;
  /** Of `_pennypost.<host>`. */
  publishRecord: (host: string, text: string) => void;
  close: () => Promise<void>;
};

type Published = { files: Map<string, string>; records: Map<string, string> };

const KEPT_MAX = 1_000;
const TEXT_CHARACTERS_MAX = 2_000;
const FILE_PATH = '/.well-known/pennypost.txt';

export async function startWebHost(): Promise<WebHostStandIn> {
  const published: Published = { files: createBoundedMap(KEPT_MAX), records: createBoundedMap(KEPT_MAX) };
  const names: DnsServer = await startDnsServer((name, type) => answerName(published, name, type));
  const pages: StandIn = await startStandIn((question) => answer(published, question));
  return {
    url: pages.url,
    dnsServer: names.address,
    toHostUrl: (host, path) => `${pages.url}/hosts/${host}${path}`,
    publishFile: (host, path, text) => void published.files.set(`${host}${path}`, text),
    publishRecord: (host, text) => void published.records.set(host, text),
    close: async () => {
      await Promise.all([names.close(), pages.close()]);
    },
  };
}

/** Every name exists; the one kind of record there is are those that were published here. */
function answerName({ records }: Published, name: string, type: DnsType): DnsReply {
  const text = name.startsWith('_pennypost.') ? records.get(name.slice('_pennypost.'.length)) : undefined;
  return type === 'TXT' && text !== undefined ? [text] : [];
}

function answer(published: Published, { method, path, body }: Question): Reply {
  if (method === 'GET' && path.startsWith('/hosts/')) {
    const text = published.files.get(path.slice('/hosts/'.length));
    const headers = { 'content-type': 'text/plain; charset=utf-8' };
    return text === undefined ? { status: 404, body: 'not found', headers } : { status: 200, body: text, headers };
  }
  if (path !== '/') return { status: 404, body: 'There is nothing here.' };
  if (method === 'GET') return showForm(200, '', '', '');
  return method === 'POST' ? publish(published, new URLSearchParams(body)) : { status: 405 };
}

function publish({ files, records }: Published, form: URLSearchParams): Reply {
  const text = (form.get('text') ?? '').trim();
  const parsed = parseWeb((form.get('host') ?? '').trim().normalize('NFKC'));
  if (isProblem(parsed)) return showForm(400, form.get('host') ?? '', text, `That host ${parsed.problem}.`);
  if (text.length > TEXT_CHARACTERS_MAX) return showForm(400, parsed.key, '', 'That text is too long.');
  const isRecord = form.get('where') === 'record';
  if (isRecord) records.set(parsed.key, text);
  else files.set(`${parsed.key}${FILE_PATH}`, `${text}\n`);
  const place = isRecord ? `the TXT record of _pennypost.${parsed.key}` : `https://${parsed.key}${FILE_PATH}`;
  return showForm(200, parsed.key, text, `Published as ${place}. Go back to the page that asked for it.`);
}

function showForm(status: number, host: string, text: string, message: string): Reply {
  const about =
    message === '' ? html`` : html`<p role="${status === 200 ? 'status' : 'alert'}"><strong>${message}</strong></p>`;
  const main = html`<p>Here you own every website.</p>
${about}
<form method="post" action="/">
<label for="host">Host</label>
<input id="host" name="host" autocomplete="off" autocapitalize="none" spellcheck="false" maxlength="260" value="${host}">
<label for="text">Text that you were asked to publish</label>
<input id="text" name="text" autocomplete="off" autocapitalize="none" spellcheck="false" value="${text}">
<button name="where" value="file">Publish as a file</button>
<button class="quiet" name="where" value="record">Publish as a TXT record</button>
</form>`;
  const page = renderPage({ title: 'Your website', standsFor: 'every website and its name servers', main });
  return { status, body: page, headers: PAGE_HEADERS };
}
