import { join } from 'node:path';
import { addressOfKey } from '../../chain/evm/key.ts';
import { readSolanaKey } from '../../chain/solana/key.ts';
import { gasNeeded, recoverOnBase } from './base.ts';
import type { Chains } from './chains.ts';
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

/** Carries out what was shown, Base first. Throws before anything is sent where a key or its gas is missing. */
export async function sendMoves(sending: Sending, moves: readonly Move[]): Promise<void> {
  const [onBase, onSolana] = (['base', 'solana'] as const).map((network) =>
    moves.filter((move) => move.network === network),
  );
  const sendBase = await prepareBase(sending, onBase ?? []);
  const sendSolana = prepareSolana(sending, onSolana ?? []);
  await sendBase();
  await sendSolana();
}

type Send = () => Promise<void>;
const NOTHING: Send = async () => undefined;

async function prepareBase({ settings, chains, wallets, ...rest }: Sending, moves: readonly Move[]): Promise<Send> {
  const { gasKey } = settings;
  if (moves.length === 0 || chains.base === null) return NOTHING;
  if (gasKey === undefined) throw new Error('LANE_KEYS must name a key that holds ETH on Base: it pays the gas.');
  const { rpc, profile } = chains.base;
  const address = addressOfKey(gasKey);
  const [held, needed] = await Promise.all([rpc.nativeBalance(address), gasNeeded(rpc, moves.length)]);
  if (held < needed) {
    throw new Error(`${address} holds ${held} wei on Base; up to ${needed} are needed for gas. Nothing was sent.`);
  }
  return () => recoverOnBase({ rpc, profile, wallets: wallets.base, gasKey, ...rest }, moves);
}

function prepareSolana({ settings, chains, wallets, ...rest }: Sending, moves: readonly Move[]): Send {
  const { feePayerKey, dataDir } = settings;
  if (moves.length === 0 || chains.solana === null) return NOTHING;
  if (feePayerKey === undefined)
    throw new Error('SOLANA_FEE_PAYER_KEY must name a key that holds SOL: it pays the fees.');
  const { rpc, profile } = chains.solana;
  const feePayer = readSolanaKey(feePayerKey);
  const journal = openJournal(join(dataDir, `recover-${rest.run}.jsonl`));
  return () => recoverOnSolana({ rpc, profile, wallets: wallets.solana, feePayer, journal, ...rest }, moves);
}

/** The keys that pay: no money of people may go there. */
export function gasAddresses({ gasKey, feePayerKey }: RecoverySettings): string[] {
  return [
    ...(gasKey === undefined ? [] : [addressOfKey(gasKey)]),
    ...(feePayerKey === undefined ? [] : [readSolanaKey(feePayerKey).address]),
  ];
}
