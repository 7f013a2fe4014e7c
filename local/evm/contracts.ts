/** Puts USDC's stand-in and Multicall3 where clients expect them, with the ABI of the stand-in. */
import { type Address, type Hex, encodeAbiParameters, parseAbi } from 'viem';
import { callRpc } from '../processes/rpc.ts';
import { compileContracts } from './compile.ts';
import { MULTICALL3_ADDRESS, readMulticallCreationCode } from './multicall.ts';
import { callHex } from './rpc.ts';

export const LOCAL_USDC_ABI = parseAbi([
  'function name() view returns (string)',
  'function symbol() view returns (string)',
  'function version() view returns (string)',
  'function decimals() view returns (uint8)',
  'function totalSupply() view returns (uint256)',
  'function balanceOf(address account) view returns (uint256)',
  'function transfer(address to, uint256 value) returns (bool)',
  'function DOMAIN_SEPARATOR() view returns (bytes32)',
  'function authorizationState(address authorizer, bytes32 nonce) view returns (bool)',
  'function transferWithAuthorization(address from, address to, uint256 value, uint256 validAfter, uint256 validBefore, bytes32 nonce, bytes signature)',
  'function transferWithAuthorization(address from, address to, uint256 value, uint256 validAfter, uint256 validBefore, bytes32 nonce, uint8 v, bytes32 r, bytes32 s)',
  'function receiveWithAuthorization(address from, address to, uint256 value, uint256 validAfter, uint256 validBefore, bytes32 nonce, bytes signature)',
  'function receiveWithAuthorization(address from, address to, uint256 value, uint256 validAfter, uint256 validBefore, bytes32 nonce, uint8 v, bytes32 r, bytes32 s)',
  'function cancelAuthorization(address authorizer, bytes32 nonce, bytes signature)',
  'function cancelAuthorization(address authorizer, bytes32 nonce, uint8 v, bytes32 r, bytes32 s)',
  'function mint(address to, uint256 amount) returns (bool)',
  'function paused() view returns (bool)',
  'function pause()',
  'function unpause()',
  'function isBlacklisted(address account) view returns (bool)',
  'function blacklist(address account)',
  'function unBlacklist(address account)',
  'event Transfer(address indexed from, address indexed to, uint256 value)',
  'event AuthorizationUsed(address indexed authorizer, bytes32 indexed nonce)',
  'event AuthorizationCanceled(address indexed authorizer, bytes32 indexed nonce)',
]);

/** Idempotent; also replaces code that an older version of the sources left on a chain that is used again. */
export async function installContracts(
  rpcUrl: string,
  { usdc, admin }: { usdc: Address; admin: Address },
): Promise<void> {
  const { LocalUsdc } = await compileContracts();
  await installContract(rpcUrl, usdc, withConstructorAddress(LocalUsdc, admin));
  await installContract(rpcUrl, MULTICALL3_ADDRESS, readMulticallCreationCode());
}

/**
 * Gives an address the code that a deployment would have left, without deploying: a call without a recipient runs the
 * creation code and answers what it returns. Immutables are in it; what a constructor stores is not.
 */
export async function installContract(rpcUrl: string, address: Address, creationCode: Hex): Promise<void> {
  const runtime = await callHex(rpcUrl, 'eth_call', [{ data: creationCode }, 'latest']);
  if (runtime === '0x') throw new Error(`the creation code for ${address} answered no code`);
  const found = await callHex(rpcUrl, 'eth_getCode', [address, 'latest']);
  if (found !== runtime) await callRpc(rpcUrl, 'anvil_setCode', [address, runtime]);
}

export function withConstructorAddress(creationCode: Hex, argument: Address): Hex {
  return `${creationCode}${encodeAbiParameters([{ type: 'address' }], [argument]).slice(2)}`;
}
