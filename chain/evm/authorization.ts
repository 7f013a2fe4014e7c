import {
  type Address,
  encodeAbiParameters,
  encodeFunctionData,
  type Hex,
  keccak256,
  parseAbiParameters,
  prepareEncodeFunctionData,
  stringToHex,
} from 'viem';
import { recoverAddress } from './key.ts';
import type { EvmProfile } from './rpc/profile.ts';
import { USDC_ABI } from './rpc/usdc.ts';

/** A signed permission to move USDC once (EIP-3009). `value` in micro-USDC, times in Unix seconds, both exclusive. */
export type Authorization = {
  from: Address;
  to: Address;
  value: bigint;
  validAfter: number;
  validBefore: number;
  nonce: Hex;
};

const TYPE_HASH = keccak256(
  stringToHex(
    'TransferWithAuthorization(address from,address to,uint256 value,uint256 validAfter,uint256 validBefore,bytes32 nonce)',
  ),
);
const DOMAIN_TYPE_HASH = keccak256(
  stringToHex('EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)'),
);

/** Answers a function that makes the EIP-712 digest; the constant part is hashed once, here. */
export function authorizationDigest(profile: EvmProfile): (authorization: Authorization) => Hex {
  const prefix = `1901${domainSeparator(profile).slice(2)}`;
  const typeHash = TYPE_HASH.slice(2);
  return (authorization) => {
    const struct = keccak256(Buffer.from(typeHash + encodeWords(authorization), 'hex'));
    return keccak256(Buffer.from(prefix + struct.slice(2), 'hex'));
  };
}

function domainSeparator(profile: EvmProfile): Hex {
  return keccak256(
    encodeAbiParameters(parseAbiParameters('bytes32, bytes32, bytes32, uint256, address'), [
      DOMAIN_TYPE_HASH,
      keccak256(stringToHex(profile.eip712Name)),
      keccak256(stringToHex(profile.eip712Version)),
      BigInt(profile.chainId),
      profile.usdc,
    ]),
  );
}

function encodeWords({ from, to, value, validAfter, validBefore, nonce }: Authorization): string {
  return [
    hexWord(from, 20),
    hexWord(to, 20),
    word(value),
    word(validAfter),
    word(validBefore),
    hexWord(nonce, 32),
  ].join('');
}

function word(value: bigint | number): string {
  const hex = BigInt(value).toString(16);
  if (value < 0 || hex.length > 64) throw new Error(`a uint256 must be 0 to 2^256 - 1, found ${value}`);
  return hex.padStart(64, '0');
}

// Buffer.from(…, 'hex') stops silently at the first character that is not hex, so the shape is checked first.
function hexWord(value: Hex, bytes: number): string {
  if (value.length !== 2 + 2 * bytes || !/^0x[0-9a-fA-F]+$/.test(value)) {
    throw new Error(`expected 0x and ${2 * bytes} hex digits, found ${value}`);
  }
  return value.slice(2).padStart(64, '0');
}

/** Half the order of secp256k1: above it a signature has a twin, which USDC refuses (ECRecover.sol, EIP-2). */
const S_MAX = Buffer.from('7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0', 'hex');

/**
 * The signature as USDC accepts it: 65 bytes, low s, v 27 or 28. Some wallets write v as 0 or 1, which USDC refuses, so
 * that is rewritten: submit and store the result. Null for anything else, contract signatures included.
 */
export function normaliseSignature(signature: Hex): Hex | null {
  if (!/^0x[0-9a-fA-F]{130}$/.test(signature)) return null;
  const bytes = Buffer.from(signature.slice(2), 'hex');
  if (bytes.compare(S_MAX, 0, 32, 32, 64) > 0) return null;
  const v = bytes.readUInt8(64);
  bytes.writeUInt8(v < 2 ? v + 27 : v, 64);
  return bytes.readUInt8(64) === 27 || bytes.readUInt8(64) === 28 ? `0x${bytes.toString('hex')}` : null;
}

/**
 * The lower-case signer, by the rules of USDC's ECRecover: v must be 27 or 28, so call `normaliseSignature` first. Null
 * where USDC would refuse. Contract payers are asked by ERC-1271 instead.
 */
export function recoverSigner(digest: Hex, signature: Hex): Address | null {
  if (normaliseSignature(signature) !== signature.toLowerCase()) return null;
  const bytes = Buffer.from(signature.slice(2), 'hex');
  return recoverAddress(digest, bytes.subarray(0, 64), bytes.readUInt8(64) - 27);
}

/** Looked up and hashed once: a batch has hundreds, and is encoded for its simulation and for its transaction. */
const TRANSFER = prepareEncodeFunctionData({ abi: USDC_ABI, functionName: 'transferWithAuthorization' });

/** Calldata of `transferWithAuthorization(…, bytes signature)`. */
export function encodeTransfer(authorization: Authorization, signature: Hex): Hex {
  const { from, to, value, validAfter, validBefore, nonce } = authorization;
  return encodeFunctionData({
    ...TRANSFER,
    args: [from, to, value, BigInt(validAfter), BigInt(validBefore), nonce, signature],
  });
}

const ERC6492_SUFFIX = '6492'.repeat(16);

/** True for the signature of a wallet that is not deployed yet (ERC-6492). USDC cannot read it, so it is refused. */
export function isErc6492(signature: Hex): boolean {
  return signature.toLowerCase().endsWith(ERC6492_SUFFIX);
}
