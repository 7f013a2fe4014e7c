/** A visitor tips in the chat from play money, and pays with another wallet, on a phone: the whole service in local mode. */
import { createPublicClient, http } from 'viem';
import { eq } from 'drizzle-orm';
import type { BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { findViolations } from '../../db/audit/invariants.ts';
import { eventually } from '../../scripts/torture/eventually.ts';
import type { Service } from '../../service/start.ts';
import { createAgentWallet } from '../support/agents.ts';
import { testBase } from '../support/chains/base-chain.ts';
import { axeViolations } from '../support/browser/axe.ts';
import { startBrowser, type TestBrowser } from '../support/browser/browser.ts';
import { refuseViolations } from '../support/databases/refuse-violations.ts';
import { startLocalService } from '../support/local-service.ts';
import { basePartsOf, rpcUrlOf } from '../support/served.ts';

/** Set to refresh the pictures in docs/: SCREENSHOTS=1 npx vitest run test/flow/tip.browser.test.ts */
const takePictures = process.env['SCREENSHOTS'] !== undefined;
const PHONE = { width: 320, height: 640 };
const ARRIVAL_MS = 90_000;

let service: Service;
let browser: TestBrowser;

beforeAll(async () => {
  service = await startLocalService();
  browser = await startBrowser();
});

afterAll(async () => {
  await browser.close();
  await service.close();
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
  refuseViolations(await findViolations(service.store));
});

// It is the first: it counts what is in escrow and in the treasury.
test('a newcomer types /tip @x:alice 1 and sees the receipt, the transaction and the escrow', async () => {
  await page.setViewportSize({ width: 900, height: 760 });
  await page.goto(`${service.url}/chat`);
  await page
    .getByText(/play (money|USDC)/i)
    .first()
    .waitFor();
  await page.locator('#composer .send:enabled').waitFor();
  await page.locator('#message').fill('/tip @x:alice 1');
  await page.keyboard.press('Enter');

  const link = page.getByRole('link', { name: 'Open the receipt' });
  await link.first().waitFor({ timeout: 60_000 });
  await page.getByText(/is waiting for/).waitFor();
  expect(await link.count()).toBe(1);
  if (takePictures) await page.screenshot({ path: 'docs/images/chat.png' });

  const href = await link.first().getAttribute('href');
  await page.goto(href ?? '');
  await page.getByText('@alice').first().waitFor();
  expect(await page.locator('body').innerText()).toMatch(/1\.00/);
  const receipt = await fetch(href ?? '', { headers: { accept: 'application/json' } });
  const { data } = (await receipt.json()) as { data: { transaction: `0x${string}`; amount: number; status: string } };
  expect(data).toMatchObject({ amount: 1, status: 'pending_claim' });
  const client = createPublicClient({ chain: testBase, transport: http(rpcUrlOf(service, 'base')) });
  expect((await client.getTransactionReceipt({ hash: data.transaction })).status).toBe('success');
  await page.getByText('Proof of payment').click();
  await page
    .getByText(/Final: /)
    .first()
    .waitFor({ timeout: 60_000 });
  expect(await axeViolations(page)).toEqual([]);
  await page.evaluate('scrollTo(0, 0)');
  if (takePictures) await page.screenshot({ path: 'docs/images/receipt.png' });

  const { accounts } = service.store.tables;
  const rows = await service.store.read.select().from(accounts).where(eq(accounts.unit, 'usdc'));
  const escrow = rows.filter(({ name }) => name.startsWith('escrow:base:'));
  expect(escrow.map(({ balance }) => balance)).toEqual([-1_000_000n]);
  const { rpc, treasury } = basePartsOf(service);
  expect(await rpc.balanceOf(treasury.address)).toBe(1_000_000n);
});

async function look(picture: string, fullPage = true): Promise<void> {
  expect(await axeViolations(page)).toEqual([]);
  expect(await page.evaluate<number>('document.documentElement.scrollWidth')).toBeLessThanOrEqual(PHONE.width);
  if (takePictures) await page.screenshot({ path: `docs/images/${picture}.png`, fullPage });
}

async function say(text: string): Promise<void> {
  await page.locator('#composer .send:enabled').waitFor();
  await page.locator('#message').fill(text);
  await page.keyboard.press('Enter');
}

/** Says it in the chat, and answers the address of the link that the bot offers. */
async function askForLink(command: string, label: string): Promise<string> {
  await say(command);
  const link = page.getByRole('link', { name: label, exact: true });
  await link.waitFor();
  return (await link.getAttribute('href')) ?? '';
}

async function orderOf(recipient: string) {
  const { orders } = service.store.tables;
  const rows = await service.store.read.select().from(orders);
  return rows.find((row) => row.recipient === recipient);
}

test('a play wallet pays what was asked for by /pay, and the chat shows the receipt; any app pays the next by the exact amount at the address that its page shows', async () => {
  await page.goto(`${service.url}/chat`);
  const url = await askForLink('/pay @x:player 1.5 well played', 'Pay 1.50 USDC');
  await look('pay-link-chat', false);
  await page.goto(url);
  await page.getByText('@player on X gets 1.50 USDC').waitFor();
  await page.getByText('well played').waitFor();
  await look('pay-link-play');
  await page.getByRole('button', { name: 'Pay with the play wallet' }).press('Enter');
  await page.getByRole('heading', { name: 'It is paid' }).waitFor({ timeout: ARRIVAL_MS });
  await look('pay-link-paid');
  await page.getByRole('link', { name: 'Open the receipt' }).click();
  await page.getByText('@player').first().waitFor();
  expect(await orderOf('x:player')).toMatchObject({ status: 'answered' });
  await page.goto(`${service.url}/chat`);
  await page.getByText('Sent 1.50 USDC to @player on X').waitFor();
  // The receipt is a message of its own, which the worker finds the chat for by the task alone.
  await page.getByRole('link', { name: 'Open the receipt' }).waitFor();

  await page.goto(await askForLink('/pay @x:anyapp 0.25', 'Pay 0.25 USDC'));
  await payFromAnyApp();
});

async function payFromAnyApp(): Promise<void> {
  await page.getByRole('button', { name: 'Show address and amount' }).click();
  const part = page.locator('details', { hasText: 'On Base' });
  await part.waitFor();
  await look('pay-link-any-app');
  await page.locator('details', { hasText: 'On Solana' }).locator('summary').click();
  const [amountText, address] = await part.locator('.exact, code').allInnerTexts();
  const wallet = await createAgentWallet(service, 'base');
  await wallet.transfer(address ?? '', BigInt(Math.round(Number(amountText) * 1e6)));
  await page.getByRole('heading', { name: 'It is paid' }).waitFor({ timeout: ARRIVAL_MS });
  await eventually(async () => expect(await orderOf('x:anyapp')).toMatchObject({ status: 'answered' }));
  // Page, receipt and statement name one amount: the price with the little that was added.
  await page.getByRole('heading', { name: `Paid: ${amountText} USDC` }).waitFor();
  const href = (await page.getByRole('link', { name: 'Open the receipt' }).getAttribute('href')) ?? '';
  const receipt = await fetch(href, { headers: { accept: 'application/json' } });
  const { data } = (await receipt.json()) as { data: { amount: number } };
  expect(data.amount).toBe(Number(amountText));
  await page.goto(`${service.url}/chat`);
  await say('/history');
  await page.getByText(`${amountText} USDC to @anyapp on X,`).first().waitFor();
}
