/** Strangers flood what people read. The holder of a link, whose address they may share, is not shut out by them. */
import { randomBytes } from 'node:crypto';
import { Hono } from 'hono';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createApi } from '../../../api/app.ts';
import type { ApiDependencies } from '../../../api/environment/dependencies.ts';
import type { LinkOf } from '../../../api/environment/limit.ts';
import { takeTurns } from '../../../api/environment/turns.ts';
import type { ApiEnv } from '../../../api/http/env.ts';
import { ensureStopSecret, toReaderToken } from '../../../db/notices/stop-token.ts';
import { findReceipt } from '../../../db/payments/records/find.ts';
import { createRateLimiter } from '../../../queue/rate-limiter.ts';
import { startInstallation, type Installation } from '../../api/pages/installation.ts';
import { createTestCollecting } from '../../support/claims/collecting.ts';

const HERE = '203.0.113.1';
const PER_MINUTE = 20;
const OF_LINK = 6;

describe('beyond the limit of an address', () => {
  let installation: Installation;
  let slug: string;
  let publicSlug: string;
  beforeAll(async () => {
    installation = await startInstallation();
    ({ slug } = await installation.seed());
    publicSlug = (await findReceipt(installation.store, slug, installation.clock.nowMs))?.line.publicSlug ?? '';
  });
  afterAll(() => installation.close());

  function newSite(ofLink: number | null = OF_LINK) {
    const { dependencies } = installation;
    const shared = {
      ...dependencies,
      startedAtMs: 0,
      queueAnswers: async () => true,
      notify: () => undefined,
      callerLimiter: createRateLimiter(PER_MINUTE, dependencies.now),
      ...(ofLink === null ? {} : { linkLimiter: createRateLimiter(ofLink, dependencies.now) }),
      settings: { ...dependencies.settings, isTrustedProxy: () => true },
    } as unknown as ApiDependencies;
    const app = createApi({ ...shared, collecting: createTestCollecting(shared) }, true);
    return async (path: string, init: RequestInit = {}) =>
      app.request(path, {
        ...init,
        headers: { Accept: 'text/html', 'X-Forwarded-For': HERE, ...(init.headers as Record<string, string>) },
      });
  }

  async function useUp(ask: ReturnType<typeof newSite>): Promise<void> {
    for (let count = 0; count < PER_MINUTE; count += 1) await ask('/nothing');
  }

  const random = () => randomBytes(16).toString('base64url');
  const reader = async (identityId: string) =>
    toReaderToken(await ensureStopSecret(installation.store, random), identityId);

  test('the links of a receipt and of a notice have some requests of their own, and then a true time to wait', async () => {
    const ask = newSite();
    await useUp(ask);
    expect((await ask(`/receipts/${slug}`)).status).toBe(200);
    expect((await ask(`/claim/x/alice?receipt=${slug}`)).status).toBe(200);
    for (let count = 2; count < OF_LINK; count += 1) await ask(`/receipts/${slug}`);
    const refused = await ask(`/receipts/${slug}`);
    expect(refused.status).toBe(429);
    expect((await ask(`/claim/email/a%40example.com?reader=${await reader('one')}`)).status).toBe(200);
    installation.clock.nowMs += Number(refused.headers.get('Retry-After')) * 1_000;
    expect((await ask(`/receipts/${slug}`)).status).toBe(200);
  });

  test('a form that opens a claim by such a link is read', async () => {
    const ask = newSite();
    await useUp(ask);
    const headers = { 'Content-Type': 'application/x-www-form-urlencoded', Origin: 'http://127.0.0.1:8402' };
    const form = (path: string) => ask(path, { method: 'POST', headers, body: 'platform=x&handle=alice&choice=keep' });
    expect((await form(`/claims?receipt=${slug}`)).status).not.toBe(429);
    expect((await form('/claims')).status).toBe(429);
  });

  test('what is public, invented or of nobody’s making has none', async () => {
    const ask = newSite();
    await useUp(ask);
    const forged = `identity.${randomBytes(16).toString('base64url')}`;
    const paths = [
      `/receipts/${publicSlug}`,
      `/receipts/${random()}`,
      `/claim/x/alice?receipt=${random()}`,
      `/claim/email/a%40example.com?reader=${forged}`,
      `/claims/mail/${randomBytes(32).toString('base64url')}`,
      `/claims/claim_${random()}`,
      '/',
    ];
    for (const path of paths) expect([path, (await ask(path)).status]).toEqual([path, 429]);
  });

  test('CONTROL: without requests of its own a link is shut out with its address', async () => {
    const ask = newSite(null);
    await useUp(ask);
    expect((await ask(`/receipts/${slug}`)).status).toBe(429);
  });
});

describe('where all turns are taken', () => {
  /** The one link that a reader holds is in the query. A page takes until it is finished, and one second. */
  function newSite(linkOf: LinkOf | null = async (c) => c.req.query('link') ?? null) {
    const clock = { nowMs: 0 };
    const underWay: { path: string; finish: () => void }[] = [];
    const site = new Hono<ApiEnv>();
    const few = { atOnce: 2, waitingMax: 6, manyFrom: 4, holdersMax: 3, perLinkMax: 2 };
    site.use(takeTurns({ now: () => clock.nowMs, ...(linkOf === null ? {} : { linkOf }) }, few));
    site.onError((error, c) => {
      const { status, context } = error as unknown as { status: 429; context: { retryAfterSeconds: number } };
      return c.text('', status, { 'Retry-After': String(context.retryAfterSeconds) });
    });
    site.get('/receipts/:slug', async (c) => {
      await new Promise<void>((finish) => underWay.push({ path: `${c.req.path}${new URL(c.req.url).search}`, finish }));
      return c.text('a page');
    });
    const read = async (path: string) => site.request(path);
    const finishNext = () => {
      clock.nowMs += 1_000;
      underWay.shift()?.finish();
    };
    const settle = () => new Promise((resolve) => setImmediate(resolve));
    return { underWay, read, finishNext, settle };
  }

  async function flood({ read, settle }: ReturnType<typeof newSite>, count: number) {
    const asked = Array.from({ length: count }, () => read('/receipts/stranger'));
    await settle();
    return asked;
  }

  const finishAll = async ({ underWay, finishNext, settle }: ReturnType<typeof newSite>) => {
    for (await settle(); underWay.length > 0; await settle()) finishNext();
  };

  test('a holder who comes last has a place, and the next turn but one', async () => {
    const site = newSite();
    const strangers = await flood(site, 12);
    const holder = site.read('/receipts/mine?link=mine');
    await site.settle();
    site.finishNext();
    await site.settle();
    site.finishNext();
    await site.settle();
    expect(site.underWay.map(({ path }) => path)).toContain('/receipts/mine?link=mine');
    await finishAll(site);
    expect((await holder).status).toBe(200);
    const statuses = (await Promise.all(strangers)).map(({ status }) => status);
    expect(statuses.filter((status) => status === 429)).toHaveLength(4);
  });

  test('where few wait no link is looked up', async () => {
    let lookedUp = 0;
    const site = newSite(async () => {
      lookedUp += 1;
      return null;
    });
    void (await flood(site, 6));
    expect(lookedUp).toBe(0);
    void (await flood(site, 1));
    expect(lookedUp).toBe(1);
    await finishAll(site);
  });

  test('a holder whose link is found when all others have left is not forgotten', async () => {
    let find = (_link: string): void => expect.unreachable();
    const site = newSite(() => new Promise((resolve) => (find = resolve)));
    void (await flood(site, 6));
    const holder = site.read('/receipts/mine');
    await finishAll(site);
    find('mine');
    await finishAll(site);
    expect((await holder).status).toBe(200);
  });

  test('one link has two places, and what holders have is bounded', async () => {
    const site = newSite();
    void (await flood(site, 12));
    const same = Array.from({ length: 4 }, () => site.read('/receipts/a?link=a'));
    const others = ['b', 'c'].map((link) => site.read(`/receipts/${link}?link=${link}`));
    await site.settle();
    await finishAll(site);
    const statuses = (answers: Response[]) => answers.map(({ status }) => status).toSorted((one, other) => one - other);
    expect(statuses(await Promise.all(same))).toEqual([200, 200, 429, 429]);
    expect(statuses(await Promise.all(others))).toEqual([200, 429]);
  });

  test('a refused reader is told how long those before will take', async () => {
    const site = newSite();
    void (await flood(site, 2));
    await finishAll(site);
    for (let round = 0; round < 40; round += 1) {
      void (await flood(site, 2));
      await finishAll(site);
    }
    void (await flood(site, 8));
    const refused = await site.read('/receipts/stranger');
    // Six wait, two at once, a page and what it waited for the other took up to two seconds.
    const seconds = Number(refused.headers.get('Retry-After'));
    expect(refused.status).toBe(429);
    expect(seconds).toBeGreaterThanOrEqual(3);
    expect(seconds).toBeLessThanOrEqual(6);
    await finishAll(site);
  });

  test('CONTROL: where no link is known the holder is refused like a stranger', async () => {
    const site = newSite(null);
    void (await flood(site, 8));
    expect((await site.read('/receipts/mine?link=mine')).status).toBe(429);
    await finishAll(site);
  });
});
