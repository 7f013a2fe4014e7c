import { shownAddress } from '../../chain/shown-address.ts';
import { mkdirSync, readFileSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { NETWORK_VARIABLES } from '../../core/config/networks.ts';
import { networkTitle, NETWORKS, type Network } from '../../core/networks.ts';
import { listPersonalWallets } from '../../db/wallets/personal-wallets.ts';
import { writeWhole } from '../../local/processes/whole-file.ts';
import { readWalletSeed } from '../networks/keys.ts';
import { openChains, readHoldings, type Holding } from '../recovery/chains.ts';
import { checkTargets } from '../recovery/checked-targets.ts';
import type { Move, MoveEnd } from '../recovery/move.ts';
import { gasAddresses, sendMoves, type Sending } from '../recovery/send.ts';
import { readRecoverySettings, type RecoverySettings } from '../recovery/settings.ts';
import { readTargets, TARGETS_BYTES_MAX, type Targets } from '../recovery/targets.ts';
import {
  createWallets,
  formatWalletList,
  LIST_BYTES_MAX,
  readWalletList,
  toListedWallet,
  type ListedWallet,
  type Wallets,
} from '../recovery/wallet-list.ts';
import { readSeed } from './backup.ts';
import { Refused, takeWords, UsageError, type OperatorCommand } from './command.ts';
import { readArguments, type Host, type HostCommand } from './host.ts';
import { countText, usdcText } from './text.ts';

const OPTIONS = {
  list: { type: 'string' },
  to: { type: 'string' },
  run: { type: 'string' },
  words: { type: 'boolean' },
  yes: { type: 'boolean' },
} as const;

export const recoverCommand: HostCommand = {
  name: 'recover',
  usage: '--list <file> [--to <file>] [--words] [--run <name>] [--yes]',
  help: 'shows what all personal wallets hold, and with --to and --yes sends it there; needs the seed, the list and RPC endpoints, and no database',
  run: async (host, args) => {
    const request = readRequest(args);
    const settings = readRecoverySettings(host.environment);
    const wallets = createWallets(await findSeed(host, settings, request.words), settings.mode);
    const list = readWalletList(readLimited(request.list, LIST_BYTES_MAX), wallets);
    const targets = request.to === null ? null : readTargets(readLimited(request.to, TARGETS_BYTES_MAX));
    const chains = await openChains(settings.mode, settings.rpcUrls);
    const unasked = NETWORKS.filter((network) => !chains.has(network));
    if (unasked.length === NETWORKS.length) {
      const names = NETWORKS.map((network) => NETWORK_VARIABLES[network].rpcUrl);
      throw new Refused(`Set at least one of ${names.join(', ')}.`);
    }
    if (targets !== null) await checkTargets(chains, targets, list, gasAddresses(settings));
    const holdings = await readHoldings(chains, list);
    const moves = targets === null ? [] : toMoves(holdings, targets);
    const shown = [
      ...unasked.map((network) => `${networkTitle(network, null)} was not asked: its RPC URL is not set.`),
      ...holdings.map((holding) => holdingLine(holding, targets)),
      sumLine(holdings, { wallets: list.length, asked: [...chains.keys()] }),
    ];
    const seen = holdings.map(({ wallet, network, amountMicroUsdc }) => ({
      walletId: wallet.walletId,
      network,
      address: wallet[network],
      amountMicroUsdc,
    }));
    const data = { holdings: seen, unasked, moves };
    if (!request.yes) return { data, lines: [...shown, ...lookLines(moves)] };
    const world = { settings, chains, wallets, run: request.run };
    const results = await send(host, world, moves);
    const left =
      holdings.length - results.filter(({ end }) => end.kind === 'moved' || end.kind === 'moved-before').length;
    const lines = [...shown, '', ...results.map(resultLine)];
    const verdict = moves.length === 0 ? 'There was nothing to move.' : 'Everything has moved.';
    if (left === 0) return { data: { ...data, results }, lines: [...lines, verdict] };
    const remains = `${countText(left, 'sum')} not moved: fix the problems above, and run it again.`;
    throw new Refused([...lines, remains].join('\n'));
  },
};

function readRequest(args: readonly string[]) {
  const { list, to = null, run = '1', words = false, yes = false } = readArguments(args, OPTIONS, 0).values;
  if (list === undefined) throw new UsageError('--list names the file that wallet-list has written.');
  if (yes && to === null) throw new UsageError('--to names a file with lines of walletId,network,address.');
  if (!/^[0-9a-z-]{1,32}$/.test(run)) throw new UsageError('--run is a name of small letters, digits and "-".');
  return { list, to, run, words, yes };
}

function lookLines({ length }: readonly Move[]): string[] {
  return length === 0
    ? []
    : [`${countText(length, 'transfer')} would be sent. This was a look only; --yes sends them.`];
}

type Result = { move: Move; end: MoveEnd };

/** Progress is repeated at the end, where results go. */
async function send(
  { say, now, sleep }: Host,
  world: Pick<Sending, 'settings' | 'chains' | 'wallets' | 'run'>,
  moves: readonly Move[],
): Promise<Result[]> {
  const results: Result[] = [];
  const report = (move: Move, end: MoveEnd): void => {
    results.push({ move, end });
    say(resultLine({ move, end }));
  };
  await sendMoves({ ...world, report, now, sleep }, moves);
  return results;
}

const resultLine = ({ move, end }: Result) => `${move.walletId} on ${move.network}: ${endText(move, end)}`;

async function findSeed(host: Host, settings: RecoverySettings, isTyped: boolean): Promise<Uint8Array> {
  if (isTyped) return readSeed(host);
  if (settings.seed !== undefined) return settings.seed;
  throw new Refused('The seed is needed: in KEYSTORE, or as its words with --words.');
}

function toMoves(holdings: readonly Holding[], targets: Targets): Move[] {
  return holdings.flatMap(({ wallet, network, amountMicroUsdc }) => {
    const to = targets.of(wallet.walletId, network);
    return to === undefined ? [] : [{ walletId: wallet.walletId, network, from: wallet[network], to, amountMicroUsdc }];
  });
}

function holdingLine({ wallet, network, amountMicroUsdc }: Holding, targets: Targets | null): string {
  const name = wallet.name === null || wallet.name === wallet.walletId ? '' : ` (${wallet.name})`;
  const to = targets?.of(wallet.walletId, network);
  const way = targets === null ? '' : to === undefined ? ': no address is named for it' : ` → ${shownAddress(to)}`;
  return `${wallet.walletId}${name}: ${usdcText(amountMicroUsdc)} on ${network} at ${shownAddress(wallet[network])}${way}`;
}

/** Says nothing of a network that was not asked. */
function sumLine(
  holdings: readonly Holding[],
  { wallets, asked }: { wallets: number; asked: readonly Network[] },
): string {
  const sums = asked.map((network) => {
    const sum = holdings.reduce((total, one) => total + (one.network === network ? one.amountMicroUsdc : 0n), 0n);
    return `${usdcText(sum)} on ${networkTitle(network, null)}`;
  });
  return `${countText(wallets, 'wallet')} in the list; together ${sums.join(', ')}.`;
}

function endText({ amountMicroUsdc, to }: Move, end: MoveEnd): string {
  switch (end.kind) {
    case 'moved':
      return `${usdcText(amountMicroUsdc)} went to ${shownAddress(to)} (${end.transaction})`;
    case 'moved-before':
      return `an earlier start of this run has moved it, to the address named then (${end.transaction ?? 'by a transaction that is not known here'})`;
    case 'done-before':
      return 'this run has emptied it before, and new money has come since: give this one another --run';
    case 'open':
      return 'sent, and not certain yet: run it again (if it stays so, use a node that keeps older blocks)';
    case 'refused':
      return end.reason;
  }
}

function readLimited(path: string, bytesMax: number): string {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found === undefined) throw new Refused(`There is no file ${path}.`);
  if (found.size > bytesMax) throw new Refused(`${path} is larger than ${bytesMax} bytes.`);
  return readFileSync(path, 'utf8');
}

export const walletListCommand: OperatorCommand = {
  name: 'wallet-list',
  usage: '<file>',
  help: 'writes the ids and addresses of all personal wallets: with the seed’s words, all that is needed to empty them',
  run: async (context) => {
    const { file } = takeWords(context, 'file');
    const { config, store } = context;
    const wallets = createWallets(readWalletSeed(config), config.mode);
    const current = (await listPersonalWallets(store)).map((wallet) => toListedWallet(wallets, wallet));
    const list = [...new Map([...knownBefore(file, wallets), ...current].map((one) => [one.walletId, one])).values()];
    if (list.length === 0) throw new Refused('There is no personal wallet yet, so nothing was written.');
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    await writeWhole(file, formatWalletList(list));
    const lines = [
      `Wrote ${countText(list.length, 'wallet')} to ${file}. There is no key in it, but who uses this service: keep it to yourself.`,
      'Wallets that are opened later are not in it. Write it every day, and keep it apart from this machine.',
    ];
    return { data: { file, wallets: list.length }, lines };
  },
};

/** Keeps what the file has: written over by an empty database, it may be the last list there is. */
function knownBefore(file: string, wallets: Wallets): ListedWallet[] {
  const size = statSync(file, { throwIfNoEntry: false })?.size ?? 0;
  if (size > LIST_BYTES_MAX) throw new Refused(`${file} is larger than ${LIST_BYTES_MAX} bytes.`);
  return size === 0 ? [] : readWalletList(readFileSync(file, 'utf8'), wallets);
}
