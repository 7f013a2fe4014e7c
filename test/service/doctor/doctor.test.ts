import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { evmProfile } from '../../../chain/evm/rpc/profile.ts';
import { domainOf } from '../../../chain/evm/rpc/token-domain.ts';
import { solanaProfile } from '../../../chain/solana/messages/profile.ts';
import { parseConfig, ROLES } from '../../../core/config/config.ts';
import { Misconfigured } from '../../../core/config/misconfigured.ts';
import { assertPass, hashOf, releaseOf } from '../../../service/doctor/pass.ts';
import { runDoctor } from '../../../service/doctor/run.ts';
import type { Asks } from '../../../service/doctor/world.ts';
import { addMissingKeys, addressesOf } from '../../../service/keystore/new-keys.ts';

const ROOT = join(import.meta.dirname, '../../..');
const NOW_MS = Date.UTC(2026, 10, 23, 12);
const dir = mkdtempSync(join(tmpdir(), 'doctor-'));
afterAll(() => rmSync(dir, { recursive: true }));

let bytes = 0;
const keys = addMissingKeys({}, (count) => Buffer.alloc(count, (bytes = (bytes % 250) + 1)));

const SOUND_ENV: Record<string, string> = {
  NETWORK_MODE: 'mainnet',
  BASE_URL: 'https://pay.example.com',
  TRUSTED_PROXIES: '10.0.0.0/8',
  DATA_DIR: join(dir, 'data'),
  BACKUP_DIR: '/backup',
  REDIS_URL: 'redis://redis.example:6379',
  BASE_RPC_URL: 'https://base.example',
  BASE_SECOND_RPC_URL: 'https://base-second.example',
  SOLANA_RPC_URL: 'https://solana.example',
  SOLANA_SECOND_RPC_URL: 'https://solana-second.example',
  OPERATOR_NAME: 'Example Ltd',
  SUPPORT_URL: 'https://example.com/help',
  TERMS_URL: 'https://example.com/terms',
  BOT_API_TOKEN: 'a-token-of-the-bot-with-32-chars',
  KEYSTORE: '/keys.json',
  KEYSTORE_PASSWORD_FILE: '/password',
  X_CLIENT_ID: 'id',
  X_CLIENT_SECRET: 'secret',
  X_APP_TOKEN: 'token',
  SMTP_URL: 'smtps://mail.example',
  MAIL_FROM: 'pay@example.com',
  TELEGRAM_TOKEN: '1:A',
  DISCORD_TOKEN: 'token',
  DISCORD_APP_ID: '42',
  METRICS_PORT: '9100',
  ALERT_CHAT: 'telegram:7',
};

const LANE_ADDRESS = `0x${'1a'.repeat(20)}`;
const LANE_ARN = 'arn:aws:kms:eu-central-1:111122223333:key/lane';
/** A lane whose key is in AWS KMS, and in no keystore. */
const KMS_LANE = {
  env: { LANE_KEYS: `kms:${LANE_ARN}@${LANE_ADDRESS}` },
  kept: Object.fromEntries(Object.entries(keys).filter(([name]) => name !== 'LANE_KEYS')),
};

type EvmNode = ReturnType<Asks['evm']>;
type SolanaNode = ReturnType<Asks['solana']>;
type Planted = {
  env?: Record<string, string>;
  asks?: Partial<Asks>;
  evm?: Partial<EvmNode>;
  solana?: Partial<SolanaNode>;
  kept?: Record<string, string>;
  strange?: string[];
  args?: string[];
};

const GONE = '9xQeWvG816bUx9EPjHmaT23yvVM2ZWbrrpZb9PusVFin';
const former = (address: string) => ({
  network: 'base' as const,
  address,
  sinceMs: NOW_MS,
  held: 2_000_000n,
  unexplained: 0n,
  signed: 1,
  planned: 0,
  payments: 0,
  tasks: 0,
  waiting: 0,
  taken: 0n,
  isRetired: false,
});

const inUse = (address: string) => ({ network: 'base' as const, role: 'treasury' as const, address });

const application = (id: string) => ({ id, isPublic: true, needsCodeGrant: false, isForServers: true, privileges: [] });

const refuse = async (): Promise<never> => {
  throw new Error('connect ECONNREFUSED https://user:password@host/');
};

function soundAsks({ asks, evm, solana, strange = [] }: Planted): Asks {
  return {
    evm: (network) => {
      const profile = evmProfile(network, 'mainnet');
      return {
        chainId: async () => profile.chainId,
        token: async () => ({ codeHash: `0x${'c0'.repeat(32)}`, domain: domainOf(profile) }),
        hasMulticall: async () => true,
        balanceWei: async () => 10n ** 17n,
        usdc: async () => 0n,
        newest: async () => ({ seconds: NOW_MS / 1_000 - 2, baseFee: 1_000_000n }),
        ...evm,
      };
    },
    solana: () => ({
      genesisHash: async () => solanaProfile('mainnet').genesisHash,
      hasMint: async () => true,
      lamports: async () => 10n ** 9n,
      usdc: async () => 0n,
      ...solana,
    }),
    kmsAddress: async () => LANE_ADDRESS,
    keystore: () => ({ secrets: keys, wordsConfirmedAtMs: NOW_MS }),
    redisPolicy: async () => 'noeviction',
    database: async () => ({ missing: 0, stops: [] }),
    owners: async () => 1,
    newestBackup: async () => ({ name: 'pennypost-1.sqlite', atMs: NOW_MS - 60_000, isUsable: true }),
    isSameDisk: () => false,
    status: async (url) => (url.endsWith('/health/live') ? 200 : 200),
    mailServer: async () => true,
    telegramBot: async () => ({ username: 'pennypost_bot', mayJoinGroups: true, readsAllMessages: false }),
    telegramGroups: async () => [],
    discordApplication: async () => application('42'),
    discordServers: async () => [],
    knowsAlertChat: async () => true,
    screening: async () => ({ entries: 2, others: 0, service: 'allowed' }),
    strangeNames: () => strange,
    ...asks,
  };
}

function doctor(planted: Planted = {}) {
  const env = { ...SOUND_ENV, ...planted.env };
  return runDoctor({
    readConfig: () => parseConfig(env, planted.kept ?? (env['KEYSTORE'] === '' ? {} : keys)),
    args: ['--restored', '2026-11-01', ...(planted.args ?? [])],
    root: ROOT,
    strange: planted.strange ?? [],
    nowMs: NOW_MS,
    asks: soundAsks(planted),
  });
}

/** The red lines, each with the cure below it. */
function reds(lines: readonly string[]): string[] {
  return lines.flatMap((line, index) =>
    line.startsWith('WRONG') ? [`${line} ${lines[index + 1] ?? ''}`.replace(/\s+/g, ' ').trim()] : [],
  );
}

test('a sound installation has no red line, and not one note', async () => {
  const { exitCode, lines } = await doctor();
  expect(lines.filter((line) => /^(?:WRONG|note)/.test(line))).toEqual([]);
  expect(exitCode).toBe(0);
  expect(lines.at(-1)).toBe('Everything is sound. Approve it with --approve; mainnet needs that to start.');
});

test('a key in KMS is asked whether it signs', async () => {
  const { exitCode, lines } = await doctor(KMS_LANE);
  expect([exitCode, lines.filter((line) => line.includes('key of 0x1a1a'))]).toEqual([
    0,
    [expect.stringContaining('in AWS KMS, signs')],
  ]);
});

const wrongUrl = (part: string) => async (url: string) => (url.includes(part) ? 404 : 200);
const MISTAKES: readonly (readonly [string, Planted, found: string, cure: string])[] = [
  [
    'a node of another chain',
    { evm: { chainId: async () => 84532 } },
    'BASE_RPC_URL it is chain 84532',
    'set BASE_RPC_URL to a node of Base, chain 8453',
  ],
  ['a silent node', { evm: { chainId: refuse } }, 'BASE_RPC_URL no usable answer', 'check that BASE_RPC_URL is right'],
  [
    'no token there',
    { evm: { token: async () => ({ codeHash: null, domain: null }) } },
    'Base, USDC there is no contract at 0x8335',
    'use a node of Base; USDC is at 0x8335',
  ],
  [
    'another token',
    { evm: { token: async () => ({ codeHash: '0x1', domain: `0x${'11'.repeat(32)}` }) } },
    'the contract signs for another name',
    'USDC is at 0x8335',
  ],
  [
    'no contract for batches',
    { evm: { hasMulticall: async () => false } },
    'there is no Multicall3',
    'use a node of Base',
  ],
  ['a dry lane', { evm: { balanceWei: async () => 0n } }, 'has 0 ETH', 'send ETH to 0x'],
  [
    'a wrong clock',
    { evm: { newest: async () => ({ seconds: NOW_MS / 1_000 - 600, baseFee: 1n }) } },
    'is 600 s away from our clock',
    'let a time service set the clock',
  ],
  [
    'another cluster',
    { solana: { genesisHash: async () => 'EtWTRABZaYq6' } },
    'SOLANA_RPC_URL it is another cluster',
    'set SOLANA_RPC_URL to a node of solana',
  ],
  [
    'a silent node of Solana',
    { solana: { genesisHash: refuse } },
    'SOLANA_RPC_URL no usable answer',
    'check that SOLANA_RPC_URL is right',
  ],
  ['no mint', { solana: { hasMint: async () => false } }, 'Solana, USDC there is no such mint', 'use a node of solana'],
  ['an unfunded fee payer', { solana: { lamports: async () => 1_000n } }, 'Solana, gas', 'send SOL to'],
  [
    'a missing key',
    { kept: Object.fromEntries(Object.entries(keys).filter(([name]) => name !== 'LANE_KEYS')) },
    'LANE_KEYS is not set',
    'set LANE_KEYS, or let npm run setup make it',
  ],
  [
    'a key in KMS that may not sign',
    { ...KMS_LANE, asks: { kmsAddress: refuse } },
    'key of 0x1a1a1a1a… no usable answer',
    `allow kms:Sign and kms:GetPublicKey on ${LANE_ARN}`,
  ],
  [
    'another key in KMS',
    { ...KMS_LANE, asks: { kmsAddress: async () => `0x${'2b'.repeat(20)}` } },
    `${LANE_ARN} is the key of 0x2b2b`,
    `npm run operator -- kms-address ${LANE_ARN}`,
  ],
  ['a missing token of the bot', { env: { BOT_API_TOKEN: '' } }, 'BOT_API_TOKEN is not set', 'set BOT_API_TOKEN'],
  [
    'keys in the environment',
    { env: { KEYSTORE: '', KEYSTORE_PASSWORD_FILE: '' }, kept: keys },
    'the keys stand in the environment or in files',
    'npm run operator -- keystore-create',
  ],
  [
    'words that nobody wrote down',
    { asks: { keystore: () => ({ secrets: keys, wordsConfirmedAtMs: null }) } },
    'nobody has written down the words',
    'npm run operator -- backup-words',
  ],
  [
    'a keystore that does not open',
    {
      asks: {
        keystore: () => {
          throw new Error('KEYSTORE /keys.json cannot be opened');
        },
      },
    },
    'keystore no usable answer: KEYSTORE /keys.json cannot be opened',
    'check KEYSTORE and KEYSTORE_PASSWORD_FILE',
  ],
  ['Redis away', { asks: { redisPolicy: refuse } }, 'Redis no usable answer', 'check REDIS_URL'],
  [
    'a Redis that evicts',
    {
      asks: {
        redisPolicy: async () => {
          throw new Misconfigured('Redis has maxmemory-policy allkeys-lru');
        },
      },
    },
    'allkeys-lru',
    'set maxmemory-policy noeviction',
  ],
  ['a database that is away', { asks: { database: refuse } }, 'database no usable answer', 'check DATABASE_URL'],
  [
    'a key that was replaced and is gone',
    { asks: { database: async () => ({ missing: 0, stops: [], formers: [former(`0x${'fa'.repeat(20)}`)] }) } },
    `the key of 0x${'fa'.repeat(20)} is not here`,
    'put its key back into the list of former keys',
  ],
  [
    'a key of Solana that was replaced and is gone',
    {
      asks: {
        database: async () => ({ missing: 0, stops: [], formers: [{ ...former(GONE), network: 'solana' as const }] }),
      },
    },
    `the key of ${GONE} is not here`,
    'put its key back into the list of former keys',
  ],
  [
    'money at the address of a key that replaces another',
    {
      asks: { database: async () => ({ missing: 0, stops: [], inUse: [inUse(`0x${'fa'.repeat(20)}`)] }) },
      evm: { usdc: async () => 3_000_000n },
    },
    'new address 3.00 USDC are at 0x',
    'move them away first',
  ],
  ['no backups', { env: { BACKUP_DIR: '' } }, 'BACKUP_DIR is not set', 'set BACKUP_DIR to a folder on another disk'],
  ['backups on the same disk', { asks: { isSameDisk: () => true } }, 'is on the disk of the database', 'another disk'],
  [
    'a backup that does not open',
    { asks: { newestBackup: async () => ({ name: 'b', atMs: NOW_MS, isUsable: false }) } },
    'b cannot be opened',
    'npm run operator -- backup',
  ],
  [
    'a restore that was never tried',
    { args: ['--restored', '2025-01-01'] },
    'restore tried more than 90 days ago',
    'restore once on another machine',
  ],
  ['no public address', { env: { BASE_URL: '' } }, 'BASE_URL is not set', 'set BASE_URL to the https address'],
  [
    'an address of this computer only',
    { env: { BASE_URL: 'http://localhost:8402' } },
    'can be reached from this computer only',
    'set BASE_URL to the https address',
  ],
  [
    'a certificate that is wrong',
    { asks: { status: async (url) => (url.includes('pay.example') ? refuse() : 200) } },
    'address no usable answer',
    'check the certificate',
  ],
  ['no trusted proxy', { env: { TRUSTED_PROXIES: '' } }, 'no proxy is trusted', 'set TRUSTED_PROXIES'],
  [
    'a page of help that is gone',
    { asks: { status: wrongUrl('/help') } },
    'SUPPORT_URL answers 404',
    'set SUPPORT_URL to a page',
  ],
  ['terms that are gone', { asks: { status: wrongUrl('/terms') } }, 'TERMS_URL answers 404', 'set TERMS_URL to a page'],
  [
    'a mail server that refuses',
    { asks: { mailServer: async () => false } },
    'mail the server does not let us in',
    'check SMTP_URL',
  ],
  [
    'a sign-in that is elsewhere',
    { asks: { status: wrongUrl('oauth2/authorize') } },
    'sign-in, X its endpoints answer 404',
    'check X_AUTH_URL and X_TOKEN_URL',
  ],
  [
    'a platform that is half configured',
    { env: { X_CLIENT_SECRET: '' } },
    'X: X_CLIENT_SECRET is not set',
    'set it, or take the others out',
  ],
  [
    'a token that Telegram refuses',
    { asks: { telegramBot: refuse } },
    'Telegram no usable answer',
    'set TELEGRAM_TOKEN',
  ],
  [
    'a token of another application',
    { asks: { discordApplication: async () => application('7') } },
    'DISCORD_TOKEN belongs to application 7',
    'copy token and application id',
  ],
  ['a limit of nothing', { env: { PAYER_DAILY_USDC: '0' } }, 'PAYER_DAILY_USDC is 0', 'set PAYER_DAILY_USDC above 0'],
  ['a day without gas', { env: { BASE_GAS_DAILY: '0' } }, 'BASE_GAS_DAILY is 0', 'set BASE_GAS_DAILY'],
  ['no limit for callers', { env: { RATE_LIMIT_PER_MINUTE: '0' } }, 'RATE_LIMIT_PER_MINUTE is 0', 'such as 600'],
  [
    'a name that nothing reads',
    { strange: ['TELEGRAM_TOKN in .env is not a setting'] },
    'TELEGRAM_TOKN in .env',
    'correct the name',
  ],
  [
    'a screening that does not answer',
    { env: { SCREENING_URL: 'https://screening.example' }, asks: { screening: refuse } },
    'screening no usable answer',
    'check SCREENING_LISTS and SCREENING_URL',
  ],
  ['nobody who is told', { env: { ALERT_CHAT: '' } }, 'alerts nobody is told', 'set ALERT_MAIL, or ALERT_CHAT'],
];

describe('a planted mistake is red, with its cure, and nothing is approved', () => {
  test.each(MISTAKES)('%s', async (_name, planted, found, cure) => {
    const { exitCode, lines } = await doctor({ ...planted, args: [...(planted.args ?? []), '--approve'] });
    expect(exitCode).toBe(1);
    const red = reds(lines);
    expect(red.filter((line) => line.includes(found) && line.includes(cure))).not.toEqual([]);
    // It is said where it is, and no other subject turns red for it.
    expect(new Set(red.map((line) => line.split(' ')[1])).size).toBe(1);
    expect(lines.join('\n')).not.toContain('password@');
    expect(lines.at(-1)).toContain('Not approved');
  });
});

test.each([
  [
    'a stop that stands',
    { database: async () => ({ missing: 0, stops: ['database_restored on all networks'] }) },
    'stopped: database_restored on all networks',
    'do not resume for this',
  ],
  [
    'a former address where money and a payout are',
    {
      database: async () => {
        const [address = ''] = addressesOf('TASK_KEY', keys.TASK_KEY ?? '');
        return { missing: 0, stops: [], formers: [former(address)] };
      },
    },
    '2.00 USDC there, 1 payout signed',
    'keep a worker running',
  ],
  [
    'an own address where nobody listens yet',
    {
      status: async (url) => {
        if (!url.includes('pay.example')) return 200;
        throw new TypeError('fetch failed', { cause: Object.assign(new Error('refused'), { code: 'ECONNREFUSED' }) });
      },
    },
    'nobody answers at https://pay.example.com',
    'expected while the service is not started',
  ],
] satisfies [string, Partial<Asks>, string, string][])(
  '%s is a note, which keeps no release from starting',
  async (_name, asks, found, cure) => {
    const { exitCode, lines } = await doctor({ asks });
    expect([exitCode, reds(lines)]).toEqual([0, []]);
    const at = lines.findIndex((line) => line.startsWith('note') && line.includes(found));
    expect(lines[at + 1]).toContain(cure);
  },
);

describe('a console', () => {
  const OPEN = { ADMIN_PORT: '8403', ADMIN_URL: 'https://console.example.com', HOST: '0.0.0.0' };
  /** Beside the https address nothing answers from outside. */
  const closed = async (url: string) => {
    if (url.startsWith('http://')) throw new TypeError('fetch failed');
    return 200;
  };
  const consoleLines = async (planted: Planted) => {
    const { lines } = await doctor({ ...planted, env: { ...OPEN, ...planted.env } });
    return lines.flatMap((line, at) => (/^(?:note|WRONG|ok) +console/.test(line) ? [`${line} ${lines[at + 1]}`] : []));
  };

  test('that an owner can sign in to, by https alone, is fine', async () => {
    expect(await consoleLines({ asks: { status: closed } })).toEqual([
      expect.stringMatching(/^ok +console +https:\/\/console\.example\.com /),
    ]);
    expect(await consoleLines({ env: { ADMIN_URL: 'http://localhost:8403', HOST: '127.0.0.1' } })).toEqual([
      expect.stringContaining('http://localhost:8403, from this machine'),
    ]);
  });

  test.each([
    ['no owner', { owners: async () => 0, status: closed }, 'no owner has a passkey', 'admin invite <name> owner'],
    ['no database yet', { owners: async () => null, status: closed }, 'before the first start', 'after it: npm run'],
    ['a port that strangers reach', {}, 'port 8403 answers at pay.example.com without TLS', 'keep that port from'],
    [
      'an address that leads elsewhere',
      { status: async (url: string) => (url.includes('console') ? 404 : closed(url)) },
      'https://console.example.com answers 404',
      'let the proxy lead that name',
    ],
  ] satisfies [string, Partial<Asks>, string, string][])(
    '%s is a note with its cure',
    async (_name, asks, found, cure) => {
      const told = (await consoleLines({ asks })).filter((line) => line.startsWith('note'));
      expect(told).toEqual([expect.stringContaining(found)]);
      expect(told[0]).toContain(cure);
    },
  );

  test.each([
    ['http elsewhere', { ADMIN_URL: 'http://console.example.com' }, 'an https address'],
    ['a page of the service', { ADMIN_URL: 'https://pay.example.com' }, 'another host name than that of BASE_URL'],
    ['no address', { ADMIN_URL: '' }, 'required beside ADMIN_PORT'],
  ])('an ADMIN_URL that is %s is refused with the configuration', async (_name, env, cure) => {
    const { exitCode, lines } = await doctor({ env: { ...OPEN, ...env } });
    expect([exitCode, lines.join(' ')]).toEqual([1, expect.stringContaining(cure)]);
  });
});

test('settings that do not even parse are red too', async () => {
  const { exitCode, lines } = await doctor({ env: { PORT: 'many' } });
  expect([exitCode, lines]).toEqual([1, [expect.stringContaining('WRONG  PORT is "many"')]]);
});

test('what is not understood ends with 2', async () => {
  expect((await doctor({ args: ['everything'] })).exitCode).toBe(2);
});

describe('the pass for mainnet', () => {
  const config = parseConfig(SOUND_ENV, keys);
  const release = releaseOf(ROOT);

  test('is needed, is made by --approve alone, and is for this configuration and this release', async () => {
    await expect(assertPass(config, release, ROLES)).rejects.toThrow(/no doctor has approved/);
    await doctor();
    await expect(assertPass(config, release, ROLES)).rejects.toThrow(Misconfigured);
    expect((await doctor({ args: ['--approve'] })).exitCode).toBe(0);
    await assertPass(config, release, ROLES);
    await assertPass(parseConfig({ ...SOUND_ENV, LOG_LEVEL: 'debug' }, keys), release, ROLES);
    const other = parseConfig({ ...SOUND_ENV, PAYER_DAILY_USDC: '5' }, keys);
    await expect(assertPass(other, release, ROLES)).rejects.toThrow(/settings or release changed/);
    await expect(assertPass(config, `${release}0`, ROLES)).rejects.toThrow(/settings or release changed/);
  });

  test('is good for the roles that were looked at, and for no other', async () => {
    expect((await doctor({ args: ['worker', '--approve'] })).exitCode).toBe(0);
    await assertPass(config, release, ['worker']);
    await expect(assertPass(config, release, ['api', 'worker'])).rejects.toThrow(/did not look at what api needs/);
  });

  test('remembers the code of the token, and a change is told the next time', async () => {
    expect((await doctor({ args: ['--approve'] })).exitCode).toBe(0);
    const domain = domainOf(evmProfile('base', 'mainnet'));
    const { lines } = await doctor({ evm: { token: async () => ({ codeHash: `0x${'ff'.repeat(32)}`, domain }) } });
    expect(lines.join('\n')).toContain('the code of the contract has changed since the last pass');
  });

  test('other modes need none', async () => {
    await assertPass(parseConfig({}), release, ROLES);
  });

  test('its hash does not show a key, and changes with each of them', () => {
    const with2 = (name: string) => hashOf(parseConfig(SOUND_ENV, { ...keys, [name]: '0x' + '7'.repeat(64) }), release);
    const hashes = [hashOf(config, release), with2('TREASURY_KEY'), with2('TASK_KEY')];
    expect(new Set(hashes).size).toBe(3);
    for (const hash of hashes) expect(hash).toMatch(/^[0-9a-f]{64}$/);
  });
});
