/** Pictures under attack: no matter who asks, and how many, an existing receipt has a picture. */
import { randomBytes } from 'node:crypto';
import { Hono } from 'hono';
import { pino } from 'pino';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { limitRequests } from '../../../api/environment/limit.ts';
import type { ApiEnv } from '../../../api/http/env.ts';
import { createPagesApp, placeOf } from '../../../api/pages/app.ts';
import { createPreviews } from '../../../api/receipts/preview.ts';
import type { Renderer } from '../../../api/receipts/preview-png.ts';
import { createRateLimiter } from '../../../queue/rate-limiter.ts';
import { startInstallation, type Installation } from '../../api/pages/installation.ts';

let installation: Installation;
beforeEach(async () => {
  installation = await startInstallation();
});
afterEach(() => installation.close());

/** As many waiting as the real one takes, and no picture ever done. */
const STUCK: Renderer = { draw: async () => new Promise(() => undefined), hurry: () => undefined };
const FULL: Renderer = { draw: async () => null, hurry: () => undefined };
const BROKEN: Renderer = {
  draw: async () => Promise.reject(new Error('a picture took more than 5000 ms')),
  hurry: () => undefined,
};

function appWith(renderer: Renderer, { requestsPerMinute = 0, hasStandIn = true } = {}): Hono<ApiEnv> {
  const { dependencies } = installation;
  const { store } = dependencies;
  const log = pino({ level: 'silent' });
  const previews = createPreviews({
    now: dependencies.now,
    store,
    log,
    place: placeOf(dependencies),
    folder: null,
    createDraw: () => renderer,
    lateMs: 20,
  });
  const callerLimiter = createRateLimiter(requestsPerMinute, dependencies.now);
  const app = new Hono<ApiEnv>();
  app.use(limitRequests({ callerLimiter, settings: dependencies.settings }));
  app.onError((_error, c) => c.text('refused', 429));
  const shown = hasStandIn ? previews : { ...previews, standIn: new Uint8Array() };
  return app.route('/', createPagesApp(dependencies, undefined, shown));
}

const isPicture = async (answer: Response) =>
  answer.status === 200 && Buffer.from(await answer.arrayBuffer()).toString('latin1', 1, 4) === 'PNG';

const TROUBLES = [
  ['late', STUCK],
  ['beyond those that may wait', FULL],
  ['not to be drawn', BROKEN],
] as const;

test.each(TROUBLES)('CONTROL: without the static one a picture that is %s is none', async (_title, renderer) => {
  const { slug } = await installation.seed();
  const answer = await appWith(renderer, { hasStandIn: false }).request(`/receipts/${slug}/preview.png`);
  expect(await isPicture(answer)).toBe(false);
});

test.each(TROUBLES)('a picture that is %s is the static one, which nobody keeps for it', async (_title, renderer) => {
  const { slug } = await installation.seed();
  const answer = await appWith(renderer).request(`/receipts/${slug}/preview.png`);
  expect([answer.headers.get('cache-control'), answer.headers.get('etag')]).toEqual(['no-store', null]);
  expect(await isPicture(answer)).toBe(true);
});

test('callers over their limit get the static one, where a page is refused', async () => {
  const { slug } = await installation.seed();
  const app = appWith(FULL, { requestsPerMinute: 20 });
  const pictures: boolean[] = [];
  for (let count = 0; count < 30; count += 1) {
    pictures.push(await isPicture(await app.request(`/receipts/${slug}/preview.png`)));
  }
  expect(pictures).not.toContain(false);
  // The control: the limit is reached.
  expect((await app.request(`/receipts/${slug}`)).status).toBe(429);
});

test('a database that does not answer is no failure for a picture', async () => {
  const { slug } = await installation.seed();
  const app = appWith(FULL);
  await installation.store.close();
  expect(await isPicture(await app.request(`/receipts/${slug}/preview.png`))).toBe(true);
  const unknown = randomBytes(16).toString('base64url');
  expect((await app.request(`/receipts/${unknown}`)).status).toBe(500);
  installation = await startInstallation();
});
