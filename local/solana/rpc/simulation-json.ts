/** The outcome of a simulation as the RPC shows it. */
import type { Address } from '@solana/kit';
import type { Block } from '../chain/block.ts';
import { BLOCKHASH_BLOCKS } from '../chain/blocks.ts';
import type { Chain } from '../chain/chain.ts';
import { toInnerJson, toReturnDataJson } from '../chain/land.ts';
import type { Simulation } from '../chain/simulate.ts';
import { toAccountJson } from './account-json.ts';
import { toParsedInner } from './parsed-transaction.ts';

type Wanted = {
  innerInstructions?: boolean | undefined;
  accounts?: { addresses: Address[]; encoding?: 'base64' | 'jsonParsed' | undefined } | null | undefined;
};

export function toSimulationJson(simulation: Simulation, wanted: Wanted, chain: Chain) {
  const { error, logs, unitsConsumed, returnData } = simulation;
  return {
    err: error,
    logs,
    accounts: toAccountsAfter(simulation, wanted.accounts, chain),
    unitsConsumed,
    returnData: returnData ? toReturnDataJson(returnData) : null,
    innerInstructions: wanted.innerInstructions ? toParsedInner(toInnerJson(simulation), simulation.named) : null,
  };
}

export function toReplacement({ blockhash, height }: Block) {
  return { blockhash, lastValidBlockHeight: height + BLOCKHASH_BLOCKS };
}

function toAccountsAfter({ accounts }: Simulation, wanted: Wanted['accounts'], { versions }: Chain) {
  if (!wanted) return null;
  const read = (address: Address) => accounts.get(address) ?? versions.read(address);
  const view = { encoding: wanted.encoding ?? 'base64' } as const;
  return wanted.addresses.map((address) => toAccountJson(accounts.get(address) ?? null, view, read));
}
