/** A fresh Solana chain in this process for one test file, with what tests of money on it need. */
import { type Commitment, Connection, Keypair, type PublicKey } from '@solana/web3.js';
import { type MicroUsdc, ZERO_USDC } from '../../../core/money.ts';
import { callRpc } from '../../../local/processes/rpc.ts';
import { USDC_MINT } from '../../../local/solana/ground/addresses.ts';
import { createChain } from '../../../local/solana/chain/chain.ts';
import { startPacemaker } from '../../../local/solana/chain/pacemaker.ts';
import type { Fault, FaultKind } from '../../../local/solana/rpc/faults.ts';
import { startRpcServer } from '../../../local/solana/server/server.ts';
import { readUsdcBalance } from '../../../local/solana/usdc-balance.ts';

export type SolanaChain = Awaited<ReturnType<typeof startSolanaChain>>;

type Waiting = { held: number; late: number };

/** Begins a block every `slotMs`, or only on demand with 0. */
export async function startSolanaChain({ slotMs = 0 }: { slotMs?: number } = {}) {
  const chain = createChain();
  const pacemaker = startPacemaker(chain, slotMs);
  const host = { freeze: pacemaker.freeze, stop: () => undefined, about: () => ({ pid: process.pid, slotMs }) };
  const server = await startRpcServer({ chain, host });
  const { rpcUrl, wsUrl } = server;
  /** Any call, also the chain's own. */
  const rpc = (method: string, ...params: unknown[]) => callRpc(rpcUrl, method, params);
  const faults = async () => (await rpc('local_faults')) as { fired: Record<FaultKind, number>; waiting: Waiting };

  return {
    /** The chain itself, behind its RPC. */
    chain,
    rpcUrl,
    wsUrl,
    usdcMint: USDC_MINT as string,
    rpc,
    /** web3.js, which finds the websocket by itself. */
    connection: (commitment: Commitment = 'confirmed') => new Connection(rpcUrl, commitment),

    /** Begins so many blocks at once. */
    mine: (blocks = 1) => chain.openBlocks(blocks),
    /** Begins as many as it takes until everything is finalized. */
    finalize: () => chain.openBlocks(32),
    /** Begins as many as it takes until no blockhash of before is good any more, not even in the finalized view. */
    expireBlockhashes: () => chain.openBlocks(150 + 32 + 1),
    skipSlots: (slots: number) => chain.openBlocks(1, slots),
    freezeSlots: (isFrozen: boolean) => rpc('local_freezeSlots', isFrozen),

    /** Replaces an earlier fault of the same kind. */
    setFault: (fault: Fault) => rpc('local_setFault', fault),
    clearFaults: () => rpc('local_clearFaults'),
    /** How often a fault has struck since it was set. Assert on it: one that never fired has tested nothing. */
    fired: async (kind: FaultKind) => (await faults()).fired[kind],
    waiting: async () => (await faults()).waiting,
    /** Lands what the fault `hold` has kept, where that is still possible; answers how many. */
    release: async () => (await rpc('local_releaseTransactions')) as number,

    /** A new key, with no SOL and no USDC unless told otherwise. What it gets is finalized. */
    async createKeypair({ usdc = ZERO_USDC, lamports = 0n }: { usdc?: MicroUsdc; lamports?: bigint } = {}) {
      const keypair = Keypair.generate();
      const address = keypair.publicKey.toBase58();
      if (lamports > 0n) await rpc('local_airdrop', address, lamports.toString());
      if (usdc > 0n) await rpc('local_mintUsdc', address, usdc.toString());
      if (lamports > 0n || usdc > 0n) chain.openBlocks(32);
      return keypair;
    },
    /** By a transaction of the faucet, confirmed at once. Creates the token account where there is none. */
    fundUsdc: (owner: PublicKey | string, amount: MicroUsdc) =>
      rpc('local_mintUsdc', owner.toString(), amount.toString()),
    fundSol: (to: PublicKey | string, lamports: bigint) => rpc('local_airdrop', to.toString(), lamports.toString()),
    /** As the issuer does: the owner's USDC can neither leave nor arrive. */
    freezeUsdc: (owner: PublicKey | string) => rpc('local_freezeUsdc', owner.toString()),
    thawUsdc: (owner: PublicKey | string) => rpc('local_thawUsdc', owner.toString()),
    /** In the newest block. */
    usdcBalance: (owner: PublicKey | string): Promise<MicroUsdc> => readUsdcBalance(rpcUrl, owner.toString()),
    async lamports(address: PublicKey | string): Promise<bigint> {
      const { value } = (await rpc('getBalance', address.toString(), { commitment: 'processed' })) as { value: number };
      return BigInt(value);
    },
    async close() {
      pacemaker.close();
      await server.close();
    },
  };
}
