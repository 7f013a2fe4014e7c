import { expect, onTestFinished, test } from 'vitest';
import { microUsdc } from '../../../core/money.ts';
import type { Engagement } from '../../../core/rewards/engagement.ts';
import { shareOut } from '../../../core/rewards/share-out.ts';
import { DEFAULT_WEIGHTS } from '../../../core/rewards/weights.ts';
import { openHub } from '../../../identity/hub/hub.ts';
import { localUserId } from '../../../local/identity.ts';
import {
  COMMUNITY_AUTHOR,
  COMMUNITY_CAST_HASH,
  COMMUNITY_WALLETS,
  BUSY_CAST_HASH,
  BUSY_SIZE,
} from '../../../local/identity/farcaster-community.ts';
import { startIdentityStandIns } from '../../../local/identity/platforms/stand-ins.ts';
import { keep, random } from '../../identity/proofs/tools.ts';

const FOREVER = new AbortController().signal;

async function openLocalHub() {
  const standIns = await keep(
    startIdentityStandIns({ baseUrl: () => 'http://127.0.0.1', idOf: localUserId, random, now: () => 0 }),
  );
  const hub = openHub({ hubUrl: standIns.identity.farcasterHubUrl ?? '' }, { log: { warn: () => {} }, now: () => 0 });
  onTestFinished(() => hub.close());
  return hub;
}

const share = ({ people, authorId }: Engagement) =>
  shareOut({
    budget: microUsdc(25_000_000n),
    recipientsMax: 100,
    weights: DEFAULT_WEIGHTS,
    people,
    leftOut: { author: new Set([authorId]) },
  });

test('local mode has the cast of the contract’s examples, with some forty people', async () => {
  const hub = await openLocalHub();
  const engagement = await hub.readEngagement(COMMUNITY_CAST_HASH, FOREVER);
  expect(engagement.contentId).toBe('0xb87cf233790dd2d8a3ed9549f9e15069c02b1da0');
  expect(engagement.authorName).toBe(COMMUNITY_AUTHOR);
  const { recipients, leftOut } = share(engagement);
  expect(recipients).toHaveLength(43);
  expect(leftOut).toEqual([{ reason: 'author', count: 1 }]);
  const people = [
    ...(
      await hub.describePeople(
        recipients.map(({ userId }) => userId),
        FOREVER,
      )
    ).values(),
  ];
  expect(people.filter(({ username }) => username === null)).toHaveLength(1);
  const withWallet = people.flatMap(({ username, addresses }) => (addresses.length > 0 ? [username] : []));
  expect(new Set(withWallet)).toEqual(new Set(COMMUNITY_WALLETS));
});

test('its address leads to it as well', async () => {
  const hub = await openLocalHub();
  const { url, contentId } = await hub.readEngagement(COMMUNITY_CAST_HASH, FOREVER);
  expect((await hub.readEngagement(url, FOREVER)).contentId).toBe(contentId);
});

test('and one with thousands, who are all read', async () => {
  const hub = await openLocalHub();
  const engagement = await hub.readEngagement(BUSY_CAST_HASH, FOREVER);
  expect(engagement.people).toHaveLength(BUSY_SIZE);
  const { recipients, leftOut } = share(engagement);
  expect(recipients).toHaveLength(100);
  expect(leftOut).toEqual([{ reason: 'max_recipients', count: BUSY_SIZE - 100 }]);
});
