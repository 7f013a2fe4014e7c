import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { rejectDistribution } from '../../../../db/rewards/distributions.ts';
import { newDistribution } from '../../../support/rewards/distributions.ts';
import { readEvents } from '../../receipts/events.ts';
import { INBOUND, NOW_MS, PAYER, startInstallation, WALLET, type Installation } from '../../pages/installation.ts';
import { REWARD_SEEDS, seedReward } from '../../pages/rewards.ts';

let installation: Installation;
beforeAll(async () => {
  installation = await startInstallation();
});
afterAll(() => installation.close());

const get = async (path: string, accept?: string) => {
  const reply = await installation.app.request(path, accept === undefined ? {} : { headers: { Accept: accept } });
  return { status: reply.status, headers: reply.headers, text: await reply.text() };
};
type Shown = { data: { status: string; counts: Record<string, number> | null; recipients: { status?: string }[] } };
const shownAt = async (path: string) => JSON.parse((await get(path, 'application/json')).text) as Shown;

describe('the page of a reward', () => {
  test('says who gets how much and why, who is left out, and how far it is', async () => {
    const path = await seedReward(installation, REWARD_SEEDS['partly there, final']);
    const { status, text, headers } = await get(path, 'text/html');
    expect(status).toBe(200);
    expect(headers.get('Content-Security-Policy')).toContain("default-src 'none'");
    expect(headers.get('X-Robots-Tag')).toContain('noindex');
    for (const words of ['20.00', '12 people', '@inkwell-ada', '@fan-12', '2 more', 'Left out: 3']) {
      expect(text).toContain(words);
    }
    for (const words of ['Want no payments: 2', 'like 1, comment 2, repost 3', '12 to be collected', INBOUND]) {
      expect(text).toContain(words);
    }
    expect(text.match(/<rect class="bar-share"/g)).toHaveLength(12);
  });

  test('shows neither who paid nor anybody’s wallet, and what a stranger wrote as text only', async () => {
    const wallet = newDistribution(NOW_MS).shares[0]?.walletAddress ?? '';
    const paths = [
      await seedReward(installation, REWARD_SEEDS['long and hostile']),
      await seedReward(installation, { people: 2, payment: { status: 'settled', lines: ['escrowed'] } }),
      await seedReward(installation, { change: { shares: newDistribution(NOW_MS).shares } }),
    ];
    for (const path of paths) {
      const { text } = await get(path);
      for (const secret of [PAYER, WALLET, wallet]) expect(text).not.toContain(secret);
      expect(text).not.toMatch(/<script>|href="https:\/\/evil/);
      expect(text).not.toContain('\u202E');
    }
  });

  test.each([
    ['waiting to be confirmed', 'Waiting to be confirmed', 'false'],
    ['being paid', 'Being paid right now', 'false'],
    ['on its way', 'Paid, and on its way to everybody', 'false'],
    ['partly there, final', 'Paid, and not everybody has their share yet', 'true'],
    ['rejected', 'Rejected', 'true'],
  ] as const)('tells the state "%s", and whether more can come', async (name, words, isFinished) => {
    const { text } = await get(await seedReward(installation, REWARD_SEEDS[name]));
    expect(text).toContain(words);
    expect(text).toContain(`data-finished="${isFinished}"`);
  });

  test('one that nobody confirmed in a day has expired', async () => {
    const path = await seedReward(installation);
    installation.clock.nowMs += 24 * 3_600_000;
    const { data } = await shownAt(path);
    installation.clock.nowMs = NOW_MS;
    expect(data.status).toBe('expired');
    expect((await shownAt(path)).data.status).toBe('pending');
  });

  test('an address where nothing is, and other methods', async () => {
    const missing = await get('/rewards/dist_AAAAAAAAAAAAAAAAAAAAAA', 'text/html');
    expect([missing.status, missing.text]).toEqual([404, expect.stringContaining('Nothing at this address')]);
    expect((await get('/rewards/dist_AAAAAAAAAAAAAAAAAAAAAA/shares.csv')).status).toBe(404);
    const posted = await installation.app.request('/rewards/dist_AAAAAAAAAAAAAAAAAAAAAA', { method: 'POST' });
    expect([posted.status, posted.headers.get('Allow')]).toEqual([405, 'GET, HEAD, OPTIONS']);
  });
});

describe('for programs', () => {
  test('the same as JSON, from any origin', async () => {
    const path = await seedReward(installation, REWARD_SEEDS['on its way']);
    const reply = await get(path, 'application/json');
    expect(reply.headers.get('Access-Control-Allow-Origin')).toBe('*');
    const { data } = await shownAt(path);
    expect(data.status).toBe('confirmed');
    expect(data.counts).toEqual({ paid: 0, queued: 11, pending_claim: 1, refunded: 0, held: 0 });
    expect(data.recipients[0]?.status).toBe('pending_claim');
  });

  test('all shares as a table that no spreadsheet takes for formulas', async () => {
    const [share] = newDistribution(NOW_MS).shares;
    if (share === undefined) throw new Error('there is a share');
    const shares = [{ ...share, username: '-1+1' }];
    const path = await seedReward(installation, { change: { shares } });
    const { headers, text } = await get(`${path}/shares.csv`);
    expect(headers.get('Content-Type')).toBe('text/csv; charset=utf-8');
    expect(headers.get('Content-Disposition')).toMatch(/^attachment; filename="shares-dist_[\w-]{22}\.csv"$/);
    expect(text).toBe(
      "rank,username,user_id,weight,amount_usdc,status,txn_id,receipt\r\n1,'-1+1,11,0.750000,0.75,,,\r\n",
    );
    const paid = await seedReward(installation, REWARD_SEEDS['partly there, final']);
    expect((await get(`${paid}/shares.csv`)).text).toMatch(/\r\n12,fan-12,111,\d\.\d{6},[\d.]+,pending_claim,\d+,http/);
  });

  test('a live stream that ends with the last change', async () => {
    const path = await seedReward(installation);
    const reply = await installation.app.request(path, { headers: { Accept: 'text/event-stream' } });
    expect(reply.headers.get('Content-Type')).toContain('text/event-stream');
    if (reply.body === null) throw new Error('a stream has a body');
    const { nextBlock, nextEvent } = readEvents(reply.body);
    expect(await nextBlock()).toBe('retry: 3000');
    expect((await nextEvent())?.data.data.status).toBe('pending');
    const id = path.slice('/rewards/'.length);
    await rejectDistribution(installation.store, id, NOW_MS);
    installation.announce(id);
    expect((await nextEvent())?.data.data.status).toBe('rejected');
    expect(await nextEvent()).toBeNull();
    const again = await installation.app.request(path, {
      headers: { Accept: 'text/event-stream', 'Last-Event-ID': await versionAt(path) },
    });
    expect(again.status).toBe(204);
  });
});

async function versionAt(path: string): Promise<string> {
  return /data-version="([^"]+)"/.exec((await get(path)).text)?.[1] ?? '';
}
