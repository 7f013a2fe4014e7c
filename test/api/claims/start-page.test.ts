import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { eq } from 'drizzle-orm';
import { MAIL_SECRET, SIGN_IN, verifiedPart } from './memory-claims.ts';
import { browserIdOf } from '../../../identity/browsers.ts';
import { networksOf, startClaimInstallation, type ClaimInstallation } from './installation.ts';

let installation: ClaimInstallation;
beforeAll(async () => {
  installation = await startClaimInstallation();
});
afterAll(() => installation.close());

async function read(path: string, change?: Parameters<ClaimInstallation['appWith']>[0]) {
  const answer = await installation.appWith(change).request(path, { headers: { Accept: 'text/html' } });
  return { status: answer.status, html: await answer.text(), headers: answer.headers };
}

const SENT = { description: 'Thanks for Friday!', meta: { agent_name: 'Marta' } };

describe('without a receipt', () => {
  test('the page is the same for every name, whether or not money waits', async () => {
    const alice = await read('/claim/x/alice');
    await installation.seed();
    expect((await read('/claim/x/alice')).html).toBe(alice.html);
    expect((await read('/claim/x/bobby')).html.replaceAll('bobby', 'alice')).toBe(alice.html);
  });

  test('it cannot know: it does not ask the database', async () => {
    const store = new Proxy(installation.store, {
      get: (_target, key) => {
        throw new Error(`the start page asked the store for ${String(key)}`);
      },
    });
    expect((await read('/claim/x/alice', { store })).status).toBe(200);
    // The control: with a receipt it has to ask, and fails on this store.
    expect((await read(`/claim/x/alice?receipt=${'A'.repeat(22)}`, { store })).status).toBe(500);
  });

  test('keeping comes first, then one field for an address, then not wanting it', async () => {
    const { html } = await read('/claim/x/alice');
    const order = [
      'Keep it here',
      'Send it to my own app or exchange',
      'Your address there',
      'USDC on Base.',
      'I don’t want it',
    ];
    expect(order.map((text) => html.indexOf(text)).toSorted((a, b) => a - b)).toEqual(
      order.map((text) => html.indexOf(text)),
    );
    expect(html.match(/<input(?! type="hidden")/g)).toHaveLength(1);
    expect(html).toContain('goes back after 30 days');
  });
});

describe('with a receipt', () => {
  test('the sender, the sum, the note, and the deadline', async () => {
    const { slug } = await installation.seed({ payment: SENT, amountMicroUsdc: 3_200_000n });
    const { html } = await read(`/claim/x/alice?receipt=${slug}`);
    const text = toText(html);
    expect(text).toContain('From someone calling themselves “Marta” $3.20 for @alice on X');
    expect(text).toContain('Thanks for Friday!');
    expect(text).toContain(
      'never ask for a card, a password or secret words. If you do nothing, it goes back on 20 December',
    );
    expect(html).toContain(`name="receipt" value="${slug}"`);
  });

  test('each step names its number, and the sum stays in sight', async () => {
    const { slug } = await installation.seed({ payment: SENT, amountMicroUsdc: 3_200_000n });
    const app = installation.appWith();
    const form = { platform: 'x', handle: 'alice', choice: 'keep', receipt: slug };
    expect((await read(`/claim/x/alice?receipt=${slug}`)).html).toContain('>Step 1 of 3<');
    const opened = await app.request(`/claims?receipt=${slug}`, {
      method: 'POST',
      headers: { origin: 'http://127.0.0.1:8402', 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams(form),
    });
    const cookie = (opened.headers.get('set-cookie') ?? '').split(';')[0] ?? '';
    const page = async () => {
      const path = `/claims/${installation.claims.latestId()}`;
      return (await app.request(path, { headers: { Accept: 'text/html', cookie } })).text();
    };
    expect(toText(await page())).toMatch(/Step 2 of 3 \$3\.20 from someone calling themselves “Marta” Sign in with X/);
    const claimId = installation.claims.latestId();
    const browserId = browserIdOf(cookie.split('=')[1] ?? '') ?? '';
    const view = await installation.claims.read(claimId, { kind: 'browser', browserId });
    installation.claims.set(claimId, verifiedPart(view, installation.claims.waiting));
    expect(toText(await page())).toContain('Step 3 of 3 You are @alice on X.');
    installation.claims.set(claimId, { ...view, status: 'expired', steps: {} });
    expect(toText(await page())).toContain('$3.20 from someone calling themselves “Marta” The time for this is over');
  });

  test('who has to type the name has one step more, and who comes by a mail has done one', async () => {
    const line = { platform: 'email', recipientKey: 'alice@example.com' };
    const { slug } = await installation.seed({ line, payment: SENT });
    expect((await read(`/claim/email?receipt=${slug}`)).html).toContain('>Step 1 of 4<');
    expect((await read(`/claim/email/alice%40example.com?receipt=${slug}`)).html).toContain('>Step 2 of 4<');
    expect((await read('/claim/email/alice%40example.com')).html).toContain('>Step 1 of 3<');
    expect((await read(`/claims/mail/${MAIL_SECRET}`)).html).toContain('>Step 2 of 3<');
    expect((await read('/claim/discord/175928847299117063')).html).not.toContain('Step ');
  });

  test('on the way of a recipient who keeps it here no word is needed that only some know', async () => {
    const { slug } = await installation.seed({ payment: SENT });
    const { html } = await read(`/claim/x/alice?receipt=${slug}`);
    const shown = toText(html.replaceAll(/<details[\s\S]*<\/details>/g, '').replace(/<footer[\s\S]*<\/footer>/, ''));
    expect(shown).toContain('Keep it here');
    expect(shown).not.toMatch(/wallet|chain|network|token|gas|crypto|solana|\bbase\b/i);
    expect(shown.match(/USDC/g)).toHaveLength(1);
    expect(shown).toContain('USDC, a digital dollar');
    for (const part of [
      'Taking it out is free',
      'exchange of your own',
      'not insured',
      'Only X sees what you type there.',
    ])
      expect(shown).toContain(part);
    // Counted so that it stays short: the text before the one button.
    expect(shown.slice(shown.indexOf('Collect'), shown.indexOf('Keep it here')).split(' ').length).toBeLessThan(60);
  });

  test.each([
    ['for another name', '/claim/x/bobby'],
    ['for another platform', '/claim/code/alice'],
  ])('%s it shows nothing', async (_title, path) => {
    const { slug } = await installation.seed({ payment: SENT });
    expect((await read(`${path}?receipt=${slug}`)).html).toBe((await read(path)).html);
  });

  test('by its public address it shows nothing either', async () => {
    const { txnId } = await installation.seed({ payment: SENT });
    const { lines } = installation.store.tables;
    const [line] = await installation.store.read.select().from(lines).where(eq(lines.txnId, txnId));
    const { html } = await read(`/claim/x/alice?receipt=${line?.publicSlug ?? ''}`);
    expect(html).toBe((await read('/claim/x/alice')).html);
  });

  test.each(['', 'short', `${'A'.repeat(21)}'`, 'A'.repeat(22)])('that is none (%s) shows nothing', async (slug) => {
    const { html } = await read(`/claim/x/alice?receipt=${encodeURIComponent(slug)}`);
    expect(html).toBe((await read('/claim/x/alice')).html);
  });

  test('that is collected already says so and leads back to it', async () => {
    const { slug } = await installation.seed({ payout: { status: 'final' }, payment: { status: 'final' } });
    const { html } = await read(`/claim/x/alice?receipt=${slug}`);
    expect(toText(html)).toContain('Received by @alice on X That is the state of the money');
    expect(html).toContain(`href="/receipts/${slug}"`);
  });

  test('the network that its money is on is named first', async () => {
    const { slug } = await installation.seed({ payment: { network: 'solana' } });
    const networks = networksOf(installation, ['base', 'solana']);
    const { html } = await read(`/claim/x/alice?receipt=${slug}`, { networks });
    expect(html).toContain('that takes USDC on Solana or Base.');
    const plain = await read('/claim/x/alice', { networks });
    expect(plain.html).toContain('that takes USDC on Base or Solana.');
    // The form of an address tells these apart.
    expect(html).not.toContain('type="radio"');
  });

  test('of several networks whose addresses have one form, that of the money is chosen first', async () => {
    const { slug } = await installation.seed({ payment: { network: 'polygon' } });
    const networks = networksOf(installation, ['base', 'solana', 'polygon']);
    const choices = async (path: string) => {
      const { html } = await read(path, { networks });
      return [...html.matchAll(/name="network" value="(\w+)" (checked)?/g)].map(
        ([, name, on]) => `${name} ${on ?? ''}`,
      );
    };
    expect(await choices(`/claim/x/alice?receipt=${slug}`)).toEqual(['polygon checked', 'base ']);
    expect(await choices('/claim/x/alice')).toEqual(['base checked', 'polygon ']);
  });

  test('markup of the sender’s is text, and their words are no link', async () => {
    const attack = `<img src=x onerror=alert(1)> https://evil.example`;
    const { slug } = await installation.seed({ payment: { description: attack, meta: { agent_name: attack } } });
    const { html } = await read(`/claim/x/alice?receipt=${slug}`);
    expect(html).not.toMatch(/<img src=x|href="https:\/\/evil/);
    expect(html).toContain('&lt;img src=x');
  });
});

describe('an e-mail receipt', () => {
  const SECRET = { line: { platform: 'email', recipientKey: 'alice.secret@example.com' } };

  test('asks for the address, which it does not reveal', async () => {
    const { slug } = await installation.seed({ ...SECRET, payment: SENT });
    const { html } = await read(`/claim/email?receipt=${slug}`);
    expect(toText(html)).toContain('$1.00 Sent by someone calling themselves “Marta” to a***@example.com.');
    expect(html).not.toContain('secret@');
    expect(html).toContain(`name="receipt" value="${slug}"`);
  });

  test('goes on with what was typed, and tells no right address from a wrong one', async () => {
    const { slug } = await installation.seed(SECRET);
    const { status, headers } = await read(`/claim/email?receipt=${slug}&handle=Alice.Secret%40Example.com`);
    expect([status, headers.get('Location')]).toEqual([303, `/claim/email/alice.secret%40example.com?receipt=${slug}`]);
    const right = await read(`/claim/email/alice.secret%40example.com?receipt=${slug}`);
    const wrong = await read(`/claim/email/bob%40example.com?receipt=${slug}`);
    expect(right.html).toContain('$1.00');
    expect(wrong.html.replaceAll(/bob(?=@|%40)/g, 'alice.secret')).toBe(right.html);
  });

  test('keeps what was typed when it is no address, and says why', async () => {
    const { status, html } = await read('/claim/email?handle=alice%40');
    expect(status).toBe(400);
    expect(html).toContain('role="alert"');
    expect(html).toMatch(/id="handle" name="handle" value="alice@"[^>]* aria-invalid="true"/);
  });
});

describe('what is offered', () => {
  test('for a website nothing is kept, because its name changes owners', async () => {
    const { html } = await read('/claim/web/example.com');
    expect(html).not.toContain('Keep it here');
    expect(html).toContain('Send it to my own app or exchange');
  });

  test('nor where this installation keeps nothing', async () => {
    const claimOffers = { ...installation.claimsDependencies.claimOffers, keeps: false };
    expect((await read('/claim/x/alice', { claimOffers })).html).not.toContain('Keep it here');
  });

  test.each([
    ['a chat', '/claim/discord/175928847299117063', {}, 'This is collected in Discord itself'],
    ['a platform that is not offered', '/claim/code/octocat', { identity: { platforms: ['x'] as const } }, 'cannot be'],
  ])('%s has no form', async (_title, path, change, text) => {
    const { status, html } = await read(path, change);
    expect([status, html.includes('<form'), html.includes(text)]).toEqual([200, false, true]);
  });

  test.each([
    ['/claim/x/alice', `form-action 'self' ${SIGN_IN}`],
    ['/claim/email/alice%40example.com', "form-action 'self'"],
    ['/claim/email', "form-action 'self'"],
  ])('%s may post to no more than it needs: %s', async (path, formAction) => {
    const { headers } = await read(path);
    const policy = headers.get('Content-Security-Policy') ?? '';
    expect(policy.split('; ').filter((part) => part.startsWith('form-action'))).toEqual([formAction]);
    expect(policy).toContain("default-src 'none'");
    expect([headers.get('Referrer-Policy'), headers.get('X-Robots-Tag')]).toEqual(['same-origin', 'noindex, nofollow']);
  });
});

test.each([
  ['an alias', '/claim/twitter/Alice', '@alice on X'],
  ['an at sign', '/claim/x/@alice', '@alice on X'],
  ['an e-mail address', '/claim/email/a%26b%40example.com', 'a&amp;b@example.com'],
  ['the name that people know', '/claim/code/octocat', 'octocat on GitHub'],
])('%s', async (_title, path, name) => {
  const { status, html } = await read(path);
  expect([status, html.includes(name)]).toEqual([200, true]);
});

test.each([
  ['an unknown platform', '/claim/myspace/tom', 'There is no such platform here.'],
  ['an unknown platform alone', '/claim/constructor', 'There is no such platform here.'],
  ['a handle that is too long', `/claim/x/${'a'.repeat(16)}`, 'does not have the right form'],
  ['a handle with markup', `/claim/x/${encodeURIComponent('<img src=x>')}`, 'contains'],
  ['hidden characters', '/claim/x/al%E2%80%8Bice', 'invisible character'],
  ['a bare suffix', '/claim/web/co.uk', 'public suffix'],
  ['too much', '/claim/x/alice/more', 'There is nothing at this address.'],
])('%s is a friendly 404', async (_title, path, reason) => {
  const { status, html } = await read(path);
  expect(status).toBe(404);
  expect(html).toContain(reason);
  expect(html).not.toContain('<img src=x');
});

/** The words of a page, as read aloud. */
function toText(html: string): string {
  return html
    .replace(/<head>[\s\S]*<\/head>/, '')
    .replace(/<\/(?:dt|dd|p|h1|h2|li)>/g, ' ')
    .replace(/<[^>]*>/g, '')
    .replace(/\s+/g, ' ');
}
