import { afterAll, beforeAll, expect, test } from 'vitest';
import { LANGUAGE_TAGS } from '../../../core/languages.ts';
import { NOW_MS } from '../pages/installation.ts';
import { BASE_ADDRESS } from './memory-claims.ts';
import { newVisitor, showClaim } from './gallery.ts';
import { startClaimInstallation, type ClaimInstallation } from './installation.ts';

const ADDRESS = { base: BASE_ADDRESS };

let installation: ClaimInstallation;
beforeAll(async () => {
  installation = await startClaimInstallation();
});
afterAll(() => installation.close());

type Shown = Parameters<typeof showClaim>[2];

/** Where the links of a claim's page lead, by their id. */
async function linksOf(shown: Shown, change?: Parameters<ClaimInstallation['appWith']>[0]) {
  const served = { ...installation, url: 'http://127.0.0.1:8402' };
  const visitor = newVisitor(served);
  const path = await showClaim(served, visitor, { isVerified: true, ...shown });
  const { name, value } = visitor.cookie;
  const headers = { Accept: 'text/html', Cookie: `${name}=${value}` };
  const html = await (await installation.appWith(change).request(path, { headers })).text();
  return {
    purse: /id="purse" href="([^"]*)"/.exec(html)?.[1],
    letter: /id="letter" href="([^"]*)"/.exec(html)?.[1],
  };
}

const nothing = { waiting: null, change: { status: 'paid' } } as const;

test.each<[string, Shown]>([
  ['keeps', { name: ['x', 'alice'], payout: { keep: true }, ...nothing }],
  ['gave an address', { name: ['x', 'alice'], payout: ADDRESS, ...nothing }],
  [
    'gave an address that counts later',
    {
      name: ['email', 'alice@example.com'],
      payout: ADDRESS,
      waiting: null,
      change: { status: 'paid', effectiveAtMs: NOW_MS + 86_400_000 },
    },
  ],
  ['keeps, and got something', { name: ['x', 'alice'], payout: { keep: true }, change: { status: 'paid' } }],
])('a claim for which nothing waits any more leads to the purse: its person %s', async (_who, shown) => {
  expect(await linksOf(shown)).toEqual({ purse: '/purse', letter: undefined });
});

test('of a website, where nothing is kept, it leads back to the letter', async () => {
  const line = { platform: 'web', recipientKey: 'example.com' };
  const { slug } = await installation.seed({ line, payout: { status: 'final' }, payment: { status: 'final' } });
  const shown = { name: ['web', 'example.com'], payout: ADDRESS, ...nothing } as const;
  expect(await linksOf({ ...shown, receiptSlug: slug })).toEqual({ purse: undefined, letter: `/receipts/${slug}` });
  expect(await linksOf(shown)).toEqual({ purse: undefined, letter: undefined });
});

test('where the operator has no purses it leads to none', async () => {
  const { claimOffers } = installation.claimsDependencies;
  const shown = { name: ['x', 'alice'], payout: ADDRESS, ...nothing } as const;
  const closed = { claimOffers: { ...claimOffers, keeps: false } };
  expect(await linksOf(shown, closed)).toEqual({ purse: undefined, letter: undefined });
});

test('money that is on its way to an address, or has arrived there, is in no purse', async () => {
  for (const status of ['paying', 'paid'] as const)
    expect((await linksOf({ name: ['x', 'alice'], payout: ADDRESS, change: { status } })).purse).toBeUndefined();
});

const NO_BANK = {
  en: 'not a bank account',
  de: 'kein Bankkonto',
  es: 'No es una cuenta bancaria',
  pt: 'Não é uma conta bancária',
  ja: '銀行口座ではな',
};

test.each(LANGUAGE_TAGS)(
  'who keeps it here reads who holds it, and that it is no bank account: %s',
  async (language) => {
    const headers = { Accept: 'text/html', 'Accept-Language': language };
    for (const localMode of [true, false]) {
      const settings = {
        ...installation.dependencies.settings,
        localMode,
        operator: { name: 'Example Payments', supportUrl: 'https://help.example/', termsUrl: '' },
      };
      const html = await (await installation.appWith({ settings }).request('/claim/x/alice', { headers })).text();
      const hint = /id="keep-hint">([^<]*)/.exec(html)?.[1] ?? '';
      expect(hint).toContain('Example Payments');
      expect(hint.split(NO_BANK[language])).toHaveLength(2);
    }
  },
);
