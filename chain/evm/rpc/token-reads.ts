import { type Address, encodeFunctionData, type Hex, numberToHex, parseAbi, size } from 'viem';
import { ChainUnavailable } from '../../errors.ts';
import type { JsonRpc } from '../../json-rpc.ts';
import { decodeAnswer } from './decode-answer.ts';
import { decodeAggregate, encodeAggregate } from './multicall.ts';
import type { EvmProfile } from './profile.ts';
import { bytes } from './rpc-shapes.ts';

const TOKEN_ABI = parseAbi([
  'function decimals() view returns (uint8)',
  'function totalSupply() view returns (uint256)',
  'function supportsInterface(bytes4 id) view returns (bool)',
]);
const DECIMALS = encodeFunctionData({ abi: TOKEN_ABI, functionName: 'decimals' });
const SUPPLY = encodeFunctionData({ abi: TOKEN_ABI, functionName: 'totalSupply' });
/** ERC-721 and ERC-1155. Wallets that can hold such tokens answer other interfaces. */
const COLLECTIONS = (['0x80ac58cd', '0xd9b67a26'] as const).map(toSupports);
/** No contract supports this id (ERC-165). One that claims to says yes to everything, so its answers mean nothing. */
const NO_INTERFACE = toSupports('0xffffffff');

/** Per question. It runs a stranger's code, which may burn all but a 64th. */
const GAS_MAX = 1_000_000;
const DECIMALS_MAX = 255n;

/** Questions about unknown contracts. Part of `createEvmRpc`. */
export function tokenReads(ask: JsonRpc, profile: EvmProfile) {
  /**
   * Null where no number is answered, as by an address without code. Each question is its own aggregate: one that burns
   * its gas would starve those after it, and only an aggregate tells "the call fails" from "the node fails".
   */
  async function askNumber(contract: Address, data: Hex): Promise<bigint | null> {
    const call = { to: profile.multicall, data: encodeAggregate(contract, [data]), gas: numberToHex(GAS_MAX) };
    const answer = await ask('eth_call', [call, 'latest'], bytes);
    const [result] = decodeAnswer(() => decodeAggregate(answer));
    if (result === undefined) throw new ChainUnavailable('eth_call', 'malformed');
    return result.success && size(result.data) === 32 ? BigInt(result.data) : null;
  }

  return {
    /**
     * Whether a contract at this address answers like a token: a coin has decimals and a supply, a collection says that
     * it is one. Contract wallets do neither.
     */
    async isToken(address: Address): Promise<boolean> {
      const questions = [DECIMALS, SUPPLY, NO_INTERFACE, ...COLLECTIONS];
      const answers = await Promise.all(questions.map((question) => askNumber(address, question)));
      const [decimals = null, supply = null, none, ...collections] = answers;
      if (none === 1n) return false;
      const isCoin = decimals !== null && decimals <= DECIMALS_MAX && supply !== null;
      return isCoin || collections.includes(1n);
    },
  };
}

function toSupports(id: Hex): Hex {
  return encodeFunctionData({ abi: TOKEN_ABI, functionName: 'supportsInterface', args: [id] });
}
