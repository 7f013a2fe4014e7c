import { createPublicClient, http } from 'viem';
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { findViolations } from '../../db/audit/invariants.ts';
import type { Service } from '../../service/start.ts';
import { testBase } from '../support/chains/base-chain.ts';
import { axeViolations } from '../support/browser/axe.ts';
import { startBrowser, type TestBrowser } from '../support/browser/browser.ts';
import { startLocalService } from '../support/local-service.ts';
import { basePartsOf, rpcUrlOf } from '../support/served.ts';

/** Set to refresh the pictures in docs/: SCREENSHOTS=1 npx vitest run test/flow/tip.browser.test.ts */
const takePictures = process.env['SCREENSHOTS'] !== undefined;

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

test('a newcomer types /tip @x:alice 1 and sees the receipt, the transaction and the escrow', async () => {
  const context = await browser.newContext({ width: 900, height: 760 });
  const page = await context.newPage();
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
  expect(await axeViolations(page)).toEqual([]);
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
  if (takePictures) await page.screenshot({ path: 'docs/images/receipt.png' });

  const { accounts } = service.store.tables;
  const rows = await service.store.read.select().from(accounts).where(eq(accounts.unit, 'usdc'));
  const escrow = rows.filter(({ name }) => name.startsWith('escrow:base:'));
  expect(escrow.map(({ balance }) => balance)).toEqual([-1_000_000n]);
  expect(await findViolations(service.store)).toEqual([]);
  const { rpc, treasury } = basePartsOf(service);
  expect(await rpc.balanceOf(treasury.address)).toBe(1_000_000n);
  await context.close();
});
