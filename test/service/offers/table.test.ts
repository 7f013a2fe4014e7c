import { expect, test } from 'vitest';
import { parseConfig } from '../../../core/config/config.ts';
import { listOffers, offerLines } from '../../../service/offers/table.ts';

const TESTNET = {
  NETWORK_MODE: 'testnet',
  BASE_RPC_URL: 'https://rpc.example.com',
  SOLANA_RPC_URL: 'https://solana.example.com',
  OPERATOR_NAME: 'Example Ltd',
  SUPPORT_URL: 'mailto:help@example.com',
  TERMS_URL: 'https://example.com/terms',
};

const linesOf = (env: Record<string, string>): string[] =>
  offerLines(listOffers(parseConfig({ ...TESTNET, ...env }), ['api', 'worker'])).map((line) =>
    line.replace(/ +/g, ' ').trim(),
  );

test('each role, network, platform and chat is told, with the setting that it lacks', () => {
  expect(linesOf({ X_CLIENT_ID: 'id', X_APP_TOKEN: 'token', TELEGRAM_TOKEN: '1:A', PLATFORMS: 'x,telegram' })).toEqual([
    'role api offered',
    'role worker offered',
    'role bot not offered: started apart',
    'network Base offered',
    'network Solana offered',
    'network Polygon not offered: add polygon to NETWORKS',
    'platform X not offered: X_CLIENT_SECRET is not set',
    'platform Farcaster not offered: FARCASTER_HUB_URL and OPTIMISM_RPC_URL are not set',
    'platform GitHub not offered: GITHUB_CLIENT_ID and GITHUB_CLIENT_SECRET are not set',
    'platform E-mail not offered: SMTP_URL and MAIL_FROM are not set',
    'platform Website not offered: add web to PLATFORMS',
    'platform Instagram not offered: INSTAGRAM_CLIENT_ID and INSTAGRAM_CLIENT_SECRET and INSTAGRAM_APP_TOKEN and INSTAGRAM_LOOKUP_URL are not set',
    'platform Discord not offered: DISCORD_TOKEN and DISCORD_APP_ID are not set',
    'platform Telegram offered',
    'chat web chat not offered: it exists for play money only',
    'chat Discord not offered: DISCORD_TOKEN and DISCORD_APP_ID are not set',
    'chat Telegram offered',
  ]);
});

test('known providers bring their endpoints: a client and a token are enough', () => {
  const lines = linesOf({
    X_CLIENT_ID: 'id',
    X_CLIENT_SECRET: 'secret',
    X_APP_TOKEN: 'token',
    GITHUB_CLIENT_ID: 'id',
    GITHUB_CLIENT_SECRET: 'secret',
  });
  expect(lines).toContain('platform X offered');
  expect(lines).toContain('platform GitHub offered');
});
