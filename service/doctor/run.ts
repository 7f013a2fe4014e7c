import { parseArgs } from 'node:util';
import { ROLES, type Config } from '../../core/config/config.ts';
import { evmProfile } from '../../chain/evm/rpc/profile.ts';
import { inFamily } from '../../core/networks.ts';
import { placeText } from '../operator/text.ts';
import { offerLines, listOffers } from '../offers/table.ts';
import { examine } from './examine.ts';
import { findingLines, isSound } from './finding.ts';
import { hashOf, readPass, releaseOf, writePass, type Pass } from './pass.ts';
import { realAsks } from './real-asks.ts';
import type { Asks, World } from './world.ts';

export type DoctorOptions = {
  /** Throws ConfigError, or an Error of one line. */
  readConfig: () => Config;
  args: readonly string[];
  /** Where the sources lie: they are the release. */
  root: string;
  /** The note about names that nothing reads. */
  strange: readonly string[];
  nowMs: number;
  /** Left out: the real world is asked. */
  asks?: Asks;
};

/** 0: sound; 1: something is wrong, or not in order; 2: not understood. */
export async function runDoctor(options: DoctorOptions): Promise<{ exitCode: 0 | 1 | 2; lines: string[] }> {
  const { args, root, strange, nowMs } = options;
  let config: Config;
  let given: ReturnType<typeof readArguments>;
  try {
    given = readArguments(args);
  } catch (error) {
    return { exitCode: 2, lines: [error instanceof Error ? error.message : String(error)] };
  }
  try {
    config = options.readConfig();
  } catch (error) {
    const text = error instanceof Error ? error.message : String(error);
    return { exitCode: 1, lines: [...strange, ...text.split('\n').map((line) => `WRONG  ${line}`)] };
  }
  const lastPass = await readPass(config);
  const asks = options.asks ?? realAsks(config, () => strange);
  const restoredAtMs = given.restoredAtMs ?? lastPass?.restoredAtMs ?? null;
  const world: World = { config, roles: given.roles, asks, nowMs, lastPass, restoredAtMs };
  const findings = await examine(world);
  const sound = isSound(findings);
  const lines = [placeText(config), ...offerLines(listOffers(config, given.roles)), '', ...findingLines(findings), ''];
  if (!given.approve) return { exitCode: sound ? 0 : 1, lines: [...lines, verdictText(sound, config)] };
  if (!sound) return { exitCode: 1, lines: [...lines, 'Not approved: cure what is WRONG first.'] };
  const pass: Pass = {
    hash: hashOf(config, releaseOf(root)),
    roles: [...given.roles],
    atMs: nowMs,
    tokens: await tokensOf(world),
    restoredAtMs,
  };
  const file = await writePass(config, pass);
  return { exitCode: 0, lines: [...lines, `Approved, for this configuration and this release: ${file}`] };
}

function verdictText(sound: boolean, { mode }: Config): string {
  if (!sound) return 'Something is wrong: see the lines above, each with its cure.';
  return mode === 'mainnet'
    ? 'Everything is sound. Approve it with --approve; mainnet needs that to start.'
    : 'Everything is sound.';
}

function readArguments(args: readonly string[]) {
  const { values, positionals } = parseArgs({
    args: [...args],
    options: { approve: { type: 'boolean' }, restored: { type: 'string' } },
    allowPositionals: true,
  });
  const roles = ROLES.filter((role) => positionals.includes(role));
  const unknown = positionals.filter((word) => !ROLES.some((role) => role === word));
  if (unknown.length > 0)
    throw new Error(`Unknown argument ${unknown.join(' ')}. Known: ${ROLES.join(', ')}, --approve, --restored <day>.`);
  const restoredAtMs = values.restored === undefined ? null : Date.parse(`${values.restored}T00:00:00Z`);
  if (Number.isNaN(restoredAtMs))
    throw new Error(`--restored takes a day, such as 2026-11-20; found ${values.restored}.`);
  return { roles: roles.length === 0 ? ROLES : roles, approve: values.approve === true, restoredAtMs };
}

/** The code of each token contract, so that a change shows the next time. */
async function tokensOf({ config, asks }: World): Promise<Record<string, string>> {
  const found = config.networks.map(async (network): Promise<[string, string][]> => {
    const place = inFamily(network);
    const { rpcUrl } = config[network];
    if (place.family !== 'evm' || rpcUrl === undefined) return [];
    const { codeHash } = await asks.evm(place.network, rpcUrl).token();
    return codeHash === null ? [] : [[evmProfile(place.network, config.mode).caip2, codeHash]];
  });
  return Object.fromEntries((await Promise.all(found)).flat());
}
