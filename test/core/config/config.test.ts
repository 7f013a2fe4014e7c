import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { checkRoles, ConfigError, parseConfig, secretValues } from '../../../core/config/config.ts';
import { toBaseUrl } from '../../../core/config/sections.ts';
import { VARIABLE_NAMES, VARIABLES } from '../../../core/config/variables.ts';
import { anyCharacter } from '../any-character.ts';

const KEY_1 = `0x${'1'.repeat(64)}`;
const KEY_2 = `0x${'2'.repeat(64)}`;
const KEY_3 = `0x${'3'.repeat(64)}`;
const SOLANA_KEY = 'z'.repeat(87);
const TOKEN = 'a-token-of-the-bot-with-32-chars';

const TESTNET = {
  NETWORK_MODE: 'testnet',
  BASE_RPC_URL: 'https://rpc.example.com/v2/0123456789abcdef0123',
  SOLANA_RPC_URL: 'https://solana.example.com/v2/0123456789abcdef0123',
  OPERATOR_NAME: 'Example Ltd',
  SUPPORT_URL: 'mailto:help@example.com',
  TERMS_URL: 'https://example.com/terms',
};

function problems(env: Record<string, string | undefined>): string[] {
  try {
    parseConfig(env);
  } catch (error) {
    if (error instanceof ConfigError) return error.message.split('\n');
    throw error;
  }
  return [];
}

describe('defaults', () => {
  test('an empty environment is local mode on loopback', () => {
    expect(parseConfig({})).toMatchObject({
      mode: 'local',
      http: { host: '127.0.0.1', port: 8402, baseUrl: 'http://127.0.0.1:8402', trustedProxies: [] },
      dataDir: './data/local',
      databaseUrl: { kind: 'sqlite', path: './data/local/pennypost.sqlite' },
      redisUrl: { kind: 'private' },
      localBlockMs: 1_000,
      networks: ['base', 'solana'],
      platforms: 'configured',
      base: { rpcUrl: undefined, treasuryKey: undefined, taskKey: undefined, laneKeys: undefined },
      solana: { accountPolicy: 'min-amount', accountMinMicroUsdc: 1_000_000n, accountsDailyMax: 200 },
      keystore: undefined,
      chatWalletSeed: undefined,
      fees: { bps: 0, flatMicroUsdc: 0n },
      limits: {
        claimTtlDays: 30,
        exposureCapMicroUsdc: 2_000_000_000n,
        payerDailyMicroUsdc: 1_000_000_000n,
        recipientDailyMicroUsdc: 1_000_000_000n,
        purseMaxMicroUsdc: 100_000_000n,
        retentionDays: 180,
        refundMinMicroUsdc: 50_000n,
        requestsPerMinute: 6_000,
        reservationsMax: 20,
        mailsDailyMax: null,
      },
      botApiToken: undefined,
      discord: undefined,
      telegram: undefined,
      admin: { token: undefined, metricsPort: undefined, port: undefined, url: undefined },
      logLevel: 'info',
    });
  });

  test('testnet has its own data directory and the smaller rate limit', () => {
    const config = parseConfig(TESTNET);
    expect(config.dataDir).toBe('./data/testnet');
    expect(config.limits).toMatchObject({ requestsPerMinute: 600, reservationsMax: 20, mailsDailyMax: 2_000 });
    expect(config.operator).toEqual({
      name: 'Example Ltd',
      supportUrl: 'mailto:help@example.com',
      termsUrl: 'https://example.com/terms',
    });
  });

  test('an empty value is the same as none, and surrounding space is dropped', () => {
    expect(parseConfig({ PORT: '', TREASURY_KEY: '  ', LOG_LEVEL: ' debug ' }).logLevel).toBe('debug');
  });

  test('traces: the path is that of the standard, headers may be encoded, and a part is asked for by two names', () => {
    const env = {
      OTEL_EXPORTER_OTLP_ENDPOINT: 'https://otel.example.com/team/',
      OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer%20a-long-token, x-team=one',
      OTEL_TRACES_SAMPLER_ARG: '0.25',
    };
    const config = parseConfig(env);
    const url = 'https://otel.example.com/team/v1/traces';
    const headers = [
      ['authorization', 'Bearer a-long-token'],
      ['x-team', 'one'],
    ];
    expect(config.traces).toEqual({
      endpoint: env.OTEL_EXPORTER_OTLP_ENDPOINT,
      url,
      headers,
      serviceName: 'pennypost',
      share: 1,
    });
    expect(parseConfig({ ...env, OTEL_TRACES_SAMPLER: 'traceidratio' }).traces?.share).toBe(0.25);
    expect(secretValues(config)).toEqual(expect.arrayContaining(['Bearer a-long-token', config.traces?.endpoint]));
    expect(problems({ OTEL_TRACES_SAMPLER_ARG: '1.5', OTEL_EXPORTER_OTLP_HEADERS: 'a=%zz' })).toHaveLength(2);
    expect(problems({ OTEL_EXPORTER_OTLP_HEADERS: 'a=%ff' })).toHaveLength(1);
  });

  test('a collector gets its token over TLS, or on this machine', () => {
    const to = (endpoint: string, headers = 'authorization=Bearer%20a-long-token') =>
      problems({ OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_EXPORTER_OTLP_HEADERS: headers });
    expect(to('http://otel.example.com/')).toHaveLength(1);
    expect(to('http://127.0.0.1:4318/')).toEqual([]);
    expect(problems({ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://otel.example.com/' })).toEqual([]);
  });

  test('names of others are left alone, even with a prefix of ours', () => {
    expect(problems({ SOLANA_SOMETHING: 'x', DISCORD_X: 'y', PATH: '/bin', X_: '1', FEE: 'no' })).toEqual([]);
  });

  test('with port 0 the address is known only after listening', () => {
    expect(parseConfig({ PORT: '0' }).http).toMatchObject({ port: 0, baseUrl: undefined });
    expect(parseConfig({ PORT: '0', BASE_URL: 'http://localhost:9/' }).http.baseUrl).toBe('http://localhost:9');
    expect(toBaseUrl('::1', 8402)).toBe('http://[::1]:8402');
    expect(toBaseUrl('127.0.0.1', 80)).toBe('http://127.0.0.1');
  });
});

describe('valid values', () => {
  test.each([
    ['sqlite:data/x.db', { kind: 'sqlite', path: 'data/x.db' }],
    ['sqlite:/var/lib/x.db', { kind: 'sqlite', path: '/var/lib/x.db' }],
    ['sqlite::memory:', { kind: 'sqlite', path: ':memory:' }],
    ['postgres://u:p@db/pay', { kind: 'postgres', url: 'postgres://u:p@db/pay', pooled: false }],
    [
      'postgresql:///pay?host=/run/postgresql',
      { kind: 'postgres', url: 'postgresql:///pay?host=/run/postgresql', pooled: false },
    ],
  ])('DATABASE_URL %s', (text, expected) => {
    expect(parseConfig({ DATABASE_URL: text }).databaseUrl).toEqual(expected);
  });

  test.each([
    ['redis://localhost:6379', { kind: 'single', url: 'redis://localhost:6379' }],
    ['redis://a:1, rediss://b:2', { kind: 'cluster', urls: ['redis://a:1', 'rediss://b:2'] }],
  ])('REDIS_URL %s', (text, expected) => {
    expect(parseConfig({ REDIS_URL: text }).redisUrl).toEqual(expected);
  });

  test.each(['127.0.0.1', '127.255.0.9', '::1', 'localhost', 'LOCALHOST'])('local mode may listen on %s', (host) => {
    expect(parseConfig({ HOST: host }).http.host).toBe(host);
  });

  test('platforms may be named by their aliases, each once', () => {
    expect(parseConfig({ PLATFORMS: 'x, github,email,code' }).platforms).toEqual(['x', 'code', 'email']);
  });

  test('keys, tokens, providers and limits are read into their groups', () => {
    const config = parseConfig({
      ...TESTNET,
      TREASURY_KEY: KEY_1,
      LANE_KEYS: `${KEY_2},${KEY_3}`,
      SOLANA_TREASURY_KEY: SOLANA_KEY,
      CHAT_WALLET_SEED: 'ab'.repeat(32),
      BOT_API_TOKEN: TOKEN,
      DISCORD_TOKEN: 'discord-token',
      DISCORD_APP_ID: '42',
      TELEGRAM_TOKEN: '1:ABC-DEF',
      GITHUB_CLIENT_ID: 'id',
      FEE_BPS: '25',
      FEE_FLAT_USDC: '0.001',
      RATE_LIMIT_PER_MINUTE: '0',
      A2A_RESERVATIONS_MAX: '0',
      TRUSTED_PROXIES: '10.0.0.0/8, ::1',
      DNS_SERVERS: '9.9.9.9,127.0.0.1:5353,[::1]:53',
      SOLANA_ATA_POLICY: 'never',
    });
    expect(config.base).toMatchObject({ treasuryKey: KEY_1, laneKeys: [KEY_2, KEY_3] });
    expect(config.solana).toMatchObject({ treasuryKey: SOLANA_KEY, accountPolicy: 'never' });
    expect(config.discord).toMatchObject({ token: 'discord-token', appId: '42' });
    expect(config.telegram).toMatchObject({ token: '1:ABC-DEF' });
    expect(config.identity.code.clientId).toBe('id');
    expect(config.identity.farcasterRelayUrl).toBe('https://relay.farcaster.xyz');
    expect(config.identity.dnsServers).toEqual(['9.9.9.9', '127.0.0.1:5353', '[::1]:53']);
    expect(config.fees).toEqual({ bps: 25, flatMicroUsdc: 1_000n });
    expect(config.limits).toMatchObject({ requestsPerMinute: 0, reservationsMax: null });
    expect(config.http.trustedProxies).toEqual(['10.0.0.0/8', '::1']);
  });
});

describe('wrong values', () => {
  test.each([
    ['NETWORK_MODE', 'prod', 'local, testnet'],
    ['NETWORK_MODE', 'mainet', 'local, testnet, mainnet'],
    ['NETWORK_MODE', 'LOCAL', 'local, testnet'],
    ['LOCAL_BLOCK_MS', '99', 'a whole number from 100 to 60000'],
    ['NETWORKS', 'ethereum', 'base, solana, polygon'],
    ['NETWORKS', 'base,', 'base, solana, polygon'],
    ['PLATFORMS', 'x,facebook', 'x, decsocial, code, email, web, photo, discord, telegram'],
    ['HOST', '0.0.0.0', 'allowed in local mode: 127.0.0.1, ::1, localhost'],
    ['HOST', '::', 'allowed in local mode'],
    ['HOST', '192.168.1.5', 'allowed in local mode'],
    ['HOST', '127.0.0.1.evil.com', 'allowed in local mode'],
    ['HOST', '::ffff:127.0.0.1', 'allowed in local mode'],
    ['HOST', '127.1', 'an IP address or a host name'],
    ['HOST', '127.0.0.256', 'an IP address or a host name'],
    ['HOST', 'http://localhost', 'an IP address or a host name'],
    ['PORT', '65536', 'a whole number from 0 to 65535'],
    ['PORT', '-1', 'a whole number from 0 to 65535'],
    ['PORT', '80.5', 'a whole number from 0 to 65535'],
    ['PORT', '0x50', 'a whole number from 0 to 65535'],
    ['PORT', '1e3', 'a whole number from 0 to 65535'],
    ['PORT', 'eighty', 'a whole number from 0 to 65535'],
    ['BASE_URL', 'pay.example.com', 'an http or https address without a path'],
    ['BASE_URL', 'https://a.com/x', 'an http or https address without a path'],
    ['BASE_URL', 'ftp://a.com', 'an http or https address without a path'],
    ['FEE_BPS', '10001', 'a whole number from 0 to 10000'],
    ['FEE_FLAT_USDC', '0.0000001', 'at most 6 decimals'],
    ['FEE_FLAT_USDC', '1,5', 'such as 0.05'],
    ['FEE_FLAT_USDC', '11', 'from 0 to 10'],
    ['CLAIM_TTL_DAYS', '0', 'a whole number from 1 to 365'],
    ['SOLANA_ATA_POLICY', 'some', 'min-amount, always, never'],
    ['RATE_LIMIT_PER_MINUTE', 'off', 'a whole number from 0'],
    ['TRUSTED_PROXIES', '10.0.0.0/33', 'an IP address or a range'],
    ['OPERATOR_NAME', 'a\u202Eb', '1 to 80 characters, all of them visible'],
    ['SUPPORT_URL', 'help', 'https: or http: or mailto:'],
    ['TERMS_URL', 'javascript:alert(1)', 'https: or http:'],
    ['DNS_SERVERS', 'dns.example.com', 'an IP address with or without a port'],
    ['DNS_SERVERS', '9.9.9.9:70000', 'an IP address with or without a port'],
    ['MAIL_FROM', 'pennypost', 'one e-mail address'],
    ['MAIL_FROM', 'a@example.com,b@example.com', 'one e-mail address'],
    ['MAIL_FROM', 'Pay <pay@example.com>', 'one e-mail address'],
    ['MAIL_FROM', 'pay@bücher.de', 'one e-mail address'],
    ['X_ME_URL', 'api.x.com/2/users/me', 'a URL that starts with http: or https:'],
    ['FARCASTER_RELAY_URL', 'wss://relay.example.com', 'a URL that starts with http: or https:'],
    ['LOG_LEVEL', 'verbose', 'trace, debug, info, warn, error, fatal, silent'],
  ])('%s=%s stops the start with name, value and what is allowed', (name, value, allowed) => {
    const lines = problems({ [name]: value }).filter((line) => line.startsWith(`${name} is `));
    expect(lines).toHaveLength(1);
    expect(lines[0]).toContain(value.replace('\u202E', 'U+202E'));
    expect(lines[0]).toContain(allowed);
  });

  test.each([
    ['TREASURY_KEY', '1'.repeat(64)],
    ['TREASURY_KEY', `0x${'0'.repeat(64)}`],
    ['TREASURY_KEY', `0x${'f'.repeat(64)}`],
    ['TREASURY_KEY', `0x${'g'.repeat(64)}`],
    ['TASK_KEY', `0x${'1'.repeat(63)}`],
    ['LANE_KEYS', `${KEY_1},hunter2hunter2`],
    ['SOLANA_TREASURY_KEY', 'z'.repeat(86)],
    ['SOLANA_FEE_PAYER_KEY', `${'z'.repeat(86)}0`],
    ['CHAT_WALLET_SEED', 'correct horse battery staple'],
    ['BOT_API_TOKEN', 'short-secret'],
    ['DATABASE_URL', 'mysql://root:hunter2@db/pay'],
    ['DATABASE_URL', 'sqlite://data/x.db'],
    ['REDIS_URL', 'http://:hunter2@redis'],
    ['BASE_RPC_URL', 'wss://rpc.example.com/v2/hunter2'],
    ['SMTP_URL', 'https://user:hunter2@mail'],
    ['TELEGRAM_TOKEN', 'secret-of-telegram'],
    ['ADMIN_TOKEN', 'admin-secret'],
  ])('a wrong %s is reported without any part of it', (name, value) => {
    const [line, ...others] = problems({ [name]: value });
    expect(others).toEqual([]);
    expect(line).toMatch(
      new RegExp(`^${name} is set, but its ${value.length} characters are not a valid value; allowed: `),
    );
    const parts = value.split(/[^A-Za-z0-9]+/).filter((part) => part.length > 5 && part !== 'sqlite');
    expect(parts.filter((part) => line?.includes(part))).toEqual([]);
  });

  test.each([
    ['PORT', KEY_1],
    ['HOST', TOKEN],
    ['LOG_LEVEL', 'postgres://u:hunter2@db'],
    ['DISCORD_APP_ID', 'MTk4NjIyNDgzNDcxOTI1MjQ4.Cl2FMQ.ZnCjm1XVW7vRze4b7Cq4se7kKWs'],
  ])('a secret pasted beside the wrong name, %s, is not shown either', (name, value) => {
    expect(problems({ [name]: value }).join('\n')).not.toContain(value);
    expect(problems({ [name]: value })).toHaveLength(1);
  });

  test('all wrong values are reported at once, a line each', () => {
    const lines = problems({ PORT: 'x', LOG_LEVEL: 'y', HOST: '0.0.0.0', TREASURY_KEY: 'z' });
    expect(lines.map((line) => line.split(' ')[0])).toEqual(['PORT', 'TREASURY_KEY', 'LOG_LEVEL', 'HOST']);
  });

  test('a value with line breaks stays on its line', () => {
    expect(problems({ LOG_LEVEL: 'in\nfo' })).toHaveLength(1);
  });

  test('whatever the environment holds, the answer is a configuration or a ConfigError without secrets', () => {
    const secretNames = VARIABLE_NAMES.filter((name) => 'isSecret' in VARIABLES[name]);
    const entry = fc.tuple(
      fc.constantFrom(...VARIABLE_NAMES),
      fc.string({ unit: anyCharacter, minLength: 1, maxLength: 60 }),
    );
    fc.assert(
      fc.property(fc.array(entry, { maxLength: 6 }), (entries) => {
        const env = Object.fromEntries(entries);
        const marked = Object.fromEntries(secretNames.map((name) => [name, env[name] && `${env[name]} qX7!marker`]));
        expect(problems({ ...env, ...marked }).join('\n')).not.toContain('qX7!marker');
      }),
    );
  });
});

describe('rules between names', () => {
  test.each([
    ['BASE_RPC_URL', {}],
    ['OPERATOR_NAME', {}],
    ['SUPPORT_URL', {}],
    ['TERMS_URL', {}],
    ['BASE_URL', { HOST: '0.0.0.0' }],
  ])('%s is required outside local mode', (name, extra) => {
    const [line, ...others] = problems({ ...TESTNET, ...extra, [name]: undefined });
    expect(others).toEqual([]);
    expect(line).toMatch(new RegExp(`^${name} is not set; required on testnet: `));
  });

  test('a required name that is wrong is reported once, as wrong', () => {
    expect(problems({ ...TESTNET, BASE_RPC_URL: 'nonsense' })).toHaveLength(1);
  });

  test('outside local mode the address of the service is https, unless it is loopback', () => {
    expect(problems({ ...TESTNET, BASE_URL: 'http://pay.example.com' })).toEqual([
      'BASE_URL is "http://pay.example.com"; required on testnet: an https address',
    ]);
    expect(problems({ ...TESTNET, BASE_URL: 'http://localhost:8402' })).toEqual([]);
    expect(problems({ ...TESTNET, HOST: '0.0.0.0', BASE_URL: 'https://pay.example.com' })).toEqual([]);
  });

  test.each([
    ...['X', 'GITHUB', 'INSTAGRAM'].flatMap((name) => [`${name}_AUTH_URL`, `${name}_TOKEN_URL`, `${name}_ME_URL`]),
    'FARCASTER_RELAY_URL',
  ])('outside local mode %s is https, even on this machine', (name) => {
    const url = 'http://127.0.0.1:9/token';
    // These two are set together.
    const other = name.replace(/(?:AUTH|TOKEN)_URL$/, (end) => (end === 'AUTH_URL' ? 'TOKEN_URL' : 'AUTH_URL'));
    const beside = { [other]: 'https://provider.example.com/other' };
    expect(problems({ ...TESTNET, ...beside, [name]: url })).toEqual([
      `${name} is "${url}"; required on testnet: an https address`,
    ]);
    expect(problems({ ...TESTNET, ...beside, [name]: 'https://provider.example.com/token' })).toEqual([]);
    expect(problems({ ...beside, [name]: url })).toEqual([]);
  });

  test.each(['BASE', 'SOLANA'])('a node of %s is not compared with itself', (network) => {
    const url = 'https://node.example.com/v2/0123456789abcdef';
    const [first, second] = [`${network}_RPC_URL`, `${network}_SECOND_RPC_URL`];
    expect(problems({ ...TESTNET, [first]: url, [second]: url })).toEqual([
      `${second} is the same address as ${first}; allowed: another node`,
    ]);
    expect(problems({ ...TESTNET, [first]: url, [second]: `${url}0` })).toEqual([]);
  });

  test.each(['https://mainnet.example.com', 'http://127.0.0.1.evil.com', 'http://10.0.0.1:8545'])(
    'local mode never talks to the chain at %s',
    (url) => {
      expect(problems({ BASE_RPC_URL: url })).toEqual([
        'BASE_RPC_URL is the address of another machine; allowed in local mode: a loopback URL',
      ]);
      expect(problems({ BASE_SECOND_RPC_URL: url })).toEqual([
        'BASE_SECOND_RPC_URL is the address of another machine; allowed in local mode: a loopback URL',
      ]);
      expect(problems({ BASE_RPC_URL: 'http://127.0.0.1:8545' })).toEqual([]);
      expect(problems({ BASE_RPC_URL: 'http://[::1]:8545' })).toEqual([]);
    },
  );

  test.each([
    [
      { REDIS_URL: 'rediss://a', REDIS_CERT_FILE: 'c.pem' },
      'REDIS_KEY_FILE is not set; required beside REDIS_CERT_FILE',
    ],
    [
      { REDIS_URL: 'rediss://a', REDIS_KEY_FILE: 'k.pem' },
      'REDIS_CERT_FILE is not set; required beside REDIS_KEY_FILE',
    ],
    [{ REDIS_URL: 'redis://a', REDIS_CA_FILE: 'ca.pem' }, 'REDIS_CA_FILE is set without TLS'],
    [{ REDIS_CA_FILE: 'ca.pem' }, 'REDIS_CA_FILE is set without TLS'],
    [{ KEYSTORE: 'keys.json' }, 'KEYSTORE_PASSWORD_FILE is not set; required beside KEYSTORE'],
    [{ KEYSTORE_PASSWORD_FILE: 'pw' }, 'KEYSTORE is not set; required beside KEYSTORE_PASSWORD_FILE'],
    [{ DISCORD_TOKEN: 'token' }, 'DISCORD_APP_ID is not set; required beside DISCORD_TOKEN'],
    [{ DISCORD_APP_ID: '1' }, 'DISCORD_TOKEN is not set; required beside DISCORD_APP_ID'],
    [{ TELEGRAM_WEBHOOK_SECRET: 's' }, 'TELEGRAM_TOKEN is not set; required beside TELEGRAM_WEBHOOK_SECRET'],
    [{ ALERT_CHAT: 'telegram:12345' }, 'TELEGRAM_TOKEN is not set; required beside ALERT_CHAT'],
    [{ ALERT_CHAT: 'discord:12345' }, 'DISCORD_TOKEN is not set; required beside ALERT_CHAT'],
    [
      { ALERT_CHAT: 'telegram:12345', DISCORD_TOKEN: 'token', DISCORD_APP_ID: '1' },
      'TELEGRAM_TOKEN is not set; required beside ALERT_CHAT',
    ],
    [{ SMTP_URL: 'smtp://mail.example.com' }, 'MAIL_FROM is not set; required beside SMTP_URL'],
    [{ METRICS_PORT: '8402' }, 'METRICS_PORT is "8402", as is PORT'],
    [{ ADMIN_PORT: '8402' }, 'ADMIN_PORT is "8402", as is PORT'],
    [{ ADMIN_PORT: '9000', METRICS_PORT: '9000' }, 'ADMIN_PORT is "9000", as is METRICS_PORT'],
    [{ ADMIN_PORT: '9000', ADMIN_URL: 'http://console.example.com' }, 'ADMIN_URL is "http://console.example.com"'],
    [{ ADMIN_PORT: '9000', ADMIN_URL: 'http://127.0.0.1:9000' }, 'ADMIN_URL is "http://127.0.0.1:9000"'],
    [{ ADMIN_PORT: '9000', ADMIN_URL: 'https://10.0.0.1' }, 'ADMIN_URL is "https://10.0.0.1"; allowed: a name'],
    [
      { ADMIN_PORT: '9000', ADMIN_URL: 'https://pay.example.com:9000', BASE_URL: 'https://pay.example.com' },
      'ADMIN_URL is "https://pay.example.com:9000"; allowed: another host name',
    ],
    [{ ADMIN_URL: 'https://console.example.com' }, 'ADMIN_PORT is not set; required beside ADMIN_URL'],
    [{ KEYSTORE: 'k', KEYSTORE_PASSWORD_FILE: 'p', TREASURY_KEY: KEY_1 }, 'TREASURY_KEY is set beside KEYSTORE'],
  ])('%j does not fit together', (env, beginning) => {
    const lines = problems(env);
    expect(lines).toHaveLength(1);
    expect(lines[0]?.startsWith(beginning)).toBe(true);
  });

  test('one key never has two jobs, and the message does not show it', () => {
    expect(problems({ TREASURY_KEY: KEY_1, TASK_KEY: KEY_1, LANE_KEYS: `${KEY_2},${KEY_1}` })).toEqual([
      'TASK_KEY is the same key as TREASURY_KEY; allowed: a key of its own',
      'LANE_KEYS is the same key as TREASURY_KEY; allowed: a key of its own',
    ]);
    const letters = `0x${'ab'.repeat(32)}`;
    expect(problems({ TREASURY_KEY: letters, TASK_KEY: `0x${'AB'.repeat(32)}` })).toHaveLength(1);
  });
});

describe('roles', () => {
  test('outside local mode each role names the keys it lacks', () => {
    const config = parseConfig(TESTNET);
    const absent = (...roles: ('api' | 'worker' | 'bot')[]) => {
      try {
        checkRoles(config, roles);
      } catch (error) {
        if (error instanceof ConfigError) return error.problems.map(({ name }) => name);
        throw error;
      }
      return [];
    };
    const onSolana = ['SOLANA_TREASURY_KEY', 'SOLANA_FEE_PAYER_KEY'];
    expect(absent('api')).toEqual(['TREASURY_KEY', ...onSolana]);
    expect(absent('worker')).toEqual(['TREASURY_KEY', 'LANE_KEYS', ...onSolana]);
    expect(absent('bot')).toEqual(['CHAT_WALLET_SEED', 'BOT_API_TOKEN', 'BASE_URL']);
    const all = ['TREASURY_KEY', 'LANE_KEYS', ...onSolana, 'CHAT_WALLET_SEED', 'BOT_API_TOKEN'];
    expect(absent('api', 'worker', 'bot')).toEqual(all);
  });

  test('the bot is refused where Base is not offered, and says why', () => {
    const onSolanaOnly = parseConfig({ NETWORKS: 'solana' });
    expect(() => checkRoles(onSolanaOnly, ['api', 'worker'])).not.toThrow();
    expect(() => checkRoles(onSolanaOnly, ['api', 'worker', 'bot'])).toThrow('the bot pays on Base');
  });

  test('a bot without an API beside it has to be told where the API is', () => {
    expect(() => checkRoles(parseConfig({}), ['worker', 'bot'])).toThrow('BASE_URL');
    expect(() => checkRoles(parseConfig({}), ['api', 'bot'])).not.toThrow();
    expect(() => checkRoles(parseConfig({ BASE_URL: 'http://localhost:9' }), ['bot'])).not.toThrow();
  });

  test('nothing is lacking in local mode', () => {
    expect(() => checkRoles(parseConfig({}), ['api', 'worker', 'bot'])).not.toThrow();
  });

  test('what a keystore holds counts like what is set, and what it lacks is named', () => {
    const env = { ...TESTNET, KEYSTORE: 'keys.json', KEYSTORE_PASSWORD_FILE: 'pw', NETWORKS: 'base' };
    const whole = parseConfig(env, { TREASURY_KEY: KEY_1, LANE_KEYS: KEY_2 });
    expect(() => checkRoles(whole, ['api', 'worker'])).not.toThrow();
    expect(secretValues(whole)).toContain(KEY_1);
    const half = parseConfig(env, { TREASURY_KEY: KEY_1 });
    expect(() => checkRoles(half, ['api', 'worker'])).toThrow('LANE_KEYS is not set; required by the worker');
  });

  test('two keys of a keystore may not be the same either', () => {
    const env = { ...TESTNET, KEYSTORE: 'keys.json', KEYSTORE_PASSWORD_FILE: 'pw' };
    expect(() => parseConfig(env, { TREASURY_KEY: KEY_1, LANE_KEYS: KEY_1 })).toThrow('the same key as TREASURY_KEY');
  });
});

describe('secrets', () => {
  const valid: Record<string, string> = {
    ...TESTNET,
    DATABASE_URL: 'postgres://u:data%40base-pw@db/pay',
    REDIS_URL: 'redis://:redis-pw-1@r',
    SOLANA_RPC_URL: 'https://solana.example.com/?api-key=0123456789abcdef',
    BASE_SECOND_RPC_URL: 'https://base.example.org/v2/fedcba9876543210',
    OTEL_EXPORTER_OTLP_ENDPOINT: 'https://otel.example.com/v1/fedcba9876543210',
    OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer%20of-the-collector',
    SOLANA_SECOND_RPC_URL: 'https://solana.example.org/?api-key=fedcba9876543210',
    POLYGON_SECOND_RPC_URL: 'https://polygon.example.org/v2/fedcba9876543210',
    TREASURY_KEY: KEY_1,
    TASK_KEY: KEY_2,
    LANE_KEYS: KEY_3,
    SOLANA_TREASURY_KEY: SOLANA_KEY,
    SOLANA_TASK_KEY: `${'z'.repeat(86)}y`,
    SOLANA_FEE_PAYER_KEY: `${'z'.repeat(86)}x`,
    POLYGON_RPC_URL: 'https://polygon.example.com/v2/0123456789abcdef',
    POLYGON_TREASURY_KEY: `0x${'a1'.repeat(32)}`,
    POLYGON_TASK_KEY: `0x${'a2'.repeat(32)}`,
    POLYGON_LANE_KEYS: `0x${'a3'.repeat(32)}`,
    FORMER_TREASURY_KEYS: `0x${'f1'.repeat(32)}`,
    FORMER_TASK_KEYS: `0x${'f2'.repeat(32)}`,
    POLYGON_FORMER_TREASURY_KEYS: `0x${'f3'.repeat(32)}`,
    POLYGON_FORMER_TASK_KEYS: `0x${'f4'.repeat(32)}`,
    SOLANA_FORMER_TREASURY_KEYS: `${'z'.repeat(86)}w`,
    SOLANA_FORMER_TASK_KEYS: `${'z'.repeat(86)}v`,
    CHAT_WALLET_SEED: `0x${'cd'.repeat(32)}`,
    INSTALLATION_SECRET: 'de'.repeat(32),
    BOT_API_TOKEN: TOKEN,
    DISCORD_TOKEN: 'discord-token',
    DISCORD_APP_ID: '42',
    TELEGRAM_TOKEN: '1:ABC-DEF',
    TELEGRAM_WEBHOOK_SECRET: 'telegram-hook',
    FARCASTER_HUB_URL: 'https://hub.example.com/',
    X_CLIENT_SECRET: 'x-client-secret',
    X_APP_TOKEN: 'x-app-token',
    GITHUB_CLIENT_SECRET: 'github-client-secret',
    GITHUB_APP_TOKEN: 'github-app-token',
    INSTAGRAM_CLIENT_SECRET: 'instagram-client-secret',
    INSTAGRAM_APP_TOKEN: 'instagram-app-token',
    OPTIMISM_RPC_URL: 'https://optimism.example.com/v2/',
    SMTP_URL: 'smtps://user:mail-pw-1@mail',
    MAIL_FROM: 'pay@example.com',
    ADMIN_TOKEN: 'an-admin-token-that-has-32-chars',
    SCREENING_URL: 'https://screening.example.com/v1/',
    SCREENING_TOKEN: 'screening-token',
  };

  test.each(VARIABLE_NAMES.filter((name) => 'isSecret' in VARIABLES[name]))(
    '%s is among the texts to scrub',
    (name) => {
      expect(valid[name]).toBeDefined();
      expect(secretValues(parseConfig(valid))).toContain(valid[name]);
    },
  );

  test.each(['data%40base-pw', 'data@base-pw', 'redis-pw-1', 'mail-pw-1', '0123456789abcdef0123', '0123456789abcdef'])(
    'the password or key %s inside a URL is scrubbed by itself too',
    (part) => {
      expect(secretValues(parseConfig(valid))).toContain(part);
    },
  );

  test('longer texts come first, keys also without 0x, and nothing short or public is among them', () => {
    const secrets = secretValues(parseConfig(valid));
    expect(secrets).toEqual(secrets.toSorted((a, b) => b.length - a.length));
    expect(secrets).toContain('1'.repeat(64));
    expect(secrets.every((text) => text.length >= 6)).toBe(true);
    expect(secrets).not.toContain('Example Ltd');
  });

  test('an empty configuration has no secrets', () => {
    expect(secretValues(parseConfig({}))).toEqual([]);
  });
});
