import { keccak256, parseAbi, stringToHex } from 'viem';

/** What we call on USDC (FiatTokenV2_2; EIP-3009). The `bytes signature` form serves plain and contract payers alike. */
export const USDC_ABI = parseAbi([
  'function transferWithAuthorization(address from, address to, uint256 value, uint256 validAfter, uint256 validBefore, bytes32 nonce, bytes signature)',
  'function authorizationState(address authorizer, bytes32 nonce) view returns (bool)',
  'function balanceOf(address account) view returns (uint256)',
  'function isBlacklisted(address account) view returns (bool)',
  'function paused() view returns (bool)',
]);

export const TRANSFER_TOPIC = keccak256(stringToHex('Transfer(address,address,uint256)'));
export const AUTHORIZATION_CANCELED_TOPIC = keccak256(stringToHex('AuthorizationCanceled(address,bytes32)'));
export const AUTHORIZATION_USED_TOPIC = keccak256(stringToHex('AuthorizationUsed(address,bytes32)'));
