/** Groups the values by subject and fills in the defaults of design section 9. */
import { microUsdc } from '../money.ts';
import { DEFAULT_NETWORKS, type EvmNetwork, type Network } from '../networks.ts';
import { OAUTH_PLATFORMS, recordOf, type OauthPlatform, type Platform } from '../platforms/platforms.ts';
import { RESERVATIONS_MAX } from '../tasks.ts';
import { NETWORK_VARIABLES, toCostRules } from './networks.ts';
import { secondRpcName, signInName, type Values } from './variables.ts';

const DEFAULT_HOST = '127.0.0.1';
const DEFAULT_PORT = 8402;
/** The relay that Farcaster's apps use. */
const DEFAULT_FARCASTER_RELAY_URL = 'https://relay.farcaster.xyz';

/** Mailbox providers accept a sender of this size, and most servers send that many a day for nothing or for cents. */
const MAILS_DAILY_MAX = 2_000;

type DeepReadonly<T> = T extends string | number | bigint | boolean | null | undefined
  ? T
  : { readonly [Key in keyof T]: DeepReadonly<T[Key]> };

/** `undefined`: made by local mode, or switched off. */
export type Config = DeepReadonly<ReturnType<typeof toConfig>>;

export function toConfig(values: Values) {
  const mode = values.NETWORK_MODE ?? 'local';
  const dataDir = values.DATA_DIR ?? `./data/${mode}`;
  const networks: readonly Network[] = values.NETWORKS ?? DEFAULT_NETWORKS;
  // 'configured': the platforms whose resolving and proof are configured; in local mode all.
  const platforms: 'configured' | readonly Platform[] = values.PLATFORMS ?? 'configured';
  return {
    mode,
    http: toHttp(values),
    dataDir,
    databaseUrl: toDatabase(values, dataDir),
    backups: {
      folder: values.BACKUP_DIR,
      everyMinutes: values.BACKUP_MINUTES ?? 15,
      keep: values.BACKUP_KEEP ?? 96,
    },
    redisUrl: toRedis(values.REDIS_URL),
    redisTls: { caFile: values.REDIS_CA_FILE, certFile: values.REDIS_CERT_FILE, keyFile: values.REDIS_KEY_FILE },
    /** Between two blocks of a local EVM chain. */
    localBlockMs: values.LOCAL_BLOCK_MS ?? 1_000,
    networks,
    platforms,
    base: toEvm(values, 'base'),
    solana: toSolana(values),
    polygon: toEvm(values, 'polygon'),
    keystore: toKeystore(values),
    /** Former addresses whose key others may know: no proof may name them. */
    compromised: values.COMPROMISED_ADDRESSES ?? [],
    installationSecret: values.INSTALLATION_SECRET,
    chatWalletSeed: values.CHAT_WALLET_SEED,
    fees: { bps: values.FEE_BPS ?? 0, flatMicroUsdc: values.FEE_FLAT_USDC ?? microUsdc(0n) },
    /** Of the Machine Payments Protocol. */
    paymentChallenges: values.PAYMENT_CHALLENGES !== 'off',
    /** What other money is worth, and according to whom; none: it is refused. */
    otherMoney: { rates: values.OTHER_MONEY_RATES ?? [], source: values.OTHER_MONEY_SOURCE ?? null },
    costs: toCostRules(values),
    limits: toLimits(values),
    screening: toScreening(values),
    operator: {
      name: values.OPERATOR_NAME ?? 'localhost',
      supportUrl: values.SUPPORT_URL,
      termsUrl: values.TERMS_URL,
      privacyUrl: values.PRIVACY_URL,
    },
    botApiToken: values.BOT_API_TOKEN,
    discord: toDiscord(values),
    telegram: toTelegram(values),
    identity: toIdentity(values),
    admin: {
      token: values.ADMIN_TOKEN,
      metricsPort: values.METRICS_PORT,
      /** Of the console; undefined: there is none. */
      port: values.ADMIN_PORT,
      /** Where people reach it, if not by its port on this machine. */
      url: values.ADMIN_URL,
    },
    alerts: { mail: values.ALERT_MAIL?.toLowerCase(), chat: values.ALERT_CHAT },
    traces: toTraces(values),
    logLevel: values.LOG_LEVEL ?? 'info',
  };
}

/** Undefined: switched off. The path is the standard's. */
function toTraces(values: Values) {
  const { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_TRACES_SAMPLER: sampler } = values;
  if (endpoint === undefined) return undefined;
  const url = new URL(endpoint);
  url.pathname = `${url.pathname.replace(/\/$/, '')}/v1/traces`;
  return {
    endpoint,
    url: url.href,
    headers: values.OTEL_EXPORTER_OTLP_HEADERS ?? [],
    serviceName: values.OTEL_SERVICE_NAME ?? 'pennypost',
    /** Of all payments. */
    share: sampler === 'traceidratio' ? (values.OTEL_TRACES_SAMPLER_ARG ?? 1) : 1,
  };
}

function toDatabase({ DATABASE_URL, DATABASE_POOLER }: Values, dataDir: string) {
  const database = DATABASE_URL ?? { kind: 'sqlite' as const, path: `${dataDir}/pennypost.sqlite` };
  return database.kind === 'postgres' ? { ...database, pooled: DATABASE_POOLER === 'transaction' } : database;
}

function toHttp({ HOST: host = DEFAULT_HOST, PORT: port = DEFAULT_PORT, BASE_URL, TRUSTED_PROXIES = [] }: Values) {
  // With port 0 the address is known only after listening; the listener then derives it with toBaseUrl.
  const baseUrl = BASE_URL ?? (port === 0 ? undefined : toBaseUrl(host, port));
  return { host, port, baseUrl, isBaseUrlGiven: BASE_URL !== undefined, trustedProxies: TRUSTED_PROXIES };
}

/** `http://127.0.0.1:8402`; also used for the address that PORT=0 led to. */
export function toBaseUrl(host: string, port: number): string {
  return new URL(`http://${host.includes(':') ? `[${host}]` : host}:${port}`).origin;
}

type RedisUrl = { kind: 'private' } | { kind: 'single'; url: string } | { kind: 'cluster'; urls: readonly string[] };

function toRedis(urls: Values['REDIS_URL']): RedisUrl {
  const [url] = urls ?? [];
  if (urls === undefined || url === undefined) return { kind: 'private' };
  return urls.length === 1 ? { kind: 'single', url } : { kind: 'cluster', urls };
}

function toEvm(values: Values, network: EvmNetwork) {
  const names = NETWORK_VARIABLES[network];
  return {
    rpcUrl: values[names.rpcUrl],
    secondRpcUrl: values[secondRpcName(network)],
    treasuryKey: values[names.treasuryKey],
    taskKey: values[names.taskKey],
    laneKeys: values[names.laneKeys],
    formerTreasuryKeys: values[names.formerTreasuryKeys],
    formerTaskKeys: values[names.formerTaskKeys],
  };
}

function toSolana(values: Values) {
  return {
    rpcUrl: values.SOLANA_RPC_URL,
    secondRpcUrl: values.SOLANA_SECOND_RPC_URL,
    treasuryKey: values.SOLANA_TREASURY_KEY,
    taskKey: values.SOLANA_TASK_KEY,
    feePayerKey: values.SOLANA_FEE_PAYER_KEY,
    formerTreasuryKeys: values.SOLANA_FORMER_TREASURY_KEYS,
    formerTaskKeys: values.SOLANA_FORMER_TASK_KEYS,
    accountPolicy: values.SOLANA_ATA_POLICY ?? 'min-amount',
    accountMinMicroUsdc: values.SOLANA_ATA_MIN_USDC ?? microUsdc(1_000_000n),
    accountsDailyMax: values.SOLANA_ATA_DAILY ?? 200,
    // With play money nobody gains by new names, and everyone is new.
    accountAgeDays: values.SOLANA_ATA_AGE_DAYS ?? ((values.NETWORK_MODE ?? 'local') === 'local' ? 0 : 30),
  };
}

function toKeystore({ KEYSTORE: path, KEYSTORE_PASSWORD_FILE: passwordFile }: Values) {
  return path !== undefined && passwordFile !== undefined ? { path, passwordFile } : undefined;
}

function toLimits(values: Values) {
  const isLocal = (values.NETWORK_MODE ?? 'local') === 'local';
  return {
    claimTtlDays: values.CLAIM_TTL_DAYS ?? 30,
    exposureCapMicroUsdc: values.EXPOSURE_CAP_USDC ?? microUsdc(2_000_000_000n),
    payerDailyMicroUsdc: values.PAYER_DAILY_USDC ?? microUsdc(1_000_000_000n),
    recipientDailyMicroUsdc: values.RECIPIENT_DAILY_USDC ?? microUsdc(1_000_000_000n),
    purseMaxMicroUsdc: toPurseMax(values),
    retentionDays: values.RETENTION_DAYS ?? 180,
    refundMinMicroUsdc: values.REFUND_MIN_USDC ?? microUsdc(50_000n),
    /** A2A tasks of one caller that wait for their payment; null: any number. */
    reservationsMax: values.A2A_RESERVATIONS_MAX === 0 ? null : (values.A2A_RESERVATIONS_MAX ?? RESERVATIONS_MAX),
    /** Per IP; 0 is off. */
    requestsPerMinute: values.RATE_LIMIT_PER_MINUTE ?? (isLocal ? 6_000 : 600),
    /** Of all kinds; null: any number. Local mode's mails stay on this machine. */
    mailsDailyMax: values.MAIL_DAILY ?? (isLocal ? null : MAILS_DAILY_MAX),
  };
}

/** Without lists and service nothing is screened. */
function toScreening(values: Values) {
  return {
    lists: values.SCREENING_LISTS ?? [],
    url: values.SCREENING_URL,
    token: values.SCREENING_TOKEN,
    timeoutMs: (values.SCREENING_SECONDS ?? 3) * 1_000,
    fails: values.SCREENING_FAILS ?? ('closed' as const),
  };
}

/** What one purse takes from us: null for any sum, 0 for none, because they are closed for new money. */
function toPurseMax({ PURSES, PURSE_MAX_USDC: most = microUsdc(100_000_000n) }: Values) {
  if (PURSES === 'closed') return microUsdc(0n);
  return most === 0n ? null : most;
}

function toDiscord(values: Values) {
  const { DISCORD_TOKEN: token, DISCORD_APP_ID: appId } = values;
  if (token === undefined || appId === undefined) return undefined;
  return { token, appId, apiUrl: values.DISCORD_API_URL };
}

function toTelegram({ TELEGRAM_TOKEN: token, TELEGRAM_WEBHOOK_SECRET, TELEGRAM_API_URL }: Values) {
  if (token === undefined) return undefined;
  return { token, webhookSecret: TELEGRAM_WEBHOOK_SECRET, apiUrl: TELEGRAM_API_URL };
}

function toIdentity(values: Values) {
  return {
    ...recordOf(OAUTH_PLATFORMS, (platform) => toProvider(values, platform)),
    farcasterHubUrl: values.FARCASTER_HUB_URL,
    farcasterRelayUrl: values.FARCASTER_RELAY_URL ?? DEFAULT_FARCASTER_RELAY_URL,
    optimismRpcUrl: values.OPTIMISM_RPC_URL,
    smtpUrl: values.SMTP_URL,
    mailFrom: values.MAIL_FROM,
    dnsServers: values.DNS_SERVERS ?? [],
  };
}

function toProvider(values: Values, platform: OauthPlatform) {
  return {
    clientId: values[signInName(platform, 'CLIENT_ID')],
    clientSecret: values[signInName(platform, 'CLIENT_SECRET')],
    appToken: values[signInName(platform, 'APP_TOKEN')],
    authUrl: values[signInName(platform, 'AUTH_URL')],
    tokenUrl: values[signInName(platform, 'TOKEN_URL')],
    meUrl: values[signInName(platform, 'ME_URL')],
    lookupUrl: values[signInName(platform, 'LOOKUP_URL')],
  };
}
