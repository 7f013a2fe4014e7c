import { expect, test } from 'vitest';
import { startGateway } from '../../../bot/discord/gateway.ts';
import { startDiscord } from '../../fakes/discord/server.ts';

const log = { info: () => undefined, warn: () => undefined, error: () => undefined };

/** As where a lease is lost and taken again at once. */
test('a gateway that is closed while it logs in leaves no connection behind, and the next one connects', async () => {
  const discord = await startDiscord();
  const { token, applicationId, apiUrl } = discord;
  const start = () => startGateway({ access: { token, applicationId, apiUrl }, onInteraction: () => undefined, log });
  await start().close();
  const gateway = start();
  await gateway.connected;
  expect(discord.gateway.connected()).toBe(1);
  await gateway.close();
  await expect.poll(discord.gateway.connected).toBe(0);
  await discord.close();
});
