import type { MicroUsdc } from '../../core/money.ts';
import { withTimeLimit } from '../time-limit.ts';
import type { CoreDeps } from './dependencies.ts';

const BALANCE_LIMIT_MS = 8_000;
const FAUCET_LIMIT_MS = 30_000;

export function readBalance(deps: Pick<CoreDeps, 'balances'>, address: string): Promise<MicroUsdc> {
  return withTimeLimit(deps.balances(address), BALANCE_LIMIT_MS, 'reading a balance');
}

/** Asks for play money and answers what is there afterwards. Throws outside local mode. */
export async function takePlayMoney(deps: Pick<CoreDeps, 'balances' | 'faucet'>, address: string): Promise<MicroUsdc> {
  if (!deps.faucet) throw new Error('there is play money in local mode only, and this is not local mode');
  await withTimeLimit(deps.faucet(address), FAUCET_LIMIT_MS, 'getting play money');
  return readBalance(deps, address);
}
