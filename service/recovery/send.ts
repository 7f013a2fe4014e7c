import { join } from 'node:path';
import { createLane } from '../../chain/signing/evm.ts';
import { createFeePayer } from '../../chain/signing/solana.ts';
import { gasNeeded, recoverOnEvm } from './evm.ts';
import { sendingKeyOf } from '../../core/config/networks.ts';
import { coinOf, networkTitle } from '../../core/networks.ts';
import type { Chains, EvmChain, SvmChain } from './chains.ts';
import { openEvmKey, openSolanaKey } from '../networks/own-keys.ts';
import { openJournal } from './journal.ts';
import type { Move, MoveReport, Time } from './move.ts';
import type { RecoverySettings } from './settings.ts';
import { recoverOnSolana } from './solana.ts';
import type { Wallets } from './wallet-list.ts';

export type Sending = Time & {
  settings: RecoverySettings;
  chains: Chains;
  wallets: Wallets;
  run: string;
  report: MoveReport;
};

/**
 * Carries out the preview, one network after the other. Throws before anything is sent where a key or its gas is
 * missing.
 */
export async function sendMoves(sending: Sending, moves: readonly Move[]): Promise<void> {
  const sends: Send[] = [];
  for (const chain of sending.chains.values()) {
    const here = moves.filter((move) => move.network === chain.profile.network);
    if (here.length > 0) sends.push(await prepare(sending, chain, here));
  }
  for (const send of sends) await send();
}

type Send = () => Promise<void>;

async function prepare(sending: Sending, chain: EvmChain | SvmChain, moves: readonly Move[]): Promise<Send> {
  switch (chain.family) {
    case 'evm':
      return prepareEvm(sending, chain, moves);
    case 'svm':
      return prepareSolana(sending, chain, moves);
  }
}

async function prepareEvm(
  { settings, chains: _chains, wallets, ...rest }: Sending,
  { rpc, profile }: EvmChain,
  moves: readonly Move[],
): Promise<Send> {
  const { network } = profile;
  const title = networkTitle(network, null);
  const gasKey = settings.gasKeys[network];
  if (gasKey === undefined) {
    throw new Error(
      `${sendingKeyOf(network)} must name a key that holds ${coinOf(network)} on ${title}: it pays the gas.`,
    );
  }
  const gasLane = createLane(openEvmKey(gasKey), profile);
  const { address } = gasLane;
  const [held, needed] = await Promise.all([rpc.nativeBalance(address), gasNeeded({ rpc, profile }, moves.length)]);
  if (held < needed) {
    throw new Error(`${address} holds ${held} wei on ${title}; up to ${needed} are needed for gas. Nothing was sent.`);
  }
  return () => recoverOnEvm({ rpc, profile, wallets: wallets[network], gasLane, ...rest }, moves);
}

function prepareSolana(
  { settings, chains: _chains, wallets, ...rest }: Sending,
  { rpc, profile }: SvmChain,
  moves: readonly Move[],
): Send {
  const { feePayerKey, dataDir } = settings;
  if (feePayerKey === undefined)
    throw new Error('SOLANA_FEE_PAYER_KEY must name a key that holds SOL: it pays the fees.');
  const feePayer = createFeePayer(openSolanaKey(feePayerKey), profile);
  const journal = openJournal(join(dataDir, `recover-${rest.run}.jsonl`));
  return () => recoverOnSolana({ rpc, profile, wallets: wallets[profile.network], feePayer, journal, ...rest }, moves);
}

/** The keys that pay gas: recipients' money must not go there. */
export function gasAddresses({ gasKeys, feePayerKey }: RecoverySettings): string[] {
  return [
    ...Object.values(gasKeys).flatMap((key) => (key === undefined ? [] : [openEvmKey(key).address])),
    ...(feePayerKey === undefined ? [] : [openSolanaKey(feePayerKey).address]),
  ];
}
