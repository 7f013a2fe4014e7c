/** A newcomer who has never heard of us collects by clicking, on a phone, from the whole service. */
import { Keypair } from '@solana/web3.js';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findViolations } from '../../db/audit/invariants.ts';
import { readUsdcBalance } from '../../local/solana/usdc-balance.ts';
import { eventually } from '../../scripts/torture/eventually.ts';
import type { Service } from '../../service/start.ts';
import { startBrowser, type TestBrowser } from '../support/browser/browser.ts';
import { refuseViolations } from '../support/databases/refuse-violations.ts';
import { payFrom } from '../support/payers.ts';
import { startLocalService } from '../support/local-service.ts';
import { rpcUrlOf } from '../support/served.ts';

/** Set to refresh the pictures in docs/: SCREENSHOTS=1 npx vitest run test/flow/claim.browser.test.ts */
const takePictures = process.env['SCREENSHOTS'] !== undefined;
const PHONE = { width: 320, height: 640 };
/** The most that may be asked of a recipient who keeps the money here, from the receipt to the end. */
const TAPS_MAX = 6;

/** Of the one who owns the website. */
const OWN_ADDRESS = Keypair.generate().publicKey.toBase58();

let service: Service;
let browser: TestBrowser;
let toMail: Sent;
let toSite: Sent;

beforeAll(async () => {
  service = await startLocalService();
  browser = await startBrowser();
  // Both wait for their chain at the same time.
  [toMail, toSite] = await Promise.all([
    sendTo('email', 'newcomer1@example.com'),
    sendTo('web', 'newcomer2.example.com'),
  ]);
});

afterAll(async () => {
  await browser.close();
  const violations = await findViolations(service.store);
  await service.close();
  refuseViolations(violations);
});

/** A recipient on a phone, and how often they had to tap. */
type Visit = { page: Page; tap: (target: ReturnType<Page['locator']>) => Promise<void>; taps: () => number };

async function openVisit(): Promise<Visit> {
  const page = await (await browser.newContext(PHONE)).newPage();
  page.setDefaultTimeout(60_000);
  let taps = 0;
  const tap = async (target: ReturnType<Page['locator']>) => {
    taps += 1;
    await target.click();
  };
  return { page, tap, taps: () => taps };
}

type Sent = { receiver: string; receipt: string };

/** On Solana. */
async function sendTo(platform: 'email' | 'web', receiver: string): Promise<Sent> {
  const order = { receiver, amount: 3.2, description: 'For your good advice' };
  const { receipt } = await payFrom(service, 'solana', platform, order);
  return { receiver, receipt };
}

/** Opens the receipt, as the link does that they were sent. */
async function receive({ receipt }: Sent): Promise<Visit> {
  const visit = await openVisit();
  await visit.page.goto(receipt);
  await visit.tap(visit.page.locator('#collect'));
  return visit;
}

async function expectFits(page: Page): Promise<void> {
  expect(await page.evaluate<number>('document.documentElement.scrollWidth')).toBeLessThanOrEqual(PHONE.width);
}

/** Reads the code where local mode has all mails, in another tab. */
async function typeCode({ page, tap }: Visit, address: string): Promise<void> {
  const mailbox = service.environment.localPages?.mailbox ?? '';
  const mails = await eventually(async () => {
    const text = await (await fetch(`${mailbox}/?address=${encodeURIComponent(address)}`)).text();
    const code = /\b([0-9]{4} [0-9]{4})\b/.exec(text)?.[1];
    if (code === undefined) throw new Error('no code has come');
    return code;
  });
  await page.locator('#code').fill(mails);
  await tap(page.getByRole('button', { name: 'Continue' }));
}

/** Publishes the line of the page as the owner of the site would. */
async function publish({ page, tap }: Visit, host: string): Promise<void> {
  const text = await page.locator('pre.command').first().innerText();
  const website = service.environment.localPages?.website ?? '';
  await fetch(website, { method: 'POST', body: new URLSearchParams({ host, text: text.trim(), where: 'record' }) });
  await tap(page.getByRole('button', { name: 'Check now' }));
}

async function giveAddress({ page, tap }: Visit, address: string): Promise<void> {
  await tap(page.getByText('Send it to my own app or exchange'));
  await page.locator('#address').fill(address);
  await tap(page.getByRole('button', { name: 'Send it there' }));
}

const balanceOf = (address: string): Promise<bigint> => readUsdcBalance(rpcUrlOf(service, 'solana'), address);

/** Where the books say that the money of the claim went which is kept here. */
async function keptAt(): Promise<string> {
  const { transfers } = service.store.tables;
  const rows = await service.store.read.select().from(transfers);
  const kept = rows
    .filter((row) => row.network === 'solana' && row.toAddress !== OWN_ADDRESS)
    .toSorted((a, b) => a.createdAtMs - b.createdAtMs)
    .at(-1);
  if (kept === undefined) throw new Error('nothing was paid on Solana');
  return kept.toAddress;
}

/**
 * On Solana: what proves a name does not know where its money is. What is kept for a handle, on Base: `walk.browser.test.ts`.
 * Both at once: each waits for its payout.
 */
describe.concurrent('what came in', () => {
  test('for an e-mail address is kept with the code from the mail, and tipped on', { timeout: 360_000 }, async () => {
    const address = toMail.receiver;
    const visit = await receive(toMail);
    const { page, tap } = visit;
    await page.getByRole('textbox').first().fill(address);
    await tap(page.locator('main').getByRole('button').first());
    await tap(page.locator('#keep'));
    await page.locator('#code').waitFor();
    await expectFits(page);
    if (takePictures) await page.screenshot({ path: 'docs/images/collect-code.png' });
    await typeCode(visit, address);
    await tap(page.locator('#confirm'));
    await page.getByText('It is yours, and stays here for you').waitFor({ timeout: 60_000 });
    expect(visit.taps()).toBeLessThanOrEqual(TAPS_MAX);
    const wallet = await keptAt();
    expect(await balanceOf(wallet)).toBe(3_200_000n);
    await tipOn(visit, address);
    await eventually(async () => expect(await balanceOf(wallet)).toBe(2_200_000n), 30_000);
  });

  test('for a website goes to an address on Solana', { timeout: 360_000 }, async () => {
    const visit = await receive(toSite);
    const { page, tap } = visit;
    expect(await page.locator('#keep').count()).toBe(0);
    await giveAddress(visit, OWN_ADDRESS);
    await publish(visit, toSite.receiver);
    await page.locator('#confirm').waitFor();
    // The whole address, however it is grouped for the eye.
    expect((await page.locator('main').innerText()).replaceAll(/\s/g, '')).toContain(OWN_ADDRESS);
    await tap(page.locator('#confirm'));
    await page.getByText('It has arrived').waitFor({ timeout: 60_000 });
    expect(await balanceOf(OWN_ADDRESS)).toBe(3_200_000n);
  });
});

/** From the page of the collected money into the chat, where it pays. */
async function tipOn({ page }: Visit, name: string): Promise<void> {
  await page.locator('#send-on').click();
  await page.locator('#composer .send:enabled').waitFor();
  await page.locator('#message').fill('/tip @x:bob 1');
  await page.keyboard.press('Enter');
  const link = page.getByRole('link', { name: 'Open the receipt' });
  await link.first().waitFor({ timeout: 60_000 });
  expect(await page.locator('#log').innerText()).toContain(name);
}
