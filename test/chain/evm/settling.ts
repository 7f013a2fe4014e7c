import { type Address, type Hex, keccak256 } from 'viem';
import type { PrivateKeyAccount } from 'viem/accounts';
import { type Authorization, encodeTransfer } from '../../../chain/evm/authorization.ts';
import { bumpFees, type Fees, feesFor, gasLimitFor } from '../../../chain/evm/rpc/fees.ts';
import { addressOfKey } from '../../../chain/evm/key.ts';
import { evmProfile } from '../../../chain/evm/rpc/profile.ts';
import { createEvmRpc } from '../../../chain/evm/rpc/rpc.ts';
import { createLane, createTreasurySigner } from '../../../chain/signing/evm.ts';
import { localEvmKey } from '../../../chain/signing/keys.ts';
import { microUsdc } from '../../../core/money.ts';
import { type BaseChain, startBaseChain } from '../../support/chains/base-chain.ts';
import { randomHash, someAuthorization, typedData } from './authorizations.ts';

export const profile = evmProfile('base', 'local');
/** What a lane would pay now. */
export function testFees(baseFee: bigint): Fees {
  const fees = feesFor(baseFee, profile.rules);
  if (fees === null) throw new Error(`a local chain has no base fee of ${baseFee}`);
  return fees;
}

/** The same after it was slow. */
export function bumped(fees: Fees, baseFee: bigint): Fees {
  const higher = bumpFees(fees, baseFee, profile.rules);
  if (higher === null) throw new Error('a local chain has no fee that is too high');
  return higher;
}

export type Settling = Awaited<ReturnType<typeof startSettling>>;

/** A chain that mines on demand, our reader of it, a treasury and a lane. Closed by `close`. */
export async function startSettling() {
  const chain = await startBaseChain({ blockTimeMs: 0 });
  const rpc = createEvmRpc({ url: chain.rpcUrl, timeoutMs: 10_000, profile });
  const treasury = createTreasurySigner(localEvmKey(randomHash()), profile);
  const laneKey = randomHash();
  const lane = addressOfKey(laneKey);
  await chain.fundEth(lane, 10n ** 18n);

  /** Signs a batch of this lane at its next nonce. */
  async function sign(calls: readonly Hex[], change: { laneNonce?: number; fees?: Fees; gasLimit?: bigint } = {}) {
    const laneNonce = change.laneNonce ?? (await rpc.transactionCount(lane, 'latest'));
    const { latest } = await rpc.head();
    const fees = change.fees ?? testFees(latest.baseFee);
    return createLane(localEvmKey(laneKey), profile).signBatch({
      kind: 'inbound',
      step: 'new',
      laneNonce,
      calls,
      gasLimit: change.gasLimit ?? gasLimitFor(calls.length),
      fees,
    });
  }

  /** Signs, sends and mines a batch; answers its receipt. */
  async function settle(calls: readonly Hex[], change: { gasLimit?: bigint } = {}) {
    const { raw, hash } = await sign(calls, change);
    await rpc.sendRaw(raw);
    await chain.mine();
    const [receipt] = await rpc.receipts([hash]);
    if (!receipt) throw new Error(`batch ${hash} was not mined`);
    return receipt;
  }

  return { chain, rpc, treasury, lane, laneKey, sign, settle, close: () => chain.close() };
}

/** An account with this much USDC. */
export const createPayer = (chain: BaseChain, micro = 10_000_000n) => chain.createAccount({ usdc: microUsdc(micro) });

export async function signTransfer(payer: PrivateKeyAccount, change: Partial<Authorization>) {
  const authorization = someAuthorization({ from: payer.address, ...change });
  const signature = await payer.signTypedData(typedData(profile, authorization));
  return { authorization, signature, call: encodeTransfer(authorization, signature) };
}

/** Sends a call to USDC in a transaction of its own, as a stranger would. */
export async function sendAlone({ chain, rpc }: Settling, data: Hex, account?: PrivateKeyAccount): Promise<Hex> {
  const sender = account ?? (await chain.createAccount());
  const raw = await sender.signTransaction({
    type: 'eip1559',
    chainId: profile.chainId,
    nonce: await rpc.transactionCount(sender.address, 'latest'),
    to: profile.usdc,
    data,
    gas: 300_000n,
    maxFeePerGas: 10n ** 10n,
    maxPriorityFeePerGas: 10n ** 9n,
  });
  await rpc.sendRaw(raw);
  return keccak256(raw);
}

export const lower = (address: Address): Address => `0x${address.slice(2).toLowerCase()}`;
