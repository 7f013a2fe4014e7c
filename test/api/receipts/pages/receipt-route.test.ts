import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createPagesApp } from '../../../../api/pages/app.ts';
import { readEvents } from '../events.ts';
import {
  INBOUND,
  PAYER,
  PAYOUT_TRANSACTION,
  startInstallation,
  WALLET,
  type Installation,
} from '../../pages/installation.ts';

let installation: Installation;
beforeAll(async () => {
  installation = await startInstallation();
});
afterAll(() => installation.close());

async function get(path: string, headers: Record<string, string> = {}): Promise<Response> {
  return installation.app.request(path, { headers });
}

async function page(slug: string, app = installation.app): Promise<string> {
  const answer = await app.request(`/receipts/${slug}`, { headers: { Accept: 'text/html' } });
  expect(answer.status).toBe(200);
  return answer.text();
}

describe('which form a receipt has', () => {
  test.each([
    ['a browser', 'text/html,application/xhtml+xml,*/*;q=0.8', 'text/html; charset=UTF-8'],
    ['curl', '*/*', 'text/html; charset=UTF-8'],
    ['nothing', null, 'text/html; charset=UTF-8'],
    ['something that is not offered', 'image/png', 'text/html; charset=UTF-8'],
    ['a program', 'application/json', 'application/json'],
    ['a program that takes anything', 'application/json, text/plain, */*', 'application/json'],
    ['a listener', 'text/event-stream', 'text/event-stream; charset=utf-8'],
  ])('%s', async (_title, accept, type) => {
    const { slug } = await installation.seed();
    const answer = await get(`/receipts/${slug}`, accept === null ? {} : { Accept: accept });
    expect([answer.status, answer.headers.get('Content-Type')]).toEqual([200, type]);
    expect(answer.headers.get('Vary')).toMatch(/^Accept(?:,|$)/);
    expect(answer.headers.get('Cache-Control')).toBe('no-store');
    expect(answer.headers.get('X-Robots-Tag')).toBe('noindex, nofollow');
    expect(answer.headers.get('Referrer-Policy')).toBe('no-referrer');
    expect(answer.headers.get('X-Content-Type-Options')).toBe('nosniff');
    await answer.body?.cancel();
  });

  test('the page runs and loads nothing but its own', async () => {
    const { slug } = await installation.seed();
    const answer = await get(`/receipts/${slug}`, { Accept: 'text/html' });
    expect(answer.headers.get('Content-Security-Policy')).toBe(
      "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self'; " +
        "base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    );
    const html = await answer.text();
    // What this policy would block must not be there in the first place.
    expect(html).not.toMatch(/\sstyle=|\son\w+=|<style|<script(?![^>]* src=)/i);
    for (const [, address] of html.matchAll(/(?:src|href)="([^"]*)"/g)) expect(address).toMatch(/^[/#]/);
  });

  test('programs get the receipt as JSON', async () => {
    const { slug, txnId } = await installation.seed();
    const answer = await get(`/receipts/${slug}`, { Accept: 'application/json' });
    expect(await answer.json()).toMatchObject({
      code: 200,
      data: { txn_id: txnId, amount: 1, status: 'pending_claim', finality: 'settled', transaction: INBOUND },
    });
  });

  test('HEAD answers without a body and opens no stream', async () => {
    const { slug } = await installation.seed();
    const headers = { Accept: 'text/event-stream' };
    const answer = await installation.app.request(`/receipts/${slug}`, { method: 'HEAD', headers });
    expect([answer.status, answer.body]).toEqual([200, null]);
    expect(installation.waiting()).toBe(0);
  });

  test('another method is 405 and says which are allowed', async () => {
    const { slug } = await installation.seed();
    const answer = await installation.app.request(`/receipts/${slug}`, { method: 'POST' });
    expect([answer.status, answer.headers.get('Allow')]).toEqual([405, 'GET, HEAD, OPTIONS']);
    expect(await answer.json()).toMatchObject({ code: 405, error: 'method_not_allowed' });
  });
});

describe('the live stream over HTTP', () => {
  test('sends the JSON form at each change and ends at final', async () => {
    const receipt = await installation.seed();
    const answer = await get(`/receipts/${receipt.slug}`, { Accept: 'text/event-stream' });
    const { nextEvent } = readEvents(answer.body);
    const first = await nextEvent();
    const json = await get(`/receipts/${receipt.slug}`, { Accept: 'application/json' });
    expect(first?.data).toEqual(await json.json());
    await installation.update(receipt, { payment: { status: 'final' } });
    installation.announce(receipt.paymentId);
    expect((await nextEvent())?.data.data.finality).toBe('final');
    expect(await nextEvent()).toBeNull();
  });

  test('a finished receipt is sent once; who has seen it is told not to come back', async () => {
    const { slug } = await installation.seed({ payment: { status: 'final' } });
    const { nextEvent } = readEvents((await get(`/receipts/${slug}`, { Accept: 'text/event-stream' })).body);
    const last = await nextEvent();
    expect(await nextEvent()).toBeNull();
    const again = await get(`/receipts/${slug}`, { Accept: 'text/event-stream', 'Last-Event-ID': last?.id ?? '' });
    expect(again.status).toBe(204);
  });
});

describe('what a page shows', () => {
  test('amount, recipient, state, what comes next, where to collect it', async () => {
    const { slug } = await installation.seed({ payment: { meta: { agent_name: 'Marta' } } });
    const text = toText(await page(slug));
    expect(text).toContain('From someone calling themselves “Marta” $1.00 for @alice on X');
    expect(text).toContain('Sent: done Waiting: in progress Received: still to come');
    expect(text).toContain('State On the chain, not final yet.');
    expect(text).toContain(
      'Waiting to be collected Waiting for @alice on X to collect it. If nobody collects it, it goes back to its sender on 20 December 2026 (UTC). Until then localhost holds it.',
    );
    expect(text).toContain('Sent 20 November 2026 at 13:05 UTC Number ');
    expect(text).toContain('To x:alice Network Base On the chain');
    expect(text).toContain(INBOUND);
    expect(await page(slug)).toContain(`href="/claim/x/alice?receipt=${slug}"`);
  });

  test('in its last two days the minute when it goes back', async () => {
    const { slug } = await installation.seed();
    const nowMs = installation.clock.nowMs;
    const shownAt = async (left: number) => {
      installation.clock.nowMs = Date.parse('2026-12-20T13:05:00Z') - left * 3_600_000;
      return /back to its sender on (.+?)\. Until/.exec(toText(await page(slug)))?.[1];
    };
    expect(await shownAt(49)).toBe('20 December 2026 (UTC)');
    expect(await shownAt(47)).toBe('20 December 2026 at 13:05 UTC');
    installation.clock.nowMs = nowMs;
  });

  test('a sender whom our bot saw is named without quotation marks', async () => {
    const meta = { agent_name: 'marta on Discord' };
    const { slug } = await installation.seed({ payment: { meta, agentKnown: true } });
    expect(toText(await page(slug))).toContain('From marta on Discord $1.00 for @alice on X');
  });

  test('a name that is looked up has nothing to collect yet, and the page goes on following it', async () => {
    const seed = { payment: { status: 'final' }, line: { status: 'resolving' } } as const;
    const text = await page((await installation.seed(seed)).slug);
    expect(toText(text)).toContain('@alice on X is being looked up');
    expect(text).not.toContain('href="/claim/');
    expect(text).toContain('http-equiv="refresh"');
  });

  test('without script it asks for itself again until it is finished', async () => {
    const moving = await page((await installation.seed()).slug);
    expect(moving).toContain('<noscript><meta http-equiv="refresh" content="20"></noscript>');
    const finished = await page((await installation.seed({ payment: { status: 'final' } })).slug);
    expect(finished).not.toContain('http-equiv="refresh"');
  });

  test('markup in a note is text', async () => {
    const description = `<script>alert("1")</script><img src=x onerror='alert(1)'> https://evil.example`;
    const html = await page((await installation.seed({ payment: { description } })).slug);
    expect(html).not.toMatch(/<script>|<img src=x|href="https:\/\/evil/);
    expect(html).toContain(
      '&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt;&lt;img src=x onerror=&#39;alert(1)&#39;&gt;',
    );
  });

  test('a name cannot leave its attribute or its quotation marks', async () => {
    const meta = { agent_name: `"><script>alert(1)</script>` };
    const line = { recipientKey: `alice" onclick="alert(1)`, platform: 'x' };
    const html = await page((await installation.seed({ payment: { meta }, line })).slug);
    expect(html).not.toContain('<script>alert');
    expect(html).not.toContain('onclick="alert');
    expect(html).toContain('href="/claim/x/alice%22%20onclick%3D%22alert(1)?receipt=');
    expect(html).toContain('<bdi>&#39;&gt;&lt;script&gt;alert(1)&lt;/script&gt;</bdi>');
  });

  test('an e-mail address is masked in every form', async () => {
    const line = { platform: 'email', recipientKey: 'alice.canary@example.com', receiver: 'Alice.Canary@example.com' };
    const { slug } = await installation.seed({ line: { ...line, display: 'Alice.Canary@example.com' } });
    for (const Accept of ['text/html', 'application/json', 'text/event-stream']) {
      const text = await textOf(slug, Accept);
      expect(text).toContain('email:a***@example.com');
      expect(text).not.toMatch(/canary/i);
    }
    expect(await page(slug)).toContain(`href="/claim/email?receipt=${slug}"`);
  });

  test('no form names the payout, a wallet, or the payer', async () => {
    const { slug } = await installation.seed({ payout: { status: 'final' }, payment: { status: 'final' } });
    for (const Accept of ['text/html', 'application/json', 'text/event-stream']) {
      const text = await textOf(slug, Accept);
      expect(text).toContain(INBOUND);
      for (const secret of [PAYOUT_TRANSACTION, WALLET, PAYER]) expect(text).not.toContain(secret);
    }
  });

  test('local mode says that it is play money and links no explorer', async () => {
    const html = await page((await installation.seed()).slug);
    expect(html).toContain('Play money: nothing here is real');
    expect(html).not.toContain('basescan');
  });

  test('elsewhere the page names its operator, help and terms, and links the inbound transaction', async () => {
    const settings = {
      ...installation.dependencies.settings,
      localMode: false,
      operator: { name: 'Penny & Sons', supportUrl: 'mailto:help@example.com', termsUrl: 'https://example.com/terms' },
    };
    const app = createPagesApp({ ...installation.dependencies, settings });
    const html = await page((await installation.seed()).slug, app);
    expect(html).toContain('operated by <strong>Penny &amp; Sons</strong>');
    expect(html).toContain('href="mailto:help@example.com"');
    expect(html).toContain('href="https://example.com/terms"');
    expect(html).not.toContain('Play money');
    expect(html).toContain(`href="https://basescan.org/tx/${INBOUND}" rel="noopener noreferrer nofollow"`);
  });
});

describe('addresses without a receipt', () => {
  const UNSETTLED = { payment: { status: 'settling', answer: null }, line: { status: 'accepted' } } as const;

  test.each([
    ['unknown', async () => 'AAAAAAAAAAAAAAAAAAAAAA'],
    ['too short', async () => 'abc'],
    ['hostile', async () => encodeURIComponent(`'"><script>`)],
    ['badly encoded', async () => '%E0%A4%A'],
    ['not settled yet', async () => (await installation.seed(UNSETTLED)).slug],
  ])('%s: a page for people, the usual error for programs', async (_title, makeSlug) => {
    const path = `/receipts/${await makeSlug()}`;
    const html = await get(path, { Accept: 'text/html,*/*;q=0.8' });
    expect(html.status).toBe(404);
    expect(html.headers.get('Vary')).toMatch(/^Accept(?:,|$)/);
    expect(toText(await html.text())).toContain('Nothing at this address No receipt is known at this address.');
    for (const Accept of ['application/json', '*/*', 'text/event-stream']) {
      const json = await get(path, { Accept });
      expect(json.status).toBe(404);
      expect(await json.json()).toEqual({
        code: 404,
        msg: expect.any(String),
        error: 'not_found',
        detail: 'No receipt is known at this address.',
        retryable: false,
        request_id: expect.stringMatching(/^req_/),
      });
    }
  });

  test('what is not settled and what never was look exactly alike', async () => {
    const { slug } = await installation.seed(UNSETTLED);
    const [unsettled, unknown] = await Promise.all(
      [slug, 'AAAAAAAAAAAAAAAAAAAAAA'].map(async (name) => {
        const text = await (await get(`/receipts/${name}`, { Accept: 'text/html' })).text();
        return text.replace(/req_[\w-]+/g, 'req_…').replaceAll(name, '…');
      }),
    );
    expect(unsettled).toBe(unknown);
  });
});

test('a failure of ours is answered without its reason, and logged with it', async () => {
  const { slug } = await installation.seed({ line: { platform: 'myspace' } });
  const answer = await get(`/receipts/${slug}`, { Accept: 'text/html' });
  expect(answer.status).toBe(500);
  const text = await answer.text();
  expect(text).toContain('Something went wrong on our side.');
  expect(text).not.toContain('myspace');
  expect(JSON.stringify(installation.logged)).toContain('myspace');
});

async function textOf(slug: string, Accept: string): Promise<string> {
  const answer = await get(`/receipts/${slug}`, { Accept });
  if (Accept !== 'text/event-stream') return answer.text();
  const { nextEvent, cancel } = readEvents(answer.body);
  const event = await nextEvent();
  await cancel();
  return JSON.stringify(event);
}

/** The words of a page, as read aloud. */
function toText(html: string): string {
  return html
    .replace(/<head>[\s\S]*<\/head>/, '')
    .replace(/<\/(?:dt|dd|p|h1|h2|li)>/g, ' ')
    .replace(/<[^>]*>/g, '')
    .replace(/\s+/g, ' ');
}
