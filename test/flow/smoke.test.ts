import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { wrapFetchWithPayment, x402Client } from '@x402/fetch';
import { registerExactEvmScheme } from '@x402/evm/exact/client';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { expect, test } from 'vitest';
import { microUsdc } from '../../core/money.ts';
import { startLocalBase } from '../../local/base/network.ts';
import { startTestService } from '../support/service.ts';

test('smoke', async () => {
  const base = await startLocalBase({ dir: mkdtempSync(join(tmpdir(), 'pp-')), blockTimeMs: 300 });
  const service = await startTestService({ rpcUrl: base.rpcUrl, fundEth: base.fundEth });
  const account = privateKeyToAccount(generatePrivateKey());
  await base.fundUsdc(account.address, microUsdc(5_000_000n));
  const client = new x402Client();
  registerExactEvmScheme(client, { signer: account });
  const pay = wrapFetchWithPayment(fetch, client);
  const t = Date.now();
  const response = await pay(`${service.url}/payments/x/pay`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ receiver: '@alice', amount: 1 }),
  });
  console.log(response.status, await response.text(), Date.now() - t);
  expect(response.status).toBe(200);
  expect(await base.usdcBalance(service.parts.treasury.address)).toBe(1_000_000n);
  await service.assertSound();
  await service.close();
  await base.close();
});
