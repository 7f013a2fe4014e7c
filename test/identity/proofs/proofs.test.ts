import { createHash } from 'node:crypto';
import { describe, expect, onTestFinished, test } from 'vitest';
import { parseConfig } from '../../../core/config/config.ts';
import {
  isProvenBy,
  OAUTH_PLATFORMS,
  PLATFORM_NAMES,
  platformRow,
  recordOf,
} from '../../../core/platforms/platforms.ts';
import { formatRecipient } from '../../../core/platforms/recipient.ts';
import { configuredPlatforms } from '../../../identity/platforms/offered.ts';
import { createProofs, type ProofsOptions } from '../../../identity/proofs/proofs.ts';
import { PROOF_REFUSALS } from '../../../core/claims/proof-refusals.ts';
import { createMailTexts } from '../../../texts/mail/mails.ts';
import { startIdentityStandIns } from '../../../local/identity/platforms/stand-ins.ts';
import { answering, createTestLog, startServer } from '../servers.ts';
import { FOREVER, keep, random } from './tools.ts';
import { submit } from './submit.ts';

const BASE_URL = 'http://127.0.0.1:8402';
const PAYOUT = `0x${'ab'.repeat(20)}`;
const HOST = 'shop.example.com';

const idOf = (recipient: Parameters<typeof formatRecipient>[0]): string => {
  const digest = createHash('sha256').update(formatRecipient(recipient)).digest();
  return String(digest.readUIntBE(0, 6) + 1);
};

function create(identity: Parameters<typeof createProofs>[0], options: Partial<ProofsOptions> = {}) {
  const { log, lines } = createTestLog();
  const sender = { operatorName: 'Example Ltd', supportUrl: 'https://example.com/help', baseUrl: BASE_URL };
  const mails = createMailTexts(sender);
  const now = () => Date.now();
  const proofs = createProofs(identity, { mode: 'local', baseUrl: BASE_URL, mails, random, now, log, ...options });
  onTestFinished(() => proofs.close());
  return { proofs, lines };
}

async function startLocal() {
  const standIns = await keep(startIdentityStandIns({ baseUrl: () => BASE_URL, idOf, random, now: () => Date.now() }));
  return { standIns, ...create(standIns.identity, { toHostUrl: standIns.toHostUrl }) };
}

describe('local mode, with everybody pretending', () => {
  test('its stand-ins are a complete configuration', async () => {
    const { standIns } = await startLocal();
    // Look-ups are the one thing that local mode does without anybody: there everybody exists.
    const { identity } = standIns;
    const looking = { appToken: 'app', lookupUrl: 'http://127.0.0.1/' };
    const signIns = recordOf(OAUTH_PLATFORMS, (platform) => ({ ...identity[platform], ...looking }));
    const withoutChats = PLATFORM_NAMES.filter((platform) => !isProvenBy(platform, 'chat'));
    expect(configuredPlatforms({ ...identity, ...signIns })).toEqual(withoutChats);
  });

  test.each(OAUTH_PLATFORMS)('%s is proven on its sign-in page', async (platform) => {
    const name = platformRow(platform).example;
    const { proofs, lines } = await startLocal();
    const proof = proofs.oauth[platform];
    if (proof === null) throw new Error(`expected a proof for ${platform}`);
    const begun = await proof.begin();
    const back = await submit(begun.url, { username: `@${name.toUpperCase()}`, decision: 'allow' });
    const callbackUrl = back.headers.get('location') ?? '';
    expect(callbackUrl.startsWith(`${BASE_URL}/claims/callback/${platform}?`)).toBe(true);
    expect(await proof.finish({ ...begun, callbackUrl, signal: FOREVER })).toMatchObject({
      kind: 'proven',
      stableId: idOf({ platform, key: name }),
      handle: name,
    });
    expect(lines).toEqual([]);
  });

  test('decsocial is proven on the pretend phone', async () => {
    const { proofs, lines } = await startLocal();
    const proof = proofs.farcaster;
    const begun = await proof?.begin({ handle: 'alice.eth', payout: { base: PAYOUT }, signal: FOREVER });
    if (proof === null || begun?.kind !== 'begun') throw new Error('expected a channel');
    await submit(begun.channel.url, { name: 'alice.eth' });
    const answer = await proof.poll({ channel: begun.channel, signal: FOREVER });
    if (answer.kind !== 'signed') throw new Error(`expected a signature, found ${answer.kind}`);
    expect(await proof.finish({ channel: begun.channel, signed: answer.signed, signal: FOREVER })).toMatchObject({
      kind: 'proven',
      stableId: idOf({ platform: 'decsocial', key: 'alice.eth' }),
      handle: 'alice.eth',
      addresses: { base: [], solana: [] },
    });
    expect(lines).toEqual([]);
  });

  test('email is proven by what stands in the pretend mailbox', async () => {
    const { proofs, standIns, lines } = await startLocal();
    const linkUrl = 'https://pay.example.com/claims/mail/secret';
    const mail = {
      to: 'alice@example.com',
      code: '12345678',
      payout: { base: PAYOUT },
      linkUrl,
      language: 'en' as const,
      signal: FOREVER,
    };
    expect(await proofs.email?.sendCode(mail)).toEqual({ kind: 'sent' });
    const page = await (await fetch(`${standIns.pages.mailbox}/?address=alice@example.com`)).text();
    expect(page).toContain('1234 5678');
    expect(page).toContain(`${PAYOUT} (on Base)`);
    expect(lines).toEqual([]);
  });

  test.each(['file', 'record'])('web is proven by a %s on the pretend website', async (where) => {
    const { proofs, standIns } = await startLocal();
    const claim = { host: HOST, token: 'a-random-token_0123456789' };
    const check = () => proofs.web.check({ ...claim, signal: FOREVER });
    expect(await check()).toEqual({ kind: 'refused', reason: 'not_published' });
    const { line, fileUrl } = proofs.web.instructions(claim);
    expect(fileUrl).toBe(standIns.toHostUrl(HOST, '/.well-known/pennypost.txt'));
    await submit(standIns.pages.website, { host: `https://${HOST}/`, text: ` ${line} `, where });
    expect(await check()).toEqual({ kind: 'proven', stableId: HOST, handle: HOST });
    expect(await proofs.findPublishedWallets(HOST, FOREVER)).toBeNull();
  });
});

test('a stand-in does not take an id that would be rounded to that of another person', async () => {
  const options = { baseUrl: () => BASE_URL, idOf: () => '9007199254740993', random, now: () => Date.now() };
  const { identity } = await keep(startIdentityStandIns(options));
  const begun = await create(identity).proofs.oauth.code?.begin();
  const page = await submit(begun?.url ?? '', { username: 'alice', decision: 'allow' });
  expect([page.status, await page.text()]).toEqual([500, expect.stringContaining('an exact positive number')]);
});

describe('what is not configured', () => {
  test('cannot be proven; a website always can', () => {
    const { proofs } = create(parseConfig({}).identity);
    expect(proofs.oauth).toEqual({ x: null, code: null, photo: null });
    expect([proofs.farcaster, proofs.email]).toEqual([null, null]);
    expect(proofs.web.instructions({ host: HOST, token: 'a-random-token_0123456789' }).fileUrl).toMatch(/^https:/);
  });

  test.each(['clientId', 'clientSecret'])('x without %s', async (name) => {
    const { standIns } = await startLocal();
    const { x } = standIns.identity;
    expect(create({ ...standIns.identity, x }).proofs.oauth.x).not.toBeNull();
    expect(create({ ...standIns.identity, x: { ...x, [name]: undefined } }).proofs.oauth.x).toBeNull();
  });

  test.each(['farcasterHubUrl', 'optimismRpcUrl'])('decsocial without %s', async (name) => {
    const { standIns } = await startLocal();
    expect(create({ ...standIns.identity, [name]: undefined }).proofs.farcaster).toBeNull();
  });

  test.each(['smtpUrl', 'mailFrom'])('email without %s', async (name) => {
    const { standIns } = await startLocal();
    expect(create({ ...standIns.identity, [name]: undefined }).proofs.email).toBeNull();
  });
});

describe('outside local mode', () => {
  const outside = { mode: 'testnet', baseUrl: 'https://pay.example.com' } as const;
  const NO_ID = parseConfig({}).identity;
  const https = (port: number) => ({
    ...NO_ID.x,
    clientId: 'id',
    clientSecret: 'secret',
    authUrl: 'https://x.example/authorize',
    tokenUrl: `https://127.0.0.1:${port}/token`,
  });

  test('endpoints without TLS are refused at once', async () => {
    const { standIns } = await startLocal();
    expect(() => create(standIns.identity, outside)).toThrow('to use https');
  });

  test('a provider whose name leads to this machine is not asked', async () => {
    const { port, requests } = await startServer(answering(200, '{}'));
    const { proofs, lines } = create({ ...NO_ID, x: https(port) }, outside);
    const proof = proofs.oauth.x;
    const begun = await proof?.begin();
    if (!proof || !begun) throw new Error('expected a proof for x');
    expect(new URL(begun.url).searchParams.get('redirect_uri')).toBe('https://pay.example.com/claims/callback/x');
    const callbackUrl = `https://pay.example.com/claims/callback/x?code=c&state=${begun.state}`;
    expect(await proof.finish({ ...begun, callbackUrl, signal: FOREVER })).toEqual({ kind: 'unavailable' });
    expect(lines).toEqual([
      { details: { platform: 'x', reason: 'forbidden-address' }, text: 'identity provider gave no usable answer' },
    ]);
    expect(requests()).toBe(0);
  });

  test('a relay on this machine is not asked either', async () => {
    const { port, requests } = await startServer(answering(201, '{}'));
    const hubs = { farcasterHubUrl: 'https://hub.example', optimismRpcUrl: 'https://optimism.example' };
    const identity = { ...NO_ID, ...hubs, farcasterRelayUrl: `https://127.0.0.1:${port}` };
    const begun = create(identity, outside).proofs.farcaster?.begin({
      handle: 'alice',
      payout: { keep: true },
      signal: FOREVER,
    });
    expect(await begun).toEqual({ kind: 'unavailable' });
    expect(requests()).toBe(0);
  });
});

test('every refusal has a sentence for people', () => {
  for (const text of Object.values(PROOF_REFUSALS)) expect(text).toMatch(/^[A-Z].*\.$/);
});
