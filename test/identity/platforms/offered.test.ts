import { expect, test } from 'vitest';
import { parseConfig } from '../../../core/config/config.ts';
import { PLATFORM_NAMES, type Platform } from '../../../core/platforms/platforms.ts';
import { configuredPlatforms, missingSettings, signInEndpoints } from '../../../identity/platforms/offered.ts';

const offered = (env: Record<string, string>): readonly string[] => configuredPlatforms(parseConfig(env).identity);

const signIn = (prefix: string): Record<string, string> => ({
  [`${prefix}_CLIENT_ID`]: 'id',
  [`${prefix}_CLIENT_SECRET`]: 'secret',
});

const COMPLETE: Readonly<Record<string, Record<string, string>>> = {
  x: { ...signIn('X'), X_APP_TOKEN: 'token' },
  code: signIn('GITHUB'),
  photo: {
    ...signIn('INSTAGRAM'),
    INSTAGRAM_APP_TOKEN: 'token',
    INSTAGRAM_LOOKUP_URL: 'https://graph.example/v25.0/1',
  },
  decsocial: { FARCASTER_HUB_URL: 'https://hub.example', OPTIMISM_RPC_URL: 'https://optimism.example' },
  email: { SMTP_URL: 'smtp://mail.example', MAIL_FROM: 'pay@example.com' },
};

test('without any configuration only domains can be paid', () => {
  expect(offered({})).toEqual(['web']);
});

test.each(Object.entries(COMPLETE))('%s is offered when all it needs is there', (platform, env) => {
  expect([...offered(env)].toSorted()).toEqual([platform, 'web'].toSorted());
});

test.each(
  Object.entries(COMPLETE).flatMap(([platform, env]) => Object.keys(env).map((name) => ({ platform, env, name }))),
)('$platform is not offered without $name', ({ env, name }) => {
  const { [name]: _left, ...rest } = env;
  // A mail server without a sender's address does not even start.
  const isRefused = name === 'MAIL_FROM';
  if (isRefused) expect(() => offered(rest)).toThrow('MAIL_FROM is not set');
  else expect(offered(rest)).toEqual(['web']);
});

test.each(
  Object.entries(COMPLETE).flatMap(([platform, env]) => Object.keys(env).map((name) => ({ platform, env, name }))),
)('without $name it is said that $platform lacks just that', ({ platform, env, name }) => {
  const { [name]: _left, ...rest } = env;
  const { identity } = parseConfig({ ...rest, ...(name === 'MAIL_FROM' ? { SMTP_URL: '' } : {}) });
  const missing = missingSettings(platform as Platform, identity);
  expect(missing).toEqual(name === 'MAIL_FROM' ? ['SMTP_URL', 'MAIL_FROM'] : [name]);
});

test('a platform lacks something exactly where it is not offered', () => {
  for (const env of [{}, ...Object.values(COMPLETE)]) {
    const { identity } = parseConfig(env);
    const lacking = PLATFORM_NAMES.filter((platform) => missingSettings(platform, identity).length > 0);
    expect(PLATFORM_NAMES.filter((platform) => !lacking.includes(platform))).toEqual(configuredPlatforms(identity));
  }
});

test('a sign-in is at its provider unless both endpoints are set', () => {
  expect(signInEndpoints(parseConfig({}).identity, 'x')).toEqual({
    authUrl: 'https://x.com/i/oauth2/authorize',
    tokenUrl: 'https://api.x.com/2/oauth2/token',
  });
  const own = { X_AUTH_URL: 'https://a.example/authorize', X_TOKEN_URL: 'https://a.example/token' };
  expect(signInEndpoints(parseConfig(own).identity, 'x')).toEqual({
    authUrl: own.X_AUTH_URL,
    tokenUrl: own.X_TOKEN_URL,
  });
  expect(() => parseConfig({ X_AUTH_URL: own.X_AUTH_URL })).toThrow('X_TOKEN_URL is not set');
});

test('everything, in the order of the table of platforms', () => {
  expect(offered(Object.assign({}, ...Object.values(COMPLETE)))).toEqual([
    'x',
    'decsocial',
    'code',
    'email',
    'web',
    'photo',
  ]);
});

test('a chat is offered where its bot runs', () => {
  const { identity } = parseConfig({});
  expect(configuredPlatforms(identity, { discord: true, telegram: false })).toEqual(['web', 'discord']);
  expect(configuredPlatforms(identity, { discord: false, telegram: true })).toEqual(['web', 'telegram']);
});
