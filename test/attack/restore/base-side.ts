import { randomBytes } from 'node:crypto';
import { createWalletClient, encodeFunctionData, http, parseAbi, parseAbiItem } from 'viem';
import type { PrivateKeyAccount } from 'viem/accounts';
import { microUsdc } from '../../../core/money.ts';
import type { EvmKeys } from '../../../service/networks/evm.ts';
import { signAuthorization, startBaseChain, testBase, toAuthorization } from '../../support/chains/base-chain.ts';
import { makeProof, USDC } from '../../support/pay.ts';
import { startTestService } from '../../support/service.ts';
import { addTo, type Asked, type Moved, type Side } from './side.ts';
import { openEvmKey } from '../../../service/networks/own-keys.ts';

type Hex = `0x${string}`;
const TRANSFER = parseAbiItem('event Transfer(address indexed from, address indexed to, uint256 value)');
const WRITES = parseAbi([
  'function transferWithAuthorization(address from, address to, uint256 value, uint256 validAfter, uint256 validBefore, bytes32 nonce, bytes signature)',
]);

export async function createBaseSide({ treasuryKey, laneKeys }: EvmKeys): Promise<Side> {
  const chain = await startBaseChain({ blockTimeMs: 200 });
  const fromBlock = await chain.client.getBlockNumber();
  const stranger = await chain.createAccount();
  const treasury = openEvmKey(treasuryKey).address;
  const accounts = new Map<string, PrivateKeyAccount>();

  function signerOf({ payer }: Asked): PrivateKeyAccount {
    const account = accounts.get(payer.address);
    if (account === undefined) throw new Error(`${payer.address} is no payer of this world`);
    return account;
  }

  return {
    network: 'base',
    laterSeconds: 70 * 60,
    start: (common) =>
      startTestService({
        ...common,
        rpcUrl: chain.rpcUrl,
        fundEth: chain.fundEth,
        keys: { treasuryKey, laneKeys: [...laneKeys] },
      }),
    async createPayer(value) {
      const account = await chain.createAccount({ usdc: microUsdc(value), wei: 0n });
      const address = account.address.toLowerCase();
      accounts.set(address, account);
      return { address };
    },
    newWallet: () => `0x${randomBytes(20).toString('hex')}`,
    async sign(asked) {
      const signer = signerOf(asked);
      const { value, nonce, validBefore } = asked;
      return makeProof({ from: signer.address, signer, payTo: treasury, value, nonce, validBefore, validAfter: 0 });
    },
    async copy(asked) {
      const payer = signerOf(asked);
      const { value, nonce } = asked;
      const validBefore = BigInt(asked.validBefore);
      const terms = { to: treasury, value, validAfter: 0n, validBefore, nonce };
      const signature = await signAuthorization(payer, toAuthorization({ ...terms, from: payer.address }));
      const args = [payer.address, treasury, value, 0n, validBefore, nonce, signature] as const;
      const data = encodeFunctionData({ abi: WRITES, functionName: 'transferWithAuthorization', args });
      const wallet = createWalletClient({ account: stranger, chain: testBase, transport: http(chain.rpcUrl) });
      await wallet.sendTransaction({ to: USDC, data, gas: 300_000n });
    },
    async advance(seconds) {
      await chain.advanceTime(seconds);
      await chain.mine(80);
      const height = Number(await chain.client.getBlockNumber());
      return ({ block }) => block >= height;
    },
    async moved() {
      const logs = await chain.client.getLogs({ address: USDC, event: TRANSFER, fromBlock });
      const sums: Moved = { paidIn: new Map(), paidOut: new Map() };
      const ours = treasury.toLowerCase();
      for (const { args } of logs) {
        const { from, to, value } = args as { from: Hex; to: Hex; value: bigint };
        if (from.toLowerCase() === ours) addTo(sums.paidOut, to.toLowerCase(), value);
        if (to.toLowerCase() === ours) addTo(sums.paidIn, from.toLowerCase(), value);
      }
      return sums;
    },
    close: () => chain.close(),
  };
}
