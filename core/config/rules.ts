/** Rules between names. Each gets values that are valid by themselves and reports those that do not fit together. */
import { DEFAULT_NETWORKS, NETWORKS } from '../networks.ts';
import { OAUTH_PLATFORMS } from '../platforms/platforms.ts';
import { KEPT_NAMES, NETWORK_KEYS, NETWORK_VARIABLES } from './networks.ts';
import { isKmsKey, readKmsKey } from './keys.ts';
import { showValue, type ConfigProblem } from './problems.ts';
import { isLoopback } from './readers.ts';
import {
  ALERT_BOTS,
  isUnset,
  missing,
  secondRpcName,
  signInName,
  type Environment,
  type Values,
  type VariableName,
} from './variables.ts';

export function checkRules(env: Environment, values: Values): ConfigProblem[] {
  const mode = values.NETWORK_MODE ?? (isUnset(env, 'NETWORK_MODE') ? 'local' : undefined);
  const byMode = mode === undefined ? [] : mode === 'local' ? checkLocal(values) : checkPublic(env, values, mode);
  const always = [
    checkPairs(env, values),
    checkAlertChat(values),
    checkKeys(env, values),
    checkPorts(values),
    checkConsole(env, values),
    checkSecondNodes(values),
    checkRedisFiles(values),
    checkCollector(values),
  ];
  return [...byMode, ...always.flat()];
}

/** Play money must never become real, and only this machine may reach it. */
function checkLocal(values: Values): ConfigProblem[] {
  const { HOST } = values;
  const problems: ConfigProblem[] = [];
  if (HOST !== undefined && !isLoopback(HOST)) {
    problems.push({
      name: 'HOST',
      found: showValue(HOST, false),
      wanted: 'allowed in local mode: 127.0.0.1, ::1, localhost',
    });
  }
  const names = NETWORKS.flatMap((network) => [NETWORK_VARIABLES[network].rpcUrl, secondRpcName(network)]);
  for (const name of names) {
    const url = values[name];
    if (url === undefined || isLoopback(new URL(url).hostname)) continue;
    problems.push({ name, found: 'the address of another machine', wanted: 'allowed in local mode: a loopback URL' });
  }
  return problems;
}

function checkPublic(env: Environment, values: Values, mode: string): ConfigProblem[] {
  const { HOST, BASE_URL, NETWORKS = DEFAULT_NETWORKS } = values;
  const required: VariableName[] = ['OPERATOR_NAME', 'SUPPORT_URL', 'TERMS_URL'];
  for (const network of NETWORKS) required.unshift(NETWORK_VARIABLES[network].rpcUrl);
  // The default would put an address that nobody can open into every receipt.
  if (HOST !== undefined && !isLoopback(HOST)) required.unshift('BASE_URL');
  const problems = required.filter((name) => isUnset(env, name)).map((name) => missing(name, `required on ${mode}`));
  if (BASE_URL?.startsWith('http:') && !isLoopback(new URL(BASE_URL).hostname)) {
    // Claim cookies carry the __Host- prefix, which browsers accept over https only.
    problems.push({
      name: 'BASE_URL',
      found: showValue(BASE_URL, false),
      wanted: `required on ${mode}: an https address`,
    });
  }
  return [...problems, ...checkSignInUrls(values, mode)];
}

/** These endpoints decide who owns a name and receive tokens, so nobody in between may read or answer. */
const SIGN_IN_NAMES = [
  ...OAUTH_PLATFORMS.flatMap((platform) =>
    (['AUTH_URL', 'TOKEN_URL', 'ME_URL'] as const).map((suffix) => signInName(platform, suffix)),
  ),
  'FARCASTER_RELAY_URL' as const,
];

function checkSignInUrls(values: Values, mode: string): ConfigProblem[] {
  return SIGN_IN_NAMES.flatMap((name) => {
    const url = values[name];
    if (url === undefined || url.startsWith('https:')) return [];
    return [{ name, found: showValue(url, false), wanted: `required on ${mode}: an https address` }];
  });
}

/** A node that is compared with itself shows nothing. */
function checkSecondNodes(values: Values): ConfigProblem[] {
  return NETWORKS.flatMap((network) => {
    const [first, second] = [NETWORK_VARIABLES[network].rpcUrl, secondRpcName(network)];
    if (values[second] === undefined || values[second] !== values[first]) return [];
    return [{ name: second, found: `the same address as ${first}`, wanted: 'allowed: another node' }];
  });
}

/** The headers carry the collector's token. */
function checkCollector(values: Values): ConfigProblem[] {
  const { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_EXPORTER_OTLP_HEADERS: headers } = values;
  if (headers === undefined || endpoint?.startsWith('http:') !== true || isLoopback(new URL(endpoint).hostname))
    return [];
  const wanted = 'allowed beside OTEL_EXPORTER_OTLP_HEADERS: an https address, or one of this machine';
  return [{ name: 'OTEL_EXPORTER_OTLP_ENDPOINT', found: 'an http address', wanted }];
}

/** The second name says how to use the first. */
const PAIRS: readonly (readonly [VariableName, VariableName])[] = [
  ['KEYSTORE', 'KEYSTORE_PASSWORD_FILE'],
  ['KEYSTORE_PASSWORD_FILE', 'KEYSTORE'],
  ['REDIS_CERT_FILE', 'REDIS_KEY_FILE'],
  ['REDIS_KEY_FILE', 'REDIS_CERT_FILE'],
  ['DISCORD_TOKEN', 'DISCORD_APP_ID'],
  ['DISCORD_APP_ID', 'DISCORD_TOKEN'],
  ['TELEGRAM_WEBHOOK_SECRET', 'TELEGRAM_TOKEN'],
  // Without a sender no mail can be sent, so e-mail could not be offered.
  ['SMTP_URL', 'MAIL_FROM'],
  ['ALERT_MAIL', 'SMTP_URL'],
  ['SCREENING_TOKEN', 'SCREENING_URL'],
  // A code of one provider traded at another would tell that one who signs in.
  ...OAUTH_PLATFORMS.flatMap((platform): [VariableName, VariableName][] => {
    const [auth, token] = [signInName(platform, 'AUTH_URL'), signInName(platform, 'TOKEN_URL')];
    return [
      [auth, token],
      [token, auth],
    ];
  }),
];

function checkPairs(env: Environment, values: Values): ConfigProblem[] {
  const incomplete = PAIRS.filter(([name, needed]) => values[name] !== undefined && isUnset(env, needed));
  return incomplete.map(([name, needed]) => missing(needed, `required beside ${name}`));
}

/** The operator is told by our own bot there. */
function checkAlertChat(values: Values): ConfigProblem[] {
  const needed = Object.entries(ALERT_BOTS).find(([chat]) => values.ALERT_CHAT?.startsWith(`${chat}:`))?.[1];
  return needed === undefined || values[needed] !== undefined ? [] : [missing(needed, 'required beside ALERT_CHAT')];
}

/** Every key has one job: a lane that holds gas must not be able to move the treasury's USDC. */
function checkKeys(env: Environment, values: Values): ConfigProblem[] {
  const problems: ConfigProblem[] = [];
  const owners = new Map<string, string>();
  const identityOf = (key: string) => readKmsKey(key)?.address ?? key;
  const keys = NETWORK_KEYS.flatMap(({ name }) => [values[name] ?? []].flat().map((key) => ({ name, key })));
  for (const { name, key } of keys) {
    const owner = owners.get(identityOf(key));
    if (owner === undefined) owners.set(identityOf(key), name);
    else problems.push({ name, found: `the same key as ${owner}`, wanted: 'allowed: a key of its own' });
  }
  for (const name of KEPT_NAMES) {
    // A keystore that was made before may have none; config.ts finds them in both.
    if (name === 'INSTALLATION_SECRET' || name === 'COMPROMISED_ADDRESSES') continue;
    if (values.KEYSTORE === undefined || isUnset(env, name) || isInKms(values[name])) continue;
    problems.push({
      name,
      found: 'set beside KEYSTORE',
      wanted: 'allowed: keys from one place, so unset one of the two',
    });
  }
  return problems;
}

/** Where keys are in KMS stands in the environment, and no key does. */
function isInKms(value: string | readonly string[] | undefined): boolean {
  return value !== undefined && [value].flat().every(isKmsKey);
}

function checkPorts({ PORT = 8402, METRICS_PORT, ADMIN_PORT }: Values): ConfigProblem[] {
  const problems: ConfigProblem[] = [];
  const taken = new Map<number, string>([[PORT, 'PORT']]);
  for (const [name, port] of Object.entries({ METRICS_PORT, ADMIN_PORT })) {
    if (port === undefined || port === 0) continue;
    const other = taken.get(port);
    if (other === undefined) taken.set(port, name);
    else problems.push({ name, found: `"${port}", as is ${other}`, wanted: 'allowed: a port of its own' });
  }
  return problems;
}

/**
 * Browsers have passkeys for names with TLS and for localhost. Cookies know no ports, so on a public name the console has one
 * of its own: else every page of the service would get what an admin is signed in with.
 */
function checkConsole(env: Environment, { HOST, BASE_URL, ADMIN_PORT, ADMIN_URL }: Values): ConfigProblem[] {
  if (ADMIN_URL === undefined) {
    const isReached = ADMIN_PORT === undefined || HOST === undefined || isLoopback(HOST);
    return isReached || !isUnset(env, 'ADMIN_URL')
      ? []
      : [missing('ADMIN_URL', 'required beside ADMIN_PORT where HOST is not this machine')];
  }
  const { protocol, hostname } = new URL(ADMIN_URL);
  const found = showValue(ADMIN_URL, false);
  const isLocal = hostname === 'localhost';
  if (protocol !== 'https:' && !isLocal)
    return [{ name: 'ADMIN_URL', found, wanted: 'allowed: an https address, or http://localhost with its port' }];
  if (isIpHost(hostname))
    return [{ name: 'ADMIN_URL', found, wanted: 'allowed: a name; browsers have no passkeys for addresses' }];
  if (!isLocal && BASE_URL !== undefined && new URL(BASE_URL).hostname === hostname)
    return [{ name: 'ADMIN_URL', found, wanted: 'allowed: another host name than that of BASE_URL' }];
  return ADMIN_PORT === undefined && isUnset(env, 'ADMIN_PORT')
    ? [missing('ADMIN_PORT', 'required beside ADMIN_URL')]
    : [];
}

/** As URLs write addresses. */
const isIpHost = (hostname: string): boolean => hostname.startsWith('[') || /^[0-9.]+$/.test(hostname);

/** Without TLS they would do nothing, and their owner would believe otherwise. */
function checkRedisFiles({ REDIS_URL, REDIS_CA_FILE, REDIS_CERT_FILE, REDIS_KEY_FILE }: Values): ConfigProblem[] {
  if (REDIS_URL?.every((url) => url.startsWith('rediss:'))) return [];
  return Object.entries({ REDIS_CA_FILE, REDIS_CERT_FILE, REDIS_KEY_FILE }).flatMap(([name, file]) =>
    file === undefined
      ? []
      : [{ name, found: 'set without TLS', wanted: 'required beside it: a REDIS_URL with rediss://' }],
  );
}
