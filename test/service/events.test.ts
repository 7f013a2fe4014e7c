/** The budgets of what strangers may have sent to hosts, as an installation has them. */
import { expect, test } from 'vitest';
import { takeChallenge } from '../../api/events/budget.ts';
import { parseConfig } from '../../core/config/config.ts';
import { createRateLimits } from '../../queue/rate-limiter.ts';
import { createEventParts } from '../../service/events/events.ts';

const CONFIG = parseConfig({
  NETWORK_MODE: 'testnet',
  NETWORKS: 'base',
  BASE_RPC_URL: 'http://127.0.0.1:9',
  TREASURY_KEY: `0x${'ab'.repeat(32)}`,
  OPERATOR_NAME: 'The test',
  SUPPORT_URL: 'https://example.com/help',
  TERMS_URL: 'https://example.com/terms',
});

test('one stranger cannot use up a host for the others, nor all tasks for those who pay', async () => {
  const parts = createEventParts(
    CONFIG,
    createRateLimits(() => 1_000),
  );
  const { tasks, ...payers } = parts.api.limits;
  const ofTasks = { ...payers, ...tasks };
  const url = (name: string | number) => `https://hooks${name}.example.com/events`;
  /** How many challenges this caller gets sent there. */
  const use = (limits: typeof payers, caller: string): number => {
    for (let count = 0; ; count += 1) {
      try {
        takeChallenge(limits, caller, url(count));
      } catch {
        return count;
      }
    }
  };
  expect([use(ofTasks, '203.0.113.1'), use(ofTasks, '203.0.113.2')]).toEqual([3, 3]);
  for (let number = 3; number < 9; number += 1) use(ofTasks, `203.0.113.${number}`);
  expect([use(ofTasks, '203.0.113.9'), use(payers, '203.0.113.10')]).toEqual([0, 3]);
  await parts.close();
});
