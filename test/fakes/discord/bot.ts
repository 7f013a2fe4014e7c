import { Client, type ClientOptions, Events, GatewayIntentBits } from 'discord.js';
import { onTestFinished } from 'vitest';
import type { Settings } from './settings.ts';
import { type Discord, startDiscord } from './server.ts';

/** A Discord that ends with the test. */
export async function openDiscord(chosen: Partial<Settings> = {}): Promise<Discord> {
  const discord = await startDiscord(chosen);
  onTestFinished(() => discord.close());
  return discord;
}

/** An unmodified discord.js, told only where its API is. */
export async function connectBot(discord: Discord, options: Partial<ClientOptions> = {}): Promise<Client<true>> {
  const client = new Client({
    intents: [GatewayIntentBits.Guilds, GatewayIntentBits.GuildMessages, GatewayIntentBits.DirectMessages],
    ...options,
    rest: { api: discord.apiUrl, ...options.rest },
  });
  onTestFinished(() => client.destroy());
  const ready = new Promise<Client<true>>((resolve) => {
    client.once(Events.ClientReady, resolve);
  });
  await client.login(discord.token);
  return await ready;
}
