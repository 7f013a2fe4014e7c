/** The payer's wallet takes back what nobody has collected, on the page of the letter, from the whole service. */
import { randomBytes } from 'node:crypto';
import { Keypair } from '@solana/web3.js';
import type { BrowserContext, Page } from 'playwright-core';
import { privateKeyToAccount } from 'viem/accounts';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Network } from '../../../core/networks.ts';
import { findViolations } from '../../../db/audit/invariants.ts';
import { readUsdcBalance } from '../../../local/solana/usdc-balance.ts';
import { eventually } from '../../../scripts/torture/eventually.ts';
import type { Service } from '../../../service/start.ts';
import { axeViolations } from '../../support/browser/axe.ts';
import { startBrowser, type TestBrowser } from '../../support/browser/browser.ts';
import { injectBaseWallet, injectSolanaWallet } from '../../support/browser/browser-wallets.ts';
import { makeSolanaProof } from '../../support/chains/solana-pay.ts';
import { startLocalService } from '../../support/local-service.ts';
import { makeProof, post } from '../../support/pay.ts';
import { basePartsOf, fundOn, rpcUrlOf, solanaPartsOf } from '../../support/served.ts';

const PHONE = { width: 320, height: 640 };
const SUM = 3_200_000n;
/** One for each test, which takes it from here: all of them are paid side by side. */
const TIPS_ON_BASE = 3;

let service: Service;
let browser: TestBrowser;
let paidOnBase: Awaited<ReturnType<typeof payBase>>[];
let paidOnSolana: Awaited<ReturnType<typeof paySolana>>;
beforeAll(async () => {
  service = await startLocalService();
  browser = await startBrowser();
  const onBase = Array.from({ length: TIPS_ON_BASE }, () => payBase());
  [paidOnSolana, ...paidOnBase] = await Promise.all([paySolana(), ...onBase]);
});
afterAll(async () => {
  await browser?.close();
  await service?.close();
});

let context: BrowserContext;
let page: Page;
beforeEach(async () => {
  context = await browser.newContext(PHONE);
  page = await context.newPage();
  page.setDefaultTimeout(60_000);
});
afterEach(async () => {
  await context.close();
  const violations = await findViolations(service.store);
  if (violations.length > 0) throw new Error(`the books are wrong: ${JSON.stringify(violations)}`);
});

let people = 0;
const newName = () => `nobody${(people += 1)}`;
const newAccount = () => privateKeyToAccount(`0x${randomBytes(32).toString('hex')}`);

async function send(header: string, receiver: string): Promise<{ receipt: string; txn_id: number }> {
  const order = { receiver, amount: 3.2 };
  let reply = await post(`${service.url}/payments/x/pay`, order, { 'PAYMENT-SIGNATURE': header });
  for (let tries = 1; reply.body['error'] === 'settlement_pending' && tries < 10; tries += 1)
    reply = await post(`${service.url}/payments/x/pay`, order, { 'PAYMENT-SIGNATURE': header });
  expect(reply.status).toBe(200);
  return reply.body.data;
}

async function payBase() {
  const [payer, name] = [newAccount(), newName()];
  await fundOn(service, 'base', payer.address);
  const { treasury } = basePartsOf(service);
  const before = await balanceOf('base', payer.address);
  const header = await makeProof({ from: payer.address, signer: payer, payTo: treasury.address, value: SUM });
  return { payer, name, before, ...(await send(header, name)) };
}

async function paySolana() {
  const payer = Keypair.generate();
  const address = payer.publicKey.toBase58();
  await fundOn(service, 'solana', address);
  const before = await balanceOf('solana', address);
  const { treasury, feePayer } = solanaPartsOf(service);
  const terms = { payTo: treasury.address, feePayer: feePayer.address, value: SUM };
  const header = await makeSolanaProof(payer, rpcUrlOf(service, 'solana'), terms);
  return { payer, address, before, ...(await send(header, newName())) };
}

function takePaid(): Awaited<ReturnType<typeof payBase>> {
  const paid = paidOnBase.pop();
  if (paid === undefined) throw new Error('more tests take a tip than were paid');
  return paid;
}

async function balanceOf(network: Network, address: string): Promise<bigint> {
  if (network === 'base') return basePartsOf(service).rpc.balanceOf(address as `0x${string}`);
  return readUsdcBalance(rpcUrlOf(service, 'solana'), address);
}

async function refundsOf(txnId: number): Promise<number> {
  const { refunds } = service.store.tables;
  return (await service.store.read.select().from(refunds)).filter((row) => row.txnId === txnId).length;
}

/** From the letter, as its payer finds it. */
async function openTakeBack(receipt: string, on = page): Promise<void> {
  await on.goto(receipt);
  await on.getByText('Did you send this?').click();
  await on.getByRole('link', { name: 'I sent this: take it back' }).click();
}

const isGoingBack = (on = page) =>
  on
    .getByText(/On its way back to the payer|Returned to the payer/)
    .first()
    .waitFor();

/** A recipient's own browser, at the first page of what collects the letter. */
async function openCollecting(receipt: string): Promise<Page> {
  const recipient = await (await browser.newContext(PHONE)).newPage();
  recipient.setDefaultTimeout(60_000);
  await recipient.goto(receipt);
  await recipient.locator('#collect').click();
  await recipient.locator('#keep').waitFor();
  return recipient;
}

async function signIn(recipient: Page, name: string): Promise<void> {
  await recipient.locator('#keep').click();
  await recipient.locator('#username').fill(name);
  await recipient.getByRole('button', { name: 'Sign in as this person' }).click();
}

async function expectWordsWithoutScript(receipt: string): Promise<void> {
  const plain = await browser.newContext({ ...PHONE, javaScriptEnabled: false });
  const bare = await plain.newPage();
  await openTakeBack(receipt, bare);
  // What stands there is no text for scripts, and so for the finder of texts neither.
  await bare.locator('noscript p', { hasText: 'where JavaScript is switched on' }).waitFor();
  expect(await bare.getByText('Press “Take it back” under your tip in that chat.').isVisible()).toBe(true);
  await plain.close();
}

describe('a wallet on Base', () => {
  test('that paid gets it back once, however often it is pressed, and nothing is left for its recipient; another one moves nothing; without script the page says so, and names the other ways', async () => {
    const { payer, name, receipt, txn_id: txnId, before } = takePaid();
    await expectWordsWithoutScript(receipt);
    const recipient = await openCollecting(receipt);
    await injectBaseWallet(context, newAccount(), 'Stranger');
    await injectBaseWallet(context, payer, 'Payer');
    await openTakeBack(receipt);
    expect(await axeViolations(page)).toEqual([]);
    expect(await page.evaluate<number>('document.documentElement.scrollWidth')).toBeLessThanOrEqual(PHONE.width);
    await page.getByRole('button', { name: 'Take it back with Stranger' }).click();
    await page.getByText('This is not the wallet that paid').waitFor();
    expect(await refundsOf(txnId)).toBe(0);
    const other = await context.newPage();
    await openTakeBack(receipt, other);
    const press = (on: Page) => on.getByRole('button', { name: 'Take it back with Payer' }).click();
    await Promise.all([press(page), press(other)]);
    await Promise.all([isGoingBack(), isGoingBack(other)]);
    await signIn(recipient, name);
    await recipient.waitForURL((url) => url.pathname.startsWith('/claim'));
    await recipient.locator('main h1').first().waitFor();
    expect(await recipient.locator('main').innerText()).not.toContain('$3.20');
    await eventually(async () => expect(await balanceOf('base', payer.address)).toBe(before), 60_000);
    expect(await refundsOf(txnId)).toBe(1);
    await page.goto(`${receipt}/take-back`);
    await page.getByText('It can no longer be taken back').waitFor();
    expect(await page.locator('#wallets').count()).toBe(0);
  });

  test('that does not sign changes nothing; where the answer got lost it is told the truth, and the next press ends the same', async () => {
    const { payer, receipt, txn_id: txnId, before } = takePaid();
    const wallet = await injectBaseWallet(context, payer, 'Payer');
    const press = () => page.getByRole('button', { name: 'Take it back with Payer' }).click();
    wallet.state.refuses = true;
    await openTakeBack(receipt);
    await press();
    await page.getByText('Your wallet did not sign').waitFor();
    expect(await refundsOf(txnId)).toBe(0);
    wallet.state.refuses = false;
    await page.route('**/cancel', async (route) => {
      await route.fetch();
      await route.abort();
    });
    await press();
    await page.getByText('nobody can say yet whether it was taken back').waitFor();
    await page.unroute('**/cancel');
    await press();
    await isGoingBack();
    await eventually(async () => expect(await balanceOf('base', payer.address)).toBe(before), 60_000);
    expect(await refundsOf(txnId)).toBe(1);
  });
});

test('a wallet on Solana that paid gets it back', async () => {
  const { payer, address, before, receipt, txn_id: txnId } = paidOnSolana;
  await injectBaseWallet(context, newAccount(), 'Other family');
  await injectSolanaWallet(context, payer, { chain: 'solana:mainnet' });
  await openTakeBack(receipt);
  await page.getByRole('button', { name: 'Take it back with Test Solana' }).click();
  await isGoingBack();
  await eventually(async () => expect(await balanceOf('solana', address)).toBe(before), 60_000);
  expect(await refundsOf(txnId)).toBe(1);
});

test('while its recipient is about to collect it, it stays theirs, and afterwards too', async () => {
  const { payer, name, receipt, txn_id: txnId } = takePaid();
  const recipient = await openCollecting(receipt);
  await signIn(recipient, name);
  await recipient.locator('#confirm').waitFor();
  await injectBaseWallet(context, payer, 'Payer');
  await openTakeBack(receipt);
  await page.getByRole('button', { name: 'Take it back with Payer' }).click();
  await page.getByText('is about to collect it').waitFor();
  await recipient.locator('#confirm').click();
  await recipient.getByText('It is yours, and stays here for you').waitFor();
  await page.getByRole('button', { name: 'Take it back with Payer' }).click();
  await page.getByText(`Received by @${name}`).first().waitFor();
  expect(await refundsOf(txnId)).toBe(0);
});
