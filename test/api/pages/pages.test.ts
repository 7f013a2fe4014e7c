import { Hono } from 'hono';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createNotFound, createPagesApp } from '../../../api/pages/app.ts';
import { parseConfig } from '../../../core/config/config.ts';
import { shownOperator } from '../../../service/offers/operator.ts';
import { LANGUAGE_TAGS } from '../../../core/languages.ts';
import { LANDING } from '../../../texts/landing/languages.ts';
import { TAKE_BACK } from '../../../texts/take-back/languages.ts';
import { RECEIPT_PAGES } from '../../../texts/receipt-page/languages.ts';
import { REWARD_PAGES } from '../../../texts/reward-page/languages.ts';
import { formatDuration } from '../../../texts/rules/duration.ts';
import type { ApiEnv } from '../../../api/http/env.ts';
import { REWARD_SEEDS, seedReward } from './rewards.ts';
import { startInstallation, type Installation } from './installation.ts';

let installation: Installation;
beforeAll(async () => {
  installation = await startInstallation();
});
afterAll(() => installation.close());

async function read(path: string, app = installation.app): Promise<{ status: number; html: string; headers: Headers }> {
  const answer = await app.request(path, { headers: { Accept: 'text/html' } });
  return { status: answer.status, html: await answer.text(), headers: answer.headers };
}

function appWith(settings: Partial<Installation['dependencies']['settings']>) {
  const { dependencies } = installation;
  return createPagesApp({ ...dependencies, settings: { ...dependencies.settings, ...settings } });
}

const OPERATOR = {
  name: 'Penny & Sons',
  supportUrl: 'https://example.com/help',
  termsUrl: 'https://example.com/terms',
};

describe('what every host is asked for', () => {
  test('the icon is an ICO file with the picture in it', async () => {
    const answer = await installation.app.request('/favicon.ico');
    const bytes = Buffer.from(await answer.arrayBuffer());
    expect([answer.status, answer.headers.get('Content-Type')]).toEqual([200, 'image/x-icon']);
    expect([bytes.readUInt16LE(2), bytes.readUInt16LE(4), bytes.readUInt32LE(14)]).toEqual([1, 1, bytes.length - 22]);
    expect(bytes.subarray(bytes.readUInt32LE(18)).subarray(1, 4).toString()).toBe('PNG');
  });

  test('robots.txt lets previews of links be made, and the pages say themselves that they are not to be listed', async () => {
    const answer = await installation.app.request('/robots.txt');
    const text = await answer.text();
    expect(answer.status).toBe(200);
    expect(text).toMatch(/^User-agent: \*$/m);
    expect(text).not.toMatch(/Disallow: \/(?:$|receipts|claim\/|rewards|preview)/m);
  });
});

describe('the start page', () => {
  test('says what this is, and leads to the chat, the API, the receipts and what works now', async () => {
    const { status, html, headers } = await read('/');
    expect(status).toBe(200);
    expect(html).toContain('Send money to anyone by the name they already go by.');
    expect(html).toContain('href="/chat"');
    expect(html).toContain('curl -i http://127.0.0.1:8402/payments/x/pay');
    expect(html).toContain('href="/status"');
    expect(html).toContain('For example $5.00 to @alice on X');
    // One filled button.
    expect(html.match(/class="button(?: wide)?"/g)).toHaveLength(1);
    expect(headers.get('X-Robots-Tag')).toBeNull();
  });

  test('the command on it is the same for the eye and for the clipboard, and is one that a shell runs', async () => {
    const { html } = await read('/');
    const shown = /<pre class="command"><code>([^<]*)<\/code>/.exec(html)?.[1];
    const copied = /data-copy="([^"]*)"/.exec(html)?.[1];
    expect(shown).toBe(copied);
    expect(unescape(shown ?? '')).toBe(
      `curl -i http://127.0.0.1:8402/payments/x/pay \\\n  -H 'Content-Type: application/json' \\\n  -d '{"receiver":"alice","amount":0.01}'`,
    );
  });

  test('outside local mode there is no chat page to link', async () => {
    const { html } = await read('/', appWith({ localMode: false, operator: OPERATOR }));
    expect(html).not.toContain('href="/chat"');
    expect(html).not.toContain('payers.json');
  });

  test.each([
    ['testnet', true],
    ['mainnet', false],
  ] as const)('every page of %s says that the money is a test, or nothing', async (mode, isSaid) => {
    const operator = shownOperator({ ...parseConfig({}), mode });
    for (const path of ['/', '/docs']) {
      const { html } = await read(path, appWith({ localMode: false, operator }));
      expect(html.includes('Test money: it has no value')).toBe(isSaid);
    }
  });

  test('with real money the command names nobody who could be paid by it', async () => {
    const { html } = await read('/', appWith({ localMode: false, operator: OPERATOR }));
    expect(html).toContain('/payments/email/pay');
    expect(unescape(html)).toContain('{"receiver":"alice@example.com","amount":0.01}');
  });

  test('names only what this installation offers', async () => {
    const { dependencies } = installation;
    const { html } = await read('/', createPagesApp({ ...dependencies, identity: { platforms: ['code', 'email'] } }));
    expect(html).toContain('/payments/code/pay');
    expect(html).not.toContain('decsocial:alice');
  });
});

test('what only the operator can let go on says whom to ask, where that is known', async () => {
  const held = (heldReason: string) =>
    installation.seed({ payout: { status: 'held', heldReason }, payment: { status: 'final' } });
  const checked = `/receipts/${(await held('frozen')).slug}`;
  const ask = '<a id="ask" href="https://example.com/help" rel="noopener">Ask Penny &amp; Sons about it';
  const known = appWith({ operator: OPERATOR });
  expect((await read(checked, known)).html).toContain(ask);
  expect((await read(checked)).html).not.toContain('id="ask"');
  expect((await read(`/receipts/${(await held('payer_limit')).slug}`, known)).html).not.toContain('id="ask"');
});

describe.each(LANGUAGE_TAGS)('in %s', (language) => {
  const shown = async (path: string) => {
    const headers = { Accept: 'text/html', 'Accept-Language': language };
    const html = await (await installation.app.request(path, { headers })).text();
    expect(html).toContain(`<html lang="${language}">`);
    expect(html.length).toBeLessThan(60_000);
    return unescape(html);
  };
  // Commands and the names of languages and of the service are the same everywhere.
  const isEnglish = /\b(?:the|you|your|and|with|nothing|share|for)\b/i;
  const slips = (html: string) =>
    html
      .replace(/^[^]*<main[^>]*>/, '')
      .replace(/<\/main>[^]*$/, '')
      .replaceAll(/<pre[^]*?<\/pre>|<blockquote>[^]*?<\/blockquote>|<[^>]*>/g, ' ')
      .match(isEnglish);

  test('the start page speaks the language, and leads to collected money', async () => {
    const html = await shown('/');
    expect(html).toContain(LANDING[language].heading);
    expect(html).toContain('href="/purse"');
    if (language !== 'en') expect(slips(html)).toBeNull();
  });

  test('a letter ends with what is only for the one who sent it, folded under a title that says so', async () => {
    const html = await shown(`/receipts/${(await installation.seed()).slug}`);
    const { forSender, passOn } = RECEIPT_PAGES[language];
    const [before = '', fold = ''] = html
      .slice(0, html.indexOf('</article>'))
      .split('<details class="for-screen" id="sender">');
    for (const part of [
      `<summary>${forSender}</summary>`,
      passOn,
      'id="copy-link"',
      `>${TAKE_BACK[language].link}</a>`,
    ]) {
      expect(fold).toContain(part);
      expect(before).not.toContain(part);
    }
    expect(TAKE_BACK[language].link).not.toBe(TAKE_BACK[language].title);
    expect(fold.lastIndexOf('<a ')).toBe(fold.indexOf('<a class="standing-link" id="take-back"'));
  });

  test('once it is collected for good a letter has nothing more for the one who sent it', async () => {
    const { slug } = await installation.seed({ payout: { status: 'final' }, payment: { status: 'final' } });
    expect(await shown(`/receipts/${slug}`)).not.toContain(RECEIPT_PAGES[language].forSender);
  });

  test('a letter says once what its money is', async () => {
    const html = await shown(`/receipts/${(await installation.seed()).slug}`);
    expect(html).toContain(RECEIPT_PAGES[language].money);
    expect(html.slice(html.indexOf('<article'), html.indexOf('</article>')).match(/USDC/g)).toHaveLength(1);
  });

  test('the stamp of a letter names no price', async () => {
    const html = await shown(`/receipts/${(await installation.seed()).slug}`);
    const stamp = /<svg class="stamp"[^]*?<\/svg>/.exec(html)?.[0] ?? '';
    expect([stamp.includes('PENNYPOST'), /[¢$]|\d+ ?c/.test(stamp.replaceAll(/<[^>]*>/g, ''))]).toEqual([true, false]);
  });

  test.each(Object.entries(REWARD_SEEDS))('a reward that is %s speaks the language', async (_state, seed) => {
    const html = await shown(await seedReward(installation, seed));
    expect(html).toContain(REWARD_PAGES[language].eyebrow);
    if (language !== 'en') expect(slips(html)).toBeNull();
  });
});

describe('addresses that nobody serves', () => {
  test('a page for people, the JSON shape for programs', async () => {
    const { status, html } = await read('/nothing-here');
    expect(status).toBe(404);
    expect(html).toContain('href="/"');
    const json = await installation.app.request('/nothing-here');
    expect(await json.json()).toMatchObject({ code: 404, error: 'not_found', request_id: expect.any(String) });
  });

  test('mounted beside other routes, pages leave those alone and answer their own failures', async () => {
    const outer = new Hono<ApiEnv>();
    outer.use(async (c, next) => {
      c.set('requestId', 'req_outer');
      await next();
    });
    outer.route('/', installation.app);
    outer.get('/health/ready', (c) => c.json({ ready: true }));
    outer.notFound(createNotFound(installation.dependencies));
    const health = await outer.request('/health/ready');
    expect([health.status, health.headers.get('Content-Security-Policy')]).toEqual([200, null]);
    expect((await read('/receipts/none', outer)).html).toContain('req_outer');
    const missing = await read('/payments/nothing', outer);
    expect([missing.status, missing.html.includes('req_outer')]).toEqual([404, true]);
  });
});

describe('what pages load', () => {
  test('each file is served under its content hash, for ever', async () => {
    const { html } = await read('/');
    const paths = [...html.matchAll(/(?:src|href)="(\/assets\/[^"]+)"/g)].map(([, path = '']) => path);
    expect(new Set(paths).size).toBe(3);
    for (const path of paths) {
      const asset = await installation.app.request(path);
      expect(asset.status).toBe(200);
      expect(path).toMatch(/^\/assets\/[0-9a-f]{12}\/[a-z]+\.(?:css|js|svg)$/);
      expect(asset.headers.get('Cache-Control')).toBe('public, max-age=31536000, immutable');
      expect(asset.headers.get('X-Content-Type-Options')).toBe('nosniff');
      expect(asset.headers.get('Content-Type')).toMatch(
        /^(?:text\/(?:css|javascript); charset=utf-8|image\/svg\+xml)$/,
      );
    }
  });

  test('pages and files are compressed for who takes that, and whole for others', async () => {
    const { html } = await read('/');
    const style = /"(\/assets\/[0-9a-f]+\/style\.css)"/.exec(html)?.[1] ?? '';
    for (const [path, whole] of [
      ['/', html],
      [style, await (await installation.app.request(style)).text()],
    ] as const) {
      const headers = { Accept: 'text/html', 'Accept-Encoding': 'br, gzip' };
      const answer = await installation.app.request(path, { headers });
      expect(answer.headers.get('Content-Encoding')).toBe('gzip');
      expect(gunzipSync(await answer.arrayBuffer()).toString()).toBe(whole);
      const refused = await installation.app.request(path, { headers: { ...headers, 'Accept-Encoding': 'gzip;q=0' } });
      expect([refused.headers.get('Content-Encoding'), await refused.text()]).toEqual([null, whole]);
    }
  });

  test('no page loads more than 10 KB of script, compressed', async () => {
    const { html } = await read('/');
    const folder = /\/assets\/[0-9a-f]+\//.exec(html)?.[0] ?? '';
    const sizeOf = async (names: readonly string[]) => {
      const headers = { 'Accept-Encoding': 'gzip' };
      const bodies = names.map(async (name) =>
        (await installation.app.request(folder + name, { headers })).arrayBuffer(),
      );
      return (await Promise.all(bodies)).reduce((sum, { byteLength }) => sum + byteLength, 0);
    };
    for (const scripts of [
      ['page.js', 'address.js', 'wallets.js'],
      ['page.js', 'pay.js', 'wallets.js'],
      ['take-back.js', 'wallets.js'],
    ]) {
      const bytes = await sizeOf(scripts);
      expect([scripts, bytes > 1_000 && bytes < 10_000]).toEqual([scripts, true]);
    }
  });

  test('a file of another version is not there', async () => {
    expect((await installation.app.request('/assets/000000000000/style.css')).status).toBe(404);
  });
});

test.each([
  [30 * 86_400_000, '30 days'],
  [86_400_000, '1 day'],
  [36 * 3_600_000, '36 hours'],
  [90_000, '90 seconds'],
  [1_500, '1 second'],
])('%d ms are %s', (ms, text) => {
  expect(formatDuration(ms)).toBe(text);
});

function unescape(html: string): string {
  return html
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&');
}
