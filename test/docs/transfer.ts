/** Any wallet, for the example: sends so many millionths of a USDC on Base and prints the transaction's hash. */
import { createWalletClient, encodeFunctionData, erc20Abi, http } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { callRpc } from '../../local/processes/rpc.ts';
import { testBase } from '../support/chains/base-chain.ts';
import { USDC } from '../support/pay.ts';

const rpcUrl = process.env['BASE_RPC_URL'] ?? '';
const [to = '', amount = ''] = process.argv.slice(2);
const account = privateKeyToAccount(process.env['PENNYPOST_BASE_KEY'] as `0x${string}`);
await callRpc(rpcUrl, 'anvil_setBalance', [account.address, '0xde0b6b3a7640000']);
const wallet = createWalletClient({ account, chain: testBase, transport: http(rpcUrl) });
const data = encodeFunctionData({
  abi: erc20Abi,
  functionName: 'transfer',
  args: [to as `0x${string}`, BigInt(amount)],
});
process.stdout.write(await wallet.sendTransaction({ to: USDC, data }));
