/** The one parser of the configuration. It is handed the environment: only `main.ts` and `scripts/` read the real one. */
import type { ConfigProblem } from './config/problems.ts';
import { checkRules } from './config/rules.ts';
import { toConfig, type Config as Sections } from './config/sections.ts';
import { listSecrets } from './config/secrets.ts';
import { missing, readValues, type Environment, type VariableName } from './config/variables.ts';

export type Config = Sections;

export type Role = 'api' | 'worker' | 'bot';

/** Stops the start. Its message has one line for each wrong value and never holds a secret. */
export class ConfigError extends Error {
  readonly problems: readonly ConfigProblem[];

  constructor(problems: readonly ConfigProblem[]) {
    super(problems.map(({ name, found, wanted }) => `${name} is ${found}; ${wanted}`).join('\n'));
    this.name = 'ConfigError';
    this.problems = problems;
  }
}

/** Throws ConfigError with all wrong values at once, a line each. */
export function parseConfig(env: Environment): Config {
  const { values, problems } = readValues(env);
  const all = [...problems, ...checkRules(env, values)];
  if (all.length > 0) throw new ConfigError(all);
  return toConfig(values);
}

/**
 * What only some roles need, asked by `main.ts` once it knows which ones it starts. Local mode makes its own keys, and
 * a keystore is checked when it is opened. Throws ConfigError.
 */
export function checkRoles(config: Config, roles: readonly Role[]): void {
  const { base, solana, networks } = config;
  if (roles.includes('bot') && !networks.includes('base')) {
    const wanted = 'the bot pays on Base: add it, or start the other roles alone (api worker)';
    throw new ConfigError([{ name: 'NETWORKS', found: networks.join(','), wanted }]);
  }
  if (config.mode === 'local' || config.keystore) return;
  const needs = (name: VariableName, value: unknown, ...of: readonly Role[]) => {
    const role = of.find((candidate) => roles.includes(candidate));
    return role === undefined || value !== undefined ? [] : [missing(name, `required by the ${role}`)];
  };
  const absent = [
    ...(networks.includes('base') ? needs('TREASURY_KEY', base.treasuryKey, 'api', 'worker') : []),
    ...(networks.includes('base') ? needs('LANE_KEYS', base.laneKeys, 'worker') : []),
    ...(networks.includes('solana') ? needs('SOLANA_TREASURY_KEY', solana.treasuryKey, 'api', 'worker') : []),
    ...(networks.includes('solana') ? needs('SOLANA_FEE_PAYER_KEY', solana.feePayerKey, 'api', 'worker') : []),
    ...needs('CHAT_WALLET_SEED', config.chatWalletSeed, 'bot'),
    ...needs('BOT_API_TOKEN', config.botApiToken, 'bot'),
  ];
  if (absent.length > 0) throw new ConfigError(absent);
}

/**
 * Every text that must never reach a log, longest first, so that a URL goes before the password inside it. Keys that
 * local mode makes are not in the configuration: whoever makes them adds them.
 */
export function secretValues(config: Config): string[] {
  return listSecrets(config);
}
