import { expect, test } from 'vitest';
import { ERASED_NAME, withoutName } from '../../core/people/erased.ts';
import { PLATFORM_NAMES, platformRow } from '../../core/platforms/platforms.ts';
import { parseRecipient } from '../../core/platforms/recipient.ts';

test('no platform has a name like the one that stands for an erased one', () => {
  for (const platform of PLATFORM_NAMES) {
    expect(() => parseRecipient(platform, ERASED_NAME)).toThrow();
    expect(platformRow(platform).mask?.(ERASED_NAME) ?? ERASED_NAME).not.toMatch(/[a-z0-9]/i);
  }
});

test('an answer loses the name of its person, and keeps everything else', () => {
  const answer = {
    code: 200,
    msg: '2 USDC sent to x:al and x:alice; x:al can collect it',
    data: [
      { txn_id: 1, username: 'al', claim_url: 'https://pay.test/claim/x/al', amount: 1 },
      { txn_id: 2, username: 'alice', claim_url: 'https://pay.test/claim/x/alice', amount: 1 },
    ],
  };
  expect(withoutName(answer, { txnId: 1, platform: 'x', key: 'al' })).toEqual({
    code: 200,
    msg: `2 USDC sent to x:${ERASED_NAME} and x:alice; x:${ERASED_NAME} can collect it`,
    data: [
      { txn_id: 1, username: null, claim_url: 'https://pay.test/claim/x', amount: 1 },
      { txn_id: 2, username: 'alice', claim_url: 'https://pay.test/claim/x/alice', amount: 1 },
    ],
  });
});
