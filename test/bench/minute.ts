/**
 * What the first minute asks of a person who was sent money: for each platform from the letter to money of their own, and from
 * there into a second browser, to somebody else, and out. Screens, decisions, taps (those at the provider too), typed
 * characters, and each wait above a second, on a phone and on chains with the blocks of the real ones. `npm run bench --
 * minute blockMs=2000`.
 */
import { randomBytes } from 'node:crypto';
import type { BrowserContext } from 'playwright-core';
import type { Platform } from '../../core/platforms/platforms.ts';
import { readSettings } from '../../scripts/bench/settings.ts';
import { eventually } from '../../scripts/torture/eventually.ts';
import { CLAIM_PAGES } from '../../texts/claim-pages/languages.ts';
import { LANGUAGES } from '../../texts/languages.ts';
import { platformWord } from '../../texts/names/platform.ts';
import { addPasskeyDevice, startBrowser } from '../support/browser/browser.ts';
import { startLocalService } from '../support/local-service.ts';
import { payFrom } from '../support/payers.ts';
import { findQuietPort } from '../support/quiet-port.ts';
import { gate } from './processes/gate.ts';
import { createPerson, type Effort, type Person } from './minute/person.ts';

const settings = readSettings(process.argv.slice(2));
const BLOCK_MS = settings.number('blockMs', 2_000);
const PHONE = { width: 390, height: 844, locale: 'en' };
const SUM = 3.2;
const text = LANGUAGES.en.purse;

/** The most that collecting may ask. */
const TAPS_MAX = { x: 4, code: 4, photo: 4, decsocial: 5, email: 6 } as const;
type Collected = keyof typeof TAPS_MAX;

const port = await findQuietPort();
const site = `http://localhost:${port}`;
const env = { PORT: String(port), BASE_URL: site, LOCAL_BLOCK_MS: String(BLOCK_MS) };
const service = await startLocalService({ env, slotMs: 400 });
const browser = await startBrowser();
let people = 0;

async function newPerson(context?: BrowserContext): Promise<Person> {
  const page = await (context ?? (await browser.newContext(PHONE))).newPage();
  page.setDefaultTimeout(30_000);
  return createPerson(page);
}

const nameFor = (platform: Platform): string => {
  people += 1;
  return platform === 'email' ? `minute${people}@example.com` : `minute${people}`;
};

/** What the newest mail has, where local mode has all of them. */
async function inMail(address: string, wanted: RegExp): Promise<string> {
  const mailbox = service.environment.localPages?.mailbox ?? '';
  return eventually(async () => {
    const mails = await (await fetch(`${mailbox}/?address=${encodeURIComponent(address)}`)).text();
    const found = wanted.exec(mails)?.[1];
    if (found === undefined) throw new Error('no mail has come');
    return found;
  });
}

/** A code, or, when too many were asked for of late, a link, which is one tap in the mail. */
async function proveMail({ page, see, tap, type, open }: Person, address: string): Promise<void> {
  const code = page.locator('#code');
  await see(code.or(page.getByText(CLAIM_PAGES.en.anotherCode)).first());
  if ((await code.count()) === 0) return open(await inMail(address, /(http:\S+\?for=purse)/));
  await type(code, await inMail(address, /\b([0-9]{4} [0-9]{4})\b/));
  await tap(page.getByRole('button', { name: 'Continue' }));
}

/** What the platform itself asks, up to the page that shows what will be collected. */
async function prove(person: Person, platform: Collected, name: string): Promise<void> {
  const { page, see, tap } = person;
  if (platform === 'email') {
    await proveMail(person, name);
  } else if (platform === 'decsocial') {
    await see(page.locator('#open-farcaster'));
    const [app] = await Promise.all([page.context().waitForEvent('page'), tap(page.locator('#open-farcaster'))]);
    // There a person who is signed in reads who asks, and agrees: the name is typed for the stand-in alone.
    await app.locator('#name').fill(name);
    await person.tap(app.getByRole('button', { name: 'Sign as this person' }));
    await app.close();
  } else {
    // A person who is signed in there agrees with one tap: the name is typed for the stand-in alone.
    await see(page.locator('#username'));
    await page.locator('#username').fill(name);
    await tap(page.getByRole('button', { name: 'Sign in as this person' }));
  }
  await see(page.locator('#confirm'));
}

/** From the link that came to money of one's own. */
async function collect(person: Person, platform: Collected, name: string): Promise<void> {
  const { page, see, tap, type } = person;
  const order = { receiver: name, amount: SUM, description: 'For your good advice' };
  // Instagram is paid by bots and A2A alone.
  const authorization = `Bearer ${service.environment.botApiToken ?? ''}`;
  await page.goto((await payFrom(service, 'base', platform, order, { authorization })).receipt);
  await see(page.locator('#collect'));
  await tap(page.locator('#collect'));
  if (platform === 'email') {
    // Only whoever has the address may know that something waits for it.
    await see(page.getByRole('textbox').first());
    await type(page.getByRole('textbox').first(), name);
    await tap(page.locator('main').getByRole('button').first());
  }
  await see(page.locator('#keep'));
  await tap(page.locator('#keep'));
  await prove(person, platform, name);
  await tap(page.locator('#confirm'));
  await see(page.locator('#purse'));
}

/** The purse in a second browser, by the proof of before. */
async function signIn(person: Person, platform: 'x' | 'email', name: string): Promise<void> {
  const { page, see, tap, type } = person;
  await page.goto(`${site}/purse`);
  const way = page.getByRole('link', { name: text.signInWith(platformWord(platform, 'en')), exact: true });
  await see(way);
  await tap(way);
  await see(page.locator('#handle'));
  await type(page.locator('#handle'), name);
  await tap(page.locator('#open'));
  await prove(person, platform, name);
  await tap(page.locator('#confirm'));
  await see(page.getByText(text.looksTitle));
}

async function send(person: Person): Promise<void> {
  const { page, see, tap, type } = person;
  await page.goto(`${site}/purse`);
  await see(page.locator('#pay-0'));
  await tap(page.locator('#pay-0'));
  const form = page.locator('form[action="/purse/pay"]').first();
  await see(form);
  await tap(form.locator('[name=platform]'));
  await form.locator('[name=platform]').selectOption('email');
  await type(form.locator('[name=name]'), 'friend@example.com');
  await tap(form.locator('[name=sum][value="1"]'));
  await tap(form.locator('button').last());
  const agree = page.getByRole('button', { name: text.confirm('$1.00'), exact: true });
  await see(agree);
  await tap(agree);
  await see(page.getByText(text.sentStates.sent, { exact: true }));
}

async function takeOut(person: Person): Promise<void> {
  const { page, see, tap, type } = person;
  await page.goto(`${site}/purse`);
  const way = page.locator('#take-out-0');
  await see(way);
  await tap(way);
  const form = page.locator('form[action="/purse/review"]').first();
  await see(form);
  // It is pasted.
  await form.locator('[name=address]').fill(`0x${randomBytes(20).toString('hex')}`);
  await tap(form.locator('[name=address]'));
  const network = form.locator('[name=network][value=base]');
  if ((await network.count()) > 0) await tap(network);
  await type(form.locator('[name=amount]'), '1');
  await tap(form.getByRole('button').last());
  const agree = page.getByRole('button', { name: /^Take out/ });
  await see(agree);
  await tap(agree);
  await see(page.locator('h1'));
}

function print(part: string, { screens, decisions, taps, typed, waitsMs }: Effort): void {
  const waits = waitsMs.length === 0 ? 'none' : waitsMs.map((ms) => `${(ms / 1_000).toFixed(1)} s`).join(', ');
  const counts = [screens, decisions, taps, typed].map((count, index) =>
    String(count).padStart(HEADS[index]?.length ?? 0),
  );
  console.log([part.padEnd(18), ...counts, waits].join('  '));
}

const HEADS = ['screens', 'decisions', 'taps', 'typed'];

async function measure(part: string, way: (person: Person) => Promise<void>, person?: Person): Promise<Effort> {
  const who = person ?? (await newPerson());
  await way(who);
  const effort = who.effort();
  print(part, effort);
  return effort;
}

try {
  console.log(`a phone of ${PHONE.width} px, blocks of ${BLOCK_MS} ms; taps at the provider are counted`);
  console.log(['part'.padEnd(18), ...HEADS, 'waits over 1 s'].join('  '));
  const taps = new Map<Collected, number>();
  for (const platform of Object.keys(TAPS_MAX) as Collected[]) {
    const effort = await measure(`collect, ${platform}`, (person) => collect(person, platform, nameFor(platform)));
    taps.set(platform, effort.taps);
  }
  const name = nameFor('x');
  const context = await browser.newContext(PHONE);
  const owner = await newPerson(context);
  await collect(owner, 'x', name);
  await addPasskeyDevice(owner.page);
  await measure('sign in, x', (person) => signIn(person, 'x', name));
  const address = nameFor('email');
  await collect(await newPerson(), 'email', address);
  await measure('sign in, email', (person) => signIn(person, 'email', address));
  await measure('send', send, createPerson(owner.page));
  await measure('withdraw', takeOut, createPerson(owner.page));
  for (const [platform, most] of Object.entries(TAPS_MAX)) {
    const asked = taps.get(platform as Collected) ?? Infinity;
    gate(`collecting for ${platform} takes ${asked} taps`, asked <= most, `at most ${most}`);
  }
} finally {
  await browser.close();
  await service.close();
}
process.exit();
