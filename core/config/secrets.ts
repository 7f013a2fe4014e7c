import { NETWORKS, type Network } from '../networks.ts';
import { OAUTH_PLATFORMS } from '../platforms/platforms.ts';
import { isKmsKey } from './keys.ts';
import type { Config } from './sections.ts';

/** Shorter texts occur by chance: scrubbing them would make a log unreadable and show where the secret was. */
const SECRET_LENGTH_MIN = 6;

/** A path segment or query value this long is an API key rather than a word. */
const URL_KEY_LENGTH_MIN = 16;

export function listSecrets(config: Config): string[] {
  const { identity, discord, telegram, admin, screening } = config;
  const chains = NETWORKS.map((network) => config[network]);
  const providers = OAUTH_PLATFORMS.map((platform) => identity[platform]);
  const keys = [...chains.flatMap(keysOf), config.installationSecret, config.chatWalletSeed].flatMap(toKeyForms);
  const texts = [
    config.botApiToken,
    admin.token,
    screening.token,
    discord?.token,
    telegram?.token,
    telegram?.webhookSecret,
    ...(config.traces?.headers.flatMap(toHeaderForms) ?? []),
    ...providers.flatMap(({ clientSecret, appToken }) => [clientSecret, appToken]),
  ];
  const urls = [
    ...chains.flatMap(({ rpcUrl, secondRpcUrl }) => [rpcUrl, secondRpcUrl]),
    screening.url,
    identity.smtpUrl,
    identity.farcasterHubUrl,
    identity.optimismRpcUrl,
    config.traces?.endpoint,
    config.databaseUrl.kind === 'postgres' ? config.databaseUrl.url : undefined,
    config.redisUrl.kind === 'single' ? config.redisUrl.url : undefined,
    ...(config.redisUrl.kind === 'cluster' ? config.redisUrl.urls : []),
  ];
  const all = [...keys, ...texts, ...urls.flatMap(toUrlForms)].filter((text) => text !== undefined);
  return [...new Set(all)].filter((text) => text.length >= SECRET_LENGTH_MIN).toSorted((a, b) => b.length - a.length);
}

/** As they are configured: treasury, tasks, lanes or fee payer, and what was replaced. */
export function keysOf(chain: Config[Network]): (string | undefined)[] {
  const { treasuryKey, taskKey, formerTreasuryKeys = [], formerTaskKeys = [] } = chain;
  const sending = 'laneKeys' in chain ? (chain.laneKeys ?? []) : [chain.feePayerKey];
  return [treasuryKey, taskKey, ...sending, ...formerTreasuryKeys, ...formerTaskKeys];
}

/** Libraries print a key with or without its prefix. Where a key is in KMS is no secret. */
function toKeyForms(key: string | undefined): string[] {
  return key === undefined || isKmsKey(key) ? [] : [key, key.replace(/^0x/, '')];
}

/** Libraries print a URL as it came, as the parser rewrites it, or only the part that failed. */
function toUrlForms(text: string | undefined): string[] {
  if (text === undefined) return [];
  const { href, password, pathname, searchParams } = new URL(text);
  const parts = [...pathname.split('/'), ...searchParams.values()].filter((part) => part.length >= URL_KEY_LENGTH_MIN);
  return [text, href, href.replace(/\/$/, ''), password, decode(password), ...parts];
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    // A stray "%" is no encoding, so the text itself is the password.
    return text;
  }
}

/** As it is set, and as it is sent. */
function toHeaderForms([name, value]: readonly [string, string]): string[] {
  const encoded = encodeURIComponent(value);
  return [`${name}=${encoded}`, encoded, value];
}
