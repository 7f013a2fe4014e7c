import { domainSeparator, type Hex, keccak256, parseAbi, encodeFunctionData } from 'viem';
import { createJsonRpc } from '../../json-rpc.ts';
import type { EvmProfile } from './profile.ts';
import { bytes } from './rpc-shapes.ts';

const ABI = parseAbi(['function DOMAIN_SEPARATOR() view returns (bytes32)']);

/** What USDC's signatures are bound to on this chain (EIP-712): chain, address, name and version. */
export function domainOf({ chainId, usdc, eip712Name: name, eip712Version: version }: EvmProfile): Hex {
  return domainSeparator({ domain: { chainId, verifyingContract: usdc, name, version } });
}

/** What the contract at USDC's address says about itself. Nulls: there is no code, or it has no such function. */
export async function askTokenCode(
  { url, timeoutMs }: { url: string; timeoutMs: number },
  profile: EvmProfile,
): Promise<{ codeHash: Hex | null; domain: Hex | null }> {
  const ask = createJsonRpc({ url, timeoutMs });
  const code = await ask('eth_getCode', [profile.usdc, 'latest'], bytes);
  if (code === '0x') return { codeHash: null, domain: null };
  const data = encodeFunctionData({ abi: ABI, functionName: 'DOMAIN_SEPARATOR' });
  const answer = await ask('eth_call', [{ to: profile.usdc, data }, 'latest'], bytes);
  return { codeHash: keccak256(code), domain: answer === '0x' ? null : answer };
}
