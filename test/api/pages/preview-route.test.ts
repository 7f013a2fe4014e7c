import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createPagesApp } from '../../../api/pages/app.ts';
import { readEvents } from '../receipts/events.ts';
import { startInstallation, type Installation, type SeededReceipt } from './installation.ts';

let installation: Installation;
beforeAll(async () => {
  installation = await startInstallation();
});
afterAll(() => installation.close());

async function get(path: string, headers: Record<string, string> = {}, method = 'GET'): Promise<Response> {
  return installation.app.request(path, { headers, method });
}

async function publicSlugOf({ txnId }: SeededReceipt): Promise<string> {
  const { lines } = installation.store.tables;
  const [row] = await installation.store.read.select().from(lines).where(eq(lines.txnId, txnId));
  return row?.publicSlug ?? '';
}

describe('the picture of a receipt', () => {
  test('is a PNG of 1200 by 630 that is asked for again each time', async () => {
    const { slug } = await installation.seed();
    const answer = await get(`/receipts/${slug}/preview.png`);
    expect([answer.status, answer.headers.get('Content-Type')]).toEqual([200, 'image/png']);
    expect(answer.headers.get('Cache-Control')).toBe('no-cache');
    expect(answer.headers.get('X-Robots-Tag')).toBe('noindex, nofollow');
    expect(answer.headers.get('X-Content-Type-Options')).toBe('nosniff');
    const png = Buffer.from(await answer.arrayBuffer());
    expect(png.toString('latin1', 1, 4)).toBe('PNG');
    expect([png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual([1200, 630]);
  });

  test('a reader who has it is told so until the state changes', async () => {
    const receipt = await installation.seed({ payout: { status: 'final' } });
    const path = `/receipts/${receipt.slug}/preview.png`;
    const first = await get(path);
    const etag = first.headers.get('ETag') ?? '';
    for (const tag of [etag, `W/${etag}`, `"other", ${etag}`]) {
      const again = await get(path, { 'If-None-Match': tag });
      expect([again.status, again.headers.get('ETag'), again.body]).toEqual([304, etag, null]);
    }
    await installation.update(receipt, { payment: { status: 'final' } });
    const changed = await get(path, { 'If-None-Match': etag });
    expect(changed.status).toBe(200);
    expect(changed.headers.get('ETag')).not.toBe(etag);
    expect(Buffer.from(await changed.arrayBuffer()).equals(Buffer.from(await first.arrayBuffer()))).toBe(false);
  });

  test('is the same at both addresses of a receipt', async () => {
    const receipt = await installation.seed({ payment: { description: 'between us' } });
    const [own, open] = await Promise.all(
      [receipt.slug, await publicSlugOf(receipt)].map((slug) => get(`/receipts/${slug}/preview.png`)),
    );
    expect(open?.status).toBe(200);
    expect(open?.headers.get('ETag')).toBe(own?.headers.get('ETag'));
  });

  test.each([
    ['unknown', async () => 'AAAAAAAAAAAAAAAAAAAAAA'],
    ['not settled yet', async () => (await installation.seed({ payment: { status: 'settling', answer: null } })).slug],
    ['hostile', async () => encodeURIComponent(`'"><script>`)],
  ])('%s: there is none, and nobody keeps that', async (_title, makeSlug) => {
    const answer = await get(`/receipts/${await makeSlug()}/preview.png`);
    expect([answer.status, answer.headers.get('Cache-Control')]).toEqual([404, 'no-store']);
    expect(await answer.json()).toMatchObject({ error: 'not_found' });
  });

  test('another method is 405 and says which are allowed', async () => {
    const { slug } = await installation.seed();
    const answer = await get(`/receipts/${slug}/preview.png`, {}, 'POST');
    expect([answer.status, answer.headers.get('Allow')]).toEqual([405, 'GET, HEAD, OPTIONS']);
  });
});

describe('what a receipt’s page says where a link to it is shown', () => {
  async function tagsOf(slug: string): Promise<Record<string, string>> {
    const html = await (await get(`/receipts/${slug}`, { Accept: 'text/html' })).text();
    const tags = html.matchAll(/<meta (?:property|name)="((?:og|twitter):[^"]+)" content="([^"]*)">/g);
    return Object.fromEntries([...tags].map(([, name = '', content = '']) => [name, content]));
  }

  test('title, state, and a picture that is there', async () => {
    const { slug } = await installation.seed();
    const tags = await tagsOf(slug);
    const url = `http://127.0.0.1:8402/receipts/${slug}`;
    expect(tags).toEqual({
      'og:site_name': 'pennypost',
      'og:title': '$1.00 for @alice on X',
      'og:description':
        'Waiting to be collected. Waiting for @alice on X to collect it. If nobody collects it, it goes back to its sender on 20 December 2026 (UTC).',
      'og:type': 'website',
      'og:url': url,
      'og:image': expect.stringMatching(new RegExp(`^${url}/preview\\.png\\?v=[\\w-]{16}$`)),
      'og:image:type': 'image/png',
      'og:image:width': '1200',
      'og:image:height': '630',
      'og:image:alt': '$1.00 for @alice on X',
      'twitter:card': 'summary_large_image',
    });
    const { pathname, search } = new URL(tags['og:image'] ?? '');
    expect((await get(pathname + search)).headers.get('Content-Type')).toBe('image/png');
  });

  test('another state has another picture’s address', async () => {
    const receipt = await installation.seed();
    const before = await tagsOf(receipt.slug);
    expect((await tagsOf(receipt.slug))['og:image']).toBe(before['og:image']);
    await installation.update(receipt, { payment: { status: 'final' } });
    expect((await tagsOf(receipt.slug))['og:image']).not.toBe(before['og:image']);
  });

  test('an e-mail address is masked, markup is text, and the note is not there', async () => {
    const { slug } = await installation.seed({
      payment: { description: 'a secret note' },
      line: { platform: 'email', recipientKey: 'alice.secret@example.com' },
    });
    const tags = await tagsOf(slug);
    expect(tags['og:title']).toBe('$1.00 for a***@example.com');
    expect(JSON.stringify(tags)).not.toContain('secret');
    const hostile = await tagsOf((await installation.seed({ line: { recipientKey: '"><script>' } })).slug);
    expect(hostile['og:title']).toBe('$1.00 for @&quot;&gt;&lt;script&gt; on X');
  });

  test('a page without a picture of its own has the one of the service; what is not there has none', async () => {
    const read = async (path: string) => (await get(path, { Accept: 'text/html' })).text();
    const start = await read('/');
    expect(start).toContain('<meta property="og:url" content="http://127.0.0.1:8402/">');
    const [, address = ''] = /<meta property="og:image" content="([^"]*)">/.exec(start) ?? [];
    const picture = await get(new URL(address).pathname);
    expect([picture.status, picture.headers.get('Content-Type')]).toEqual([200, 'image/png']);
    expect(await read('/receipts/AAAAAAAAAAAAAAAAAAAAAA')).not.toMatch(/og:image|twitter:card/);
  });
});

test('a reader of the public address does not learn the other one, which shows more', async () => {
  const receipt = await installation.seed({ payment: { description: 'between us', meta: { agent_name: 'Marta' } } });
  const slug = await publicSlugOf(receipt);
  // The control: the other address shows what this one must not.
  expect(await (await get(`/receipts/${receipt.slug}`, { Accept: 'text/html' })).text()).toContain('between us');
  const app = createPagesApp(installation.dependencies);
  for (const Accept of ['text/html', 'application/json', 'text/event-stream']) {
    const answer = await app.request(`/receipts/${slug}`, { headers: { Accept } });
    expect(answer.status).toBe(200);
    const text = Accept === 'text/event-stream' ? await firstEventOf(answer) : await answer.text();
    expect(text).toContain(`/receipts/${slug}`);
    for (const secret of [receipt.slug, 'between us', 'Marta']) expect(text).not.toContain(secret);
  }
});

async function firstEventOf(answer: Response): Promise<string> {
  const { nextEvent, cancel } = readEvents(answer.body);
  const event = await nextEvent();
  await cancel();
  return JSON.stringify(event);
}

test('the stream at the public address names the same versions as its page', async () => {
  const slug = await publicSlugOf(await installation.seed());
  const html = await (await get(`/receipts/${slug}`, { Accept: 'text/html' })).text();
  const { nextEvent, cancel } = readEvents((await get(`/receipts/${slug}`, { Accept: 'text/event-stream' })).body);
  expect(html).toContain(`data-version="${(await nextEvent())?.id ?? ''}"`);
  await cancel();
});
