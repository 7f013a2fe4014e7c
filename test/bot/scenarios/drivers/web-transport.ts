import type { Hono } from 'hono';
import { createWebChat } from '../../../../bot/web/chat.ts';
import { createWebMessenger, WEB_TRANSPORT } from '../../../../bot/web/messenger.ts';
import { createChanges } from '../../changes.ts';
import { OPERATOR } from '../../harness.ts';
import type { Transport } from './transport.ts';
import { createWebDriver } from './web-driver.ts';
import { createRateLimits } from '../../../../queue/rate-limiter.ts';

/** The web chat without a socket. While no process serves it, it cannot be reached. */
export async function openWebTransport(): Promise<Transport> {
  let chat: Hono | null = null;
  const driver = createWebDriver(async (path, init) => {
    if (chat === null) throw new Error('nobody serves the web chat just now');
    return chat.request(`http://localhost${path}`, init);
  });
  return {
    driver,
    async connect({ deps, store, clock, bot }) {
      const changes = createChanges();
      const messenger = createWebMessenger({ store, changes, random: deps.random, now: clock.now });
      Object.assign(deps, { messengers: { [WEB_TRANSPORT]: messenger } });
      chat = createWebChat({
        ...deps,
        publicUrl: 'http://localhost',
        limits: createRateLimits(clock.now),
        changes,
        bot,
        isSecure: false,
        operator: OPERATOR,
      });
      return {
        stopHearing: async () => void (chat = null),
        close: async () => undefined,
        isQuiet: () => true,
      };
    },
  };
}
