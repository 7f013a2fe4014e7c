import { NETWORKS, type Network } from '../networks.ts';
import { SCREENING_FAILS } from '../screening/screening.ts';
import { parseEmail } from '../platforms/email.ts';
import { OAUTH_PLATFORMS, PLATFORMS, type OauthPlatform } from '../platforms/platforms.ts';
import { isProblem } from '../platforms/parsed-name.ts';
import { anyAddress, evmKey, installationSecret, serviceToken, solanaKey, walletSeed } from './keys.ts';
import { NOT_SET, showValue, type ConfigProblem } from './problems.ts';
import {
  choice,
  coin,
  dnsServer,
  httpHeader,
  ipRange,
  list,
  listenHost,
  origin,
  pattern,
  plainText,
  platform,
  rate,
  secret,
  share,
  url,
  usdc,
  wholeNumber,
  type Variable,
} from './readers.ts';

const network: Variable<Network> = choice(NETWORKS);

const MODES = ['local', 'testnet', 'mainnet'] as const;

/** So often a network's treasury can be replaced. */
const FORMER_MAX = 16;
/** Former ones of treasuries and task addresses on all networks. */
const COMPROMISED_MAX = 2 * NETWORKS.length * FORMER_MAX;

/** A billion: beyond any use, and every sum is still an exact number in answers. */
const USDC_MAX = 1_000_000_000;

/** The chats in which the operator can be told, each with what its bot needs. */
export const ALERT_BOTS = { telegram: 'TELEGRAM_TOKEN', discord: 'DISCORD_TOKEN' } as const;
const ALERT_PREFIXES = Object.keys(ALERT_BOTS).map((chat) => `${chat}:`);

const port = wholeNumber(0, 65_535);
const httpUrl = url('http', 'https');
const path = plainText(1_000);
const mailAddress: Variable<string> = {
  allowed: 'one e-mail address, such as pay@example.com',
  read: (text) => {
    const parsed = parseEmail(text);
    // An international domain must come as an A-label: a header holds ASCII only.
    return isProblem(parsed) || parsed.key !== text.toLowerCase() ? undefined : text;
  },
};
const credential = pattern(/^[\x21-\x7E]{1,512}$/, '1 to 512 visible ASCII characters without spaces');

const database: Variable<DatabaseUrl> = {
  allowed: 'sqlite:PATH or postgres://USER:PASSWORD@HOST/NAME',
  read: (text) => {
    const sqlitePath = /^sqlite:(?!\/\/)(.+)$/.exec(text)?.[1];
    if (sqlitePath !== undefined) return findPath(sqlitePath);
    const value = url('postgres', 'postgresql').read(text);
    return value === undefined ? undefined : { kind: 'postgres', url: value };
  },
};

export type DatabaseUrl = { kind: 'sqlite'; path: string } | { kind: 'postgres'; url: string };

function findPath(text: string): DatabaseUrl | undefined {
  const value = path.read(text);
  return value === undefined ? undefined : { kind: 'sqlite', path: value };
}

/** The variables of a sign-in provider: `X_CLIENT_ID` and so on, where `X` comes from the row of its platform. */
const SIGN_IN_VARIABLES = {
  CLIENT_ID: credential,
  CLIENT_SECRET: secret(credential),
  APP_TOKEN: secret(credential),
  AUTH_URL: httpUrl,
  TOKEN_URL: httpUrl,
  ME_URL: httpUrl,
  LOOKUP_URL: httpUrl,
} as const satisfies Record<string, Variable<string>>;

type SignInPrefix = (typeof PLATFORMS)[OauthPlatform]['proof']['variables'];
type SignInSuffix = keyof typeof SIGN_IN_VARIABLES;
export type SignInName<Suffix extends SignInSuffix = SignInSuffix> = `${SignInPrefix}_${Suffix}`;

export function signInName<Suffix extends SignInSuffix>(platform: OauthPlatform, suffix: Suffix): SignInName<Suffix> {
  return `${PLATFORMS[platform].proof.variables}_${suffix}`;
}

function signInVariables() {
  const suffixes = Object.keys(SIGN_IN_VARIABLES) as SignInSuffix[];
  const named = OAUTH_PLATFORMS.flatMap((platform) =>
    suffixes.map((suffix) => [signInName(platform, suffix), SIGN_IN_VARIABLES[suffix]]),
  );
  return Object.fromEntries(named) as Record<SignInName, Variable<string>>;
}

export type SecondRpcName = `${Uppercase<Network>}_SECOND_RPC_URL`;

/** Another node of the same chain, whose answers are compared. */
export function secondRpcName(network: Network): SecondRpcName {
  // The cast is true: `toUpperCase` does what the type says.
  return `${network.toUpperCase() as Uppercase<Network>}_SECOND_RPC_URL`;
}

function secondRpcVariables() {
  const named = NETWORKS.map((network) => [secondRpcName(network), secret(httpUrl)]);
  return Object.fromEntries(named) as Record<SecondRpcName, Variable<string>>;
}

/**
 * Every name that is read (design, section 9). All other names belong to other programs and are ignored.
 * A URL that may carry a password, or an API key in its path, is a secret as a whole.
 */
export const VARIABLES = {
  NETWORK_MODE: choice(MODES),
  HOST: listenHost,
  PORT: port,
  BASE_URL: origin,
  DATA_DIR: path,
  DATABASE_URL: secret(database),
  DATABASE_POOLER: choice(['none', 'transaction']),
  BACKUP_DIR: path,
  BACKUP_MINUTES: wholeNumber(1, 1_440),
  BACKUP_KEEP: wholeNumber(1, 10_000),
  REDIS_URL: secret(list(url('redis', 'rediss'), 100)),
  REDIS_CA_FILE: path,
  REDIS_CERT_FILE: path,
  REDIS_KEY_FILE: path,
  LOCAL_BLOCK_MS: wholeNumber(100, 60_000),
  NETWORKS: list(network, NETWORKS.length),
  PLATFORMS: list(platform, 100),
  BASE_RPC_URL: secret(httpUrl),
  SOLANA_RPC_URL: secret(httpUrl),
  POLYGON_RPC_URL: secret(httpUrl),
  ...secondRpcVariables(),
  TREASURY_KEY: secret(evmKey),
  TASK_KEY: secret(evmKey),
  LANE_KEYS: secret(list(evmKey, 64)),
  FORMER_TREASURY_KEYS: secret(list(evmKey, FORMER_MAX)),
  FORMER_TASK_KEYS: secret(list(evmKey, FORMER_MAX)),
  SOLANA_TREASURY_KEY: secret(solanaKey),
  SOLANA_TASK_KEY: secret(solanaKey),
  SOLANA_FEE_PAYER_KEY: secret(solanaKey),
  SOLANA_FORMER_TREASURY_KEYS: secret(list(solanaKey, FORMER_MAX)),
  SOLANA_FORMER_TASK_KEYS: secret(list(solanaKey, FORMER_MAX)),
  POLYGON_TREASURY_KEY: secret(evmKey),
  POLYGON_TASK_KEY: secret(evmKey),
  POLYGON_LANE_KEYS: secret(list(evmKey, 64)),
  POLYGON_FORMER_TREASURY_KEYS: secret(list(evmKey, FORMER_MAX)),
  POLYGON_FORMER_TASK_KEYS: secret(list(evmKey, FORMER_MAX)),
  COMPROMISED_ADDRESSES: list(anyAddress, COMPROMISED_MAX),
  INSTALLATION_SECRET: secret(installationSecret),
  CHAT_WALLET_SEED: secret(walletSeed),
  KEYSTORE: path,
  KEYSTORE_PASSWORD_FILE: path,
  FEE_BPS: wholeNumber(0, 10_000),
  FEE_FLAT_USDC: usdc(10),
  PAYMENT_CHALLENGES: choice(['on', 'off']),
  OTHER_MONEY_RATES: list(rate, 50),
  OTHER_MONEY_SOURCE: plainText(80),
  CLAIM_TTL_DAYS: wholeNumber(1, 365),
  RETENTION_DAYS: wholeNumber(30, 3_650),
  EXPOSURE_CAP_USDC: usdc(USDC_MAX),
  PAYER_DAILY_USDC: usdc(USDC_MAX),
  RECIPIENT_DAILY_USDC: usdc(USDC_MAX),
  PURSE_MAX_USDC: usdc(USDC_MAX),
  PURSES: choice(['open', 'closed']),
  REFUND_MIN_USDC: usdc(10),
  BASE_GAS_DAILY: coin,
  SOLANA_GAS_DAILY: coin,
  POLYGON_GAS_DAILY: coin,
  BASE_COST_USDC: usdc(10),
  SOLANA_COST_USDC: usdc(10),
  POLYGON_COST_USDC: usdc(10),
  SOLANA_ATA_POLICY: choice(['min-amount', 'always', 'never']),
  SOLANA_ATA_MIN_USDC: usdc(10),
  SOLANA_ATA_DAILY: wholeNumber(0, 1_000_000),
  SOLANA_ATA_AGE_DAYS: wholeNumber(0, 3_650),
  RATE_LIMIT_PER_MINUTE: wholeNumber(0, 1_000_000),
  A2A_RESERVATIONS_MAX: wholeNumber(0, 1_000_000),
  MAIL_DAILY: wholeNumber(20, 1_000_000),
  TRUSTED_PROXIES: list(ipRange, 100),
  SCREENING_LISTS: list(path, 20),
  SCREENING_URL: secret(httpUrl),
  SCREENING_TOKEN: secret(credential),
  // Together with the settlement within what clients wait.
  SCREENING_SECONDS: wholeNumber(1, 4),
  SCREENING_FAILS: choice(SCREENING_FAILS),
  OPERATOR_NAME: plainText(80),
  SUPPORT_URL: url('https', 'http', 'mailto'),
  TERMS_URL: url('https', 'http'),
  PRIVACY_URL: url('https', 'http'),
  BOT_API_TOKEN: secret(serviceToken),
  DISCORD_TOKEN: secret(credential),
  DISCORD_APP_ID: pattern(/^[1-9][0-9]{0,19}$/, 'the numeric id of the application'),
  DISCORD_API_URL: httpUrl,
  TELEGRAM_TOKEN: secret(pattern(/^[0-9]+:[A-Za-z0-9_-]+$/, 'the token of the bot, such as 123456:ABC-DEF')),
  TELEGRAM_WEBHOOK_SECRET: secret(pattern(/^[A-Za-z0-9_-]{1,256}$/, '1 to 256 letters, digits, _ or -')),
  TELEGRAM_API_URL: httpUrl,
  FARCASTER_HUB_URL: secret(httpUrl),
  FARCASTER_RELAY_URL: httpUrl,
  OPTIMISM_RPC_URL: secret(httpUrl),
  ...signInVariables(),
  SMTP_URL: secret(url('smtp', 'smtps')),
  MAIL_FROM: mailAddress,
  ALERT_MAIL: mailAddress,
  ALERT_CHAT: pattern(
    new RegExp(`^(?:${ALERT_PREFIXES.join('|')})[1-9][0-9]{0,19}$`),
    `${ALERT_PREFIXES.join(' or ')} and the number of a person there`,
  ),
  DNS_SERVERS: list(dnsServer, 10),
  ADMIN_TOKEN: secret(serviceToken),
  METRICS_PORT: port,
  ADMIN_PORT: port,
  ADMIN_URL: origin,
  OTEL_EXPORTER_OTLP_ENDPOINT: secret(httpUrl),
  OTEL_EXPORTER_OTLP_HEADERS: secret(list(httpHeader, 20)),
  OTEL_SERVICE_NAME: plainText(100),
  OTEL_TRACES_SAMPLER: choice(['always_on', 'traceidratio']),
  OTEL_TRACES_SAMPLER_ARG: share,
  LOG_LEVEL: choice(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']),
} as const satisfies Record<string, Variable<unknown>>;

export type VariableName = keyof typeof VARIABLES;

export const VARIABLE_NAMES = Object.keys(VARIABLES) as readonly VariableName[];

/** Those that may come from a file, whose path is then under `NAME_FILE`. */
export const SECRET_NAMES = VARIABLE_NAMES.filter((name) => (VARIABLES[name] as Variable<unknown>).isSecret === true);

export type Environment = Readonly<Record<string, string | undefined>>;

/** The values as their readers type them. A name that is wrong or not set is undefined. */
export type Values = {
  [Name in VariableName]: (typeof VARIABLES)[Name] extends Variable<infer T> ? T | undefined : never;
};

/** Reads every name. An empty value counts as not set, because that is how `.env` files leave a name out. */
export function readValues(env: Environment): { values: Values; problems: ConfigProblem[] } {
  const problems: ConfigProblem[] = [];
  const read = (name: VariableName): unknown => {
    const text = env[name]?.trim() ?? '';
    if (text === '') return undefined;
    const variable: Variable<unknown> = VARIABLES[name];
    const value = variable.read(text);
    if (value !== undefined) return value;
    const found = showValue(text, variable.isSecret === true);
    problems.push({ name, found, wanted: `allowed: ${variable.allowed}` });
    return undefined;
  };
  // The cast is true: each value comes from the reader of its own name.
  const values = Object.fromEntries(VARIABLE_NAMES.map((name) => [name, read(name)])) as Values;
  return { values, problems };
}

/** For rules on two names: whether this one is absent, rather than wrong and already reported. */
export function isUnset(env: Environment, name: VariableName): boolean {
  return (env[name]?.trim() ?? '') === '';
}

export function missing(name: VariableName, reason: string): ConfigProblem {
  return { name, found: NOT_SET, wanted: `${reason}: ${VARIABLES[name].allowed}` };
}
