/** Local mode brings a community of its own, so that the example of the documents works as it stands there. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { CATALOG } from '../../core/catalog/operations.ts';
import { parseConfig } from '../../core/config.ts';
import { startService, type Service } from '../../service/start.ts';
import { post } from '../support/pay.ts';

let dataDir: string;
let service: Service;
beforeAll(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'pennypost-rewards-'));
  service = await startService({
    config: parseConfig({ DATA_DIR: dataDir, PORT: '0' }),
    roles: ['api', 'worker'],
    log: pino({ level: process.env['TEST_LOG'] ?? 'silent' }),
    failpoint: () => undefined,
    progress: () => undefined,
    addSecrets: () => undefined,
    blockTimeMs: 500,
  });
});
afterAll(async () => {
  await service?.close();
  rmSync(dataDir, { recursive: true, force: true });
});

type Data = { id: string; recipients: { username: string; amount: number; wallet_address: string | null }[] };

test('the documented example of a reward is shared out', async () => {
  const { example } = CATALOG.createDistribution.request;
  const reply = await post(`${service.url}/rewards/decsocial/create-distribution`, example);
  expect([reply.status, reply.body['error']]).toEqual([200, undefined]);
  const { id, recipients } = reply.body['data'] as unknown as Data;
  expect(recipients).toHaveLength(example.max_recipients);
  const sum = recipients.reduce((micro, { amount }) => micro + Math.round(amount * 1_000_000), 0);
  expect(sum).toBe(example.budget * 1_000_000);
  expect(recipients.some(({ wallet_address: address }) => address !== null)).toBe(true);
  const price = await post(`${service.url}/rewards/farcaster/confirm-distribution`, { order_id: id });
  expect([price.status, price.body['accepts'].length]).toEqual([402, 2]);
  const page = await fetch(`${service.url}/rewards/${id}`, { headers: { Accept: 'text/html' } });
  expect([page.status, await page.text()]).toEqual([200, expect.stringContaining(`@${recipients[0]?.username}`)]);
});
