/** The pretend pages in a real browser: a person who never read a line of this must find the way. */
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { createFarcasterPeople } from '../../../local/identity/farcaster-people.ts';
import { startRelayStandIn } from '../../../local/identity/farcaster-relay.ts';
import { startMailbox } from '../../../local/identity/mailbox.ts';
import { startOauthStandIn } from '../../../local/identity/oauth-provider.ts';
import { x } from '../../../local/identity/platforms/x.ts';
import { startWebHost } from '../../../local/identity/web-host.ts';
import { keep, random } from '../../identity/proofs/tools.ts';
import { answering, startServer } from '../../identity/servers.ts';
import { findFlaws } from '../../support/browser/axe.ts';
import { startBrowser, type TestBrowser } from '../../support/browser/browser.ts';
import { createEmailProof } from '../../../identity/proofs/email.ts';
import { createMailTexts } from '../../../texts/mail/mails.ts';

let browser: TestBrowser;

beforeAll(async () => {
  browser = await startBrowser();
});
afterAll(() => browser.close());

async function openPage(url: string) {
  const context = await browser.newContext();
  onTestFinished(() => context.close());
  const page = await context.newPage();
  const blocked: string[] = [];
  page.on('console', (message) => void (message.type() === 'error' && blocked.push(message.text())));
  await page.goto(url);
  return { page, blocked };
}

async function startSignIn() {
  const service = await startServer(answering(200, 'you are back', { 'content-type': 'text/plain' }));
  const redirectUri = () => `${service.url}/claims/callback/x`;
  const client = { id: 'client', secret: 'secret', redirectUri };
  const find = (username: string) => (username === 'alice' ? { id: '5', username } : null);
  const provider = await keep(startOauthStandIn({ dialect: x, client, find, random, now: () => Date.now() }));
  const query = new URLSearchParams({
    response_type: 'code',
    client_id: 'client',
    redirect_uri: redirectUri(),
    scope: 'users.read tweet.read',
    state: 'a-state',
    code_challenge: 'c'.repeat(43),
    code_challenge_method: 'S256',
  });
  return `${provider.authUrl}?${query.toString()}`;
}

async function startPhone() {
  const people = createFarcasterPeople({ fidOf: () => 5 });
  const relay = await keep(startRelayStandIn({ people, random, now: () => Date.now() }));
  const opened = await fetch(`${relay.url}/v1/channel`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      siweUri: `https://a.example/?base=0x${'ab'.repeat(20)}`,
      domain: 'a.example',
      nonce: '01234567',
    }),
  });
  const { url } = (await opened.json()) as { url: string };
  return url;
}

async function startMail() {
  const mailbox = await keep(startMailbox({ now: () => Date.now() }));
  const sender = { operatorName: 'Example', supportUrl: undefined, baseUrl: 'https://pay.example.com' };
  const settings = { smtpUrl: mailbox.smtpUrl, from: 'pay@example.com' };
  const proof = createEmailProof(settings, { texts: createMailTexts(sender), report: () => undefined });
  const payout = { base: `0x${'ab'.repeat(20)}` };
  const linkUrl = 'https://pay.example.com/claims/mail/secret';
  const { signal } = new AbortController();
  await proof.sendCode({ to: 'alice@example.com', code: '12345678', payout, linkUrl, language: 'en' as const, signal });
  return `${mailbox.url}/?address=alice@example.com`;
}

const startWebsite = async () => (await keep(startWebHost())).url;

/** Nothing is in a disabled person's way. */
async function expectAccessible({ page, blocked }: Awaited<ReturnType<typeof openPage>>): Promise<void> {
  expect(await page.title()).toMatch(/ \(pretend\)$/);
  expect(await findFlaws(page)).toEqual([]);
  // Nothing that the page says about itself is refused by its own policy; browsers ask for an icon by themselves.
  expect(blocked.filter((text) => !text.includes('404'))).toEqual([]);
}

test('a person who mistypes a name at the sign-in tries again, and comes back to the page that asked; one who cancels comes back too', async () => {
  const url = await startSignIn();
  const opened = await openPage(url);
  await expectAccessible(opened);
  const { page } = opened;
  await page.getByLabel('Who do you want to be?').fill('nobody');
  await page.getByRole('button', { name: 'Sign in as this person' }).click();
  await page.getByRole('alert').waitFor();
  await page.getByLabel('Who do you want to be?').fill('alice');
  await page.keyboard.press('Enter');
  await page.getByText('you are back').waitFor();
  expect(new URL(page.url()).searchParams.get('code')).not.toBeNull();

  await page.goto(url);
  await page.getByRole('button', { name: 'Cancel' }).click();
  await page.getByText('you are back').waitFor();
  expect(new URL(page.url()).searchParams.get('error')).toBe('access_denied');
});

test('a person signs on the phone', async () => {
  const opened = await openPage(await startPhone());
  await expectAccessible(opened);
  const { page } = opened;
  await page.getByLabel('Who do you want to be?').fill('alice');
  await page.getByRole('button', { name: 'Sign as this person' }).click();
  await page.getByText('You are alice.').waitFor();
  expect(await page.getByRole('textbox').count()).toBe(0);
});

test('a person publishes a text on the website', async () => {
  const opened = await openPage(await startWebsite());
  await expectAccessible(opened);
  const { page } = opened;
  await page.getByLabel('Host').fill('a.example.com');
  await page.getByLabel('Text that you were asked to publish').fill('pennypost=x');
  await page.getByRole('button', { name: 'Publish as a TXT record' }).click();
  const status = page.getByRole('status');
  await status.waitFor();
  expect(await status.textContent()).toContain('Published as the TXT record of _pennypost.a.example.com.');
});

test('a person finds the mail in the mailbox', async () => {
  const url = await startMail();
  const opened = await openPage(url);
  await expectAccessible(opened);
  const { page } = opened;
  await page.goto(new URL(url).origin);
  await page.getByRole('link', { name: 'alice@example.com' }).click();
  await page.getByRole('heading', { name: 'Your code for pennypost' }).waitFor();
  expect(await page.getByRole('article').textContent()).toContain('1234 5678');
});
