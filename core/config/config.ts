/** The one parser of the configuration. Only `main.ts` and `scripts/` read the real environment and pass it in. */
import { firstTreasuryKey, isKmsKey } from './keys.ts';
import { KEPT_NAMES, NETWORK_VARIABLES, sendingKeyOf } from './networks.ts';
import type { ConfigProblem } from './problems.ts';
import { checkRules } from './rules.ts';
import { toConfig, type Config as Sections } from './sections.ts';
import { listSecrets } from './secrets.ts';
import { BOT_NETWORK, familyOf, networkTitle, type Family, type Network } from '../networks.ts';
import { isUnset, missing, readValues, type Environment, type VariableName } from './variables.ts';

export type Config = Sections;

export const ROLES = ['api', 'worker', 'bot'] as const;
export type Role = (typeof ROLES)[number];

/** Stops the start. Its message has a line for each wrong value and never contains a secret. */
export class ConfigError extends Error {
  readonly problems: readonly ConfigProblem[];

  constructor(problems: readonly ConfigProblem[]) {
    super(problems.map(({ name, found, wanted }) => `${name} is ${found}; ${wanted}`).join('\n'));
    this.name = 'ConfigError';
    this.problems = problems;
  }
}

/** Learned of later: these may be in both, and all of them count. */
const ADDED = 'COMPROMISED_ADDRESSES';

/**
 * Throws ConfigError with a line for each wrong value. `kept`: what a keystore holds, under the same names; none of
 * them but `ADDED` may be set in the environment as well.
 */
export function parseConfig(env: Environment, kept: Environment = {}): Config {
  const isInBoth = !isUnset(env, ADDED) && !isUnset(kept, ADDED);
  const added = isInBoth ? { [ADDED]: `${kept[ADDED]},${env[ADDED]}` } : {};
  const { values, problems } = readValues({ ...env, ...kept, ...added });
  const all = [...problems, ...checkRules(env, values), ...keptTwice(env, kept)];
  if (all.length > 0) throw new ConfigError(all);
  return toConfig(values);
}

/** One of the two would be ignored without a word. */
function keptTwice(env: Environment, kept: Environment): ConfigProblem[] {
  const isTwice = (name: (typeof KEPT_NAMES)[number]) => !isUnset(env, name) && !isUnset(kept, name);
  return KEPT_NAMES.filter((name) => name !== ADDED && isTwice(name)).map((name) => ({
    name,
    found: 'set, and kept in KEYSTORE as well',
    wanted: 'allowed: a key in one place, so unset it here or make a keystore without it',
  }));
}

/**
 * Checks what only some roles need; `main.ts` calls it once it knows its roles. Local mode makes its own keys.
 * Throws ConfigError.
 */
export function checkRoles(config: Config, roles: readonly Role[]): void {
  const { networks, http } = config;
  if (roles.includes('bot') && !networks.includes(BOT_NETWORK)) {
    const wanted = `the bot pays on ${networkTitle(BOT_NETWORK, null)}: add it, or start the other roles alone (api worker)`;
    throw new ConfigError([{ name: 'NETWORKS', found: networks.join(','), wanted }]);
  }
  const isAlone = roles.includes('bot') && !roles.includes('api');
  const reached = 'the address of the API, where a bot without one beside it pays';
  const unreached = isAlone && !http.isBaseUrlGiven ? [missing('BASE_URL', reached)] : [];
  const absent = [...(config.mode === 'local' ? [] : absentKeys(config, roles)), ...unreached];
  if (absent.length > 0) throw new ConfigError(absent);
}

function absentKeys(config: Config, roles: readonly Role[]): ConfigProblem[] {
  const { networks } = config;
  const needs = (name: VariableName, value: unknown, ...of: readonly Role[]) => {
    const role = of.find((candidate) => roles.includes(candidate));
    return role === undefined || value !== undefined ? [] : [missing(name, `required by the ${role}`)];
  };
  return [
    ...networks.flatMap((network) => [
      ...needs(NETWORK_VARIABLES[network].treasuryKey, config[network].treasuryKey, 'api', 'worker'),
      ...needs(sendingKeyOf(network), sendingKey(config, network), ...SENDERS[familyOf(network)]),
    ]),
    ...(networks.some((network) => isKmsKey(firstTreasuryKey<string | undefined>(config[network]) ?? ''))
      ? needs('INSTALLATION_SECRET', config.installationSecret, ...ROLES)
      : []),
    ...needs('CHAT_WALLET_SEED', config.chatWalletSeed, 'bot'),
    ...needs('BOT_API_TOKEN', config.botApiToken, 'bot'),
  ];
}

/** The roles that need the sending key; on SVM the API needs it too, because the price names it. */
const SENDERS = { evm: ['worker'], svm: ['api', 'worker'] } as const satisfies Record<Family, readonly Role[]>;

function sendingKey(config: Config, network: Network): unknown {
  const settings = config[network];
  return 'laneKeys' in settings ? settings.laneKeys : settings.feePayerKey;
}

/**
 * Every text that must never reach a log, longest first, so that a URL is replaced before the password inside it. Keys
 * that local mode makes are not in the configuration; local mode adds them itself.
 */
export function secretValues(config: Config): string[] {
  return listSecrets(config);
}
